public import Foundation
public import JSONAPICodec

extension NSCoder {
    /// Encodes a value under a key: a resource with everything that it embeds or holds, an array of them, or any other `Codable`
    /// value.
    ///
    /// ```swift
    /// override func encode(with coder: NSCoder) {          // once for a whole hierarchy of classes
    ///     do { try coder.encodeArchived(model, forKey: "model", modelVersion: 2) } catch { coder.failWithError(error) }
    /// }
    /// ```
    ///
    /// What the coder gets is one `NSData`, the bytes of an `Archive`, so nothing but `NSData` has to be allowed for secure coding.
    /// `modelVersion` is the version of the models, for `decodeArchived`.
    ///
    /// Throws what `Archive.Writer.encode` throws, and `ArchiveError` of kind `otherForm` for a coder without keys.
    public func encodeArchived<Value: Encodable>(
        _ value: Value, forKey key: String, modelVersion: Int = 0, encoder: JSONAPIEncoder = JSONAPIEncoder()
    ) throws {
        var writer = Archive.Writer(modelVersion: modelVersion, encoder: encoder)
        try writer.encode(value, forKey: CoderKey.value)
        try encodeBytes(of: try writer.data(), forKey: key)
    }

    /// The value that `encodeArchived` put under a key, migrated to the version of `model` when it is older.
    ///
    /// Throws what `Archive` throws; `missingKey` when there is nothing under the key, `otherForm` when it is something else.
    ///
    /// A keyed unarchiver stops the process for a number 0 under the key, and for objects that it may not decode, unless its
    /// `decodingFailurePolicy` is `.setErrorAndReturn`.
    public func decodeArchived<Value: Decodable>(
        _ type: Value.Type, forKey key: String, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Value {
        try decodeArchive(forKey: key, model: model, decoder: decoder).decode(type, forKey: CoderKey.value)
    }

    /// Encodes a whole archive under a key.
    public func encodeArchive(_ archive: Archive, forKey key: String) throws { try encodeBytes(of: archive.data, forKey: key) }

    /// The archive that `encodeArchive` put under a key.
    public func decodeArchive(
        forKey key: String, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Archive {
        guard allowsKeyedCoding else { throw CoderKey.unkeyed }
        guard containsValue(forKey: key) else { throw ArchiveError(.missingKey, "the coder has nothing under the key `\(key)`") }
        guard let data = dataOrNil(forKey: key) else {
            throw ArchiveError(.otherForm, "what the coder has under the key `\(key)` is no archive")
        }
        return try Archive(data: data as Data, model: model, decoder: decoder)
    }

    /// The data under a key; nil when it is something else.
    ///
    /// A number there is no object, and an unarchiver that is asked for one stops the process unless its `decodingFailurePolicy` says
    /// otherwise. So numbers are asked for first. Only a zero looks as if there were none.
    private func dataOrNil(forKey key: String) -> NSData? {
        guard decodeDouble(forKey: key) == 0, decodeInt64(forKey: key) == 0, !decodeBool(forKey: key) else { return nil }
        return decodeObject(of: NSData.self, forKey: key)
    }

    private func encodeBytes(of data: Data, forKey key: String) throws {
        guard allowsKeyedCoding else { throw CoderKey.unkeyed }
        encode(data as NSData, forKey: key)
    }
}

private enum CoderKey {
    /// The key of the one value in an archive inside a coder.
    static let value = "value"

    static var unkeyed: ArchiveError {
        ArchiveError(.otherForm, "the coder has no keys", advice: "use NSKeyedArchiver and NSKeyedUnarchiver")
    }
}
