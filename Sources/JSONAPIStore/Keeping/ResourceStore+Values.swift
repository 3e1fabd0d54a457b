import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Keeps any `Codable` value under a key, in place of the one that the key had: the order of a feed, a sync token, a scroll position.
    ///
    /// ```swift
    /// try store.keep(["3", "1", "2"], forKey: "feed")
    /// let order = try store.kept([String].self, forKey: "feed")
    /// ```
    ///
    /// A `StoreFile` saves it. A resource in the value is written as a plain value: keep its identifier, and the resource in the store.
    ///
    /// Throws `EncodingError`.
    public func keep(_ value: some Encodable, forKey key: String) throws { try transaction { try $0.keep(value, forKey: key) } }

    /// The value that is kept under a key; nil when there is none. Throws `DecodingError` when it is another type's.
    public func kept<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        guard let text = core.readKept({ $0.value(.value(ByteText(key))) })?.text else { return nil }
        return try decoder.value(type, from: text)
    }

    /// Forgets the value of a key.
    public func removeKept(forKey key: String) { transaction { $0.removeWithoutCheck(.value(ByteText(key))) } }

    /// The keys of values, sorted by their bytes.
    public var keptKeys: [String] {
        core.readKept { $0.keys }.compactMap { if case .value(let name) = $0 { name.text } else { nil } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension StoreTransaction {
    /// Keeps any `Codable` value under a key. See `ResourceStore.keep(_:forKey:)`.
    public func keep(_ value: some Encodable, forKey key: String) throws {
        try checkOpen()
        let text = try JSONWriter().write(try store.encoder.json(value))
        pending.setKept(.value(ByteText(key)), .put(KeptValue(text)))
    }

    /// The value that is kept under a key, as the transaction sees it; nil when there is none. Throws `DecodingError`.
    public func kept<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        guard let text = pending.kept(.value(ByteText(key)))?.text else { return nil }
        return try store.decoder.value(type, from: text)
    }

    /// Forgets the value of a key.
    public func removeKept(forKey key: String) throws {
        try checkOpen()
        removeWithoutCheck(.value(ByteText(key)))
    }

    func removeWithoutCheck(_ key: StoreKey) {
        if pending.kept(key) != nil { pending.setKept(key, .remove) }
    }
}
