public import Foundation
public import JSONAPICodec

extension NSCoder {
    /// Encodes a value under a key: a resource, an array of resources, or any other `Codable` value. Resources are encoded with everything
    /// that they embed or hold.
    ///
    /// ```swift
    /// override func encode(with coder: NSCoder) {          // once for a whole hierarchy of classes
    ///     do { try coder.encodeArchived(model, forKey: "model", modelVersion: 2) } catch { coder.failWithError(error) }
    /// }
    /// ```
    ///
    /// The coder stores a single `NSData` with the bytes of an `Archive`. Secure coding therefore only has to allow `NSData`.
    /// `modelVersion` is the version of the models, for `decodeArchived`.
    ///
    /// Throws the errors of `Archive.Writer.encode`, and `ArchiveError` of kind `otherForm` if the coder does not support keys.
    public func encodeArchived<Value: Encodable>(
        _ value: Value, forKey key: String, modelVersion: Int = 0, encoder: JSONAPIEncoder = JSONAPIEncoder()
    ) throws {
        var writer = Archive.Writer(modelVersion: modelVersion, encoder: encoder)
        try writer.encode(value, forKey: CoderKey.value)
        try encodeBytes(of: try writer.data(), forKey: key)
    }

    /// Returns the value that `encodeArchived` stored under a key. If the version of `model` is newer, the value is migrated.
    ///
    /// Throws the errors of `Archive`. The kind is `missingKey` if the key has no value, and `otherForm` if its value is not an archive.
    /// If the coder has failed before and returns nothing for this reason, throws its error, where Foundation gives it; otherwise the
    /// message names both causes.
    ///
    /// A keyed unarchiver can stop the process if the key contains a number or an object that must not be decoded. To prevent this, set its
    /// `decodingFailurePolicy` to `.setErrorAndReturn`.
    public func decodeArchived<Value: Decodable>(
        _ type: Value.Type, forKey key: String, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Value {
        try decodeArchive(forKey: key, model: model, decoder: decoder).decode(type, forKey: CoderKey.value)
    }

    /// Encodes a whole archive under a key. Throws `ArchiveError` of kind `otherForm` if the coder does not support keys.
    public func encodeArchive(_ archive: Archive, forKey key: String) throws { try encodeBytes(of: archive.data, forKey: key) }

    /// Returns the archive that `encodeArchive` stored under a key. Throws the errors of `Archive`, also of the kinds `missingKey` and
    /// `otherForm` as `decodeArchived` does.
    public func decodeArchive(
        forKey key: String, model: ArchiveModel? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Archive {
        guard allowsKeyedCoding else { throw CoderKey.unkeyed }
        guard containsValue(forKey: key) else { throw ArchiveError(.missingKey, "the coder has nothing under the key `\(key)`") }
        // After an error, an unarchiver returns nothing for any key.
        let earlier = error
        guard let data = Platform.data(forKey: key, of: self) else {
            throw earlier
                ?? ArchiveError(.otherForm, "what the coder has under the key `\(key)` is no archive, or the coder has failed before")
        }
        return try Archive(data: data as Data, model: model, decoder: decoder)
    }

    private func encodeBytes(of data: Data, forKey key: String) throws {
        guard allowsKeyedCoding else { throw CoderKey.unkeyed }
        encode(data as NSData, forKey: key)
    }
}

private enum CoderKey {
    /// The key of the single value in the archive of a coder.
    static let value = "value"

    static var unkeyed: ArchiveError {
        ArchiveError(.otherForm, "the coder has no keys", advice: "use NSKeyedArchiver and NSKeyedUnarchiver")
    }
}
