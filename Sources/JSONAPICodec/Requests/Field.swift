import JSONMapping

/// A value that is absent, null or present, for the properties of a hand-written patch.
///
/// ```swift
/// struct ArticleChanges: ResourceFields {
///     static let type = "articles"
///     var title: Field<String> = .absent
///     var subtitle: Field<String> = .absent
/// }
/// let patch = Patch(id: "1", ArticleChanges(subtitle: .null))     // {"data":{…,"attributes":{"subtitle":null}}}
/// ```
///
/// An absent field leaves the member unchanged; null clears it. `Field` works with `JSONAPIEncoder`, `JSONEncoder` and the decoders. It is
/// another name for `Presence` of the module JSONMapping.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public typealias Field<Value> = Presence<Value>

// The type of a part of the resource object selects it, whatever the name of the property is. `Presence` looks for a member with that name.

extension KeyedDecodingContainer {
    /// Reads the resource's meta as absent, null or a value. Synthesized `Decodable` code calls this method.
    public func decode<Value: Codable & Sendable>(
        _ type: Field<ResourceMeta<Value>>.Type, forKey key: Key
    ) throws -> Field<ResourceMeta<Value>> {
        try field(key)
    }

    /// Reads the resource's links as absent, null or a value. Synthesized `Decodable` code calls this method.
    public func decode(_ type: Field<ResourceLinks>.Type, forKey key: Key) throws -> Field<ResourceLinks> { try field(key) }

    /// Reads the resource's local id as absent, null or a value. Synthesized `Decodable` code calls this method.
    public func decode(_ type: Field<LocalID>.Type, forKey key: Key) throws -> Field<LocalID> { try field(key) }

    private func field<Marker: ResourceMarker>(_ key: Key) throws -> Field<Marker> {
        if let value = try decodeIfPresent(Marker.self, forKey: key) { return .value(value) }
        return try contains(key) && decodeNil(forKey: key) ? .null : .absent
    }
}
