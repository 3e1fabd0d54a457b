import JSONAPIArchive
import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Keeps a `Codable` value under a key, for example the order of a feed, a sync token or a scroll position. Replaces the earlier value
    /// of the key.
    ///
    /// ```swift
    /// try store.keep(["3", "1", "2"], forKey: "feed")
    /// let order = try store.kept([String].self, forKey: "feed")
    /// ```
    ///
    /// A `StoreFile` saves the value. A resource inside the value is not shared with the store. Keep its identifier in the value, and the
    /// resource in the store.
    ///
    /// Throws `EncodingError`.
    public func keep(_ value: some Encodable, forKey key: String) throws { try transaction { try $0.keep(value, forKey: key) } }

    /// Returns the value of a key; nil if there is none. Throws `DecodingError` if the value cannot be read as the type.
    public func kept<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        guard let text = core.readKept({ $0.value(.value(ByteText(key))) })?.text else { return nil }
        return try decoder.value(type, from: text)
    }

    /// Removes the value of a key.
    public func removeKept(forKey key: String) { transaction { $0.removeWithoutCheck(.value(ByteText(key))) } }

    /// The keys of all kept values, sorted by bytes.
    public var keptKeys: [String] {
        core.readKept { $0.keys }.compactMap { if case .value(let name) = $0 { name.text } else { nil } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension StoreTransaction {
    /// Keeps a `Codable` value under a key. See `ResourceStore.keep(_:forKey:)`. Throws as that function does.
    public func keep(_ value: some Encodable, forKey key: String) throws {
        try checkOpen()
        let text = try JSONWriter().write(try store.encoder.forArchives.json(value))
        pending.setKept(.value(ByteText(key)), .put(KeptValue(text)))
    }

    /// Returns the value of a key, with the changes of the transaction; nil if there is none. Throws `DecodingError` if the value cannot be
    /// read as the type.
    public func kept<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        guard let text = pending.kept(.value(ByteText(key)))?.text else { return nil }
        return try store.decoder.value(type, from: text)
    }

    /// Removes the value of a key. Throws `StoreError` after the end of the transaction.
    public func removeKept(forKey key: String) throws {
        try checkOpen()
        removeWithoutCheck(.value(ByteText(key)))
    }

    func removeWithoutCheck(_ key: StoreKey) {
        if pending.kept(key) != nil { pending.setKept(key, .remove) }
    }
}
