import JSONText

/// A value that a wrapper could not decode, and writes back.
///
/// An encoder of this package notes it, so that a patch never deletes it without being told to.
package struct UnreadValue: Encodable, Sendable {
    /// The value as it was.
    package let json: JSON
    /// Whether it is an element of an array. Otherwise its name says which value replaces it.
    package let isPart: Bool
    /// The part of a resource that the value belongs to, such as `relationships`; nil for an ordinary member.
    package let group: String?

    package init(_ json: JSON, isPart: Bool = true, in group: String? = nil) {
        self.json = json
        self.isPart = isPart
        self.group = group
    }

    package func encode(to encoder: any Encoder) throws { try json.write(to: encoder) }
}

/// What is at the place of a value that could not be decoded. The container needs the type of the value, because that of a resource looks
/// for a relationship in another place than for an attribute.
package struct UnreadMember<Value: Decodable>: Decodable {
    package let value: UnreadValue

    package init(_ value: UnreadValue) { self.value = value }

    package init(from decoder: any Decoder) throws { value = UnreadValue(try JSON.read(from: decoder), isPart: false) }
}
