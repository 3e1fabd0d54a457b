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

    /// Whether it is a relationship that leads to a resource.
    package var isLinked: Bool { group == "relationships" && json["data"].map { !$0.isNull } ?? false }

    package func encode(to encoder: any Encoder) throws { try json.writeDigits(to: encoder) }
}

/// What is at the place of a value that could not be decoded. The container needs the type of the value, because that of a resource looks
/// for a relationship in another place than for an attribute.
package struct UnreadMember<Value: Decodable>: Decodable {
    package let value: UnreadValue

    package init(_ value: UnreadValue) { self.value = value }

    package init(from decoder: any Decoder) throws {
        do { value = UnreadValue(try JSON.readDigits(from: decoder).visible(decoder.userInfo), isPart: false) } catch let error
            as DecodingError
        {
            throw LostValue(reason: error)
        }
    }

    /// Returns the value of the member that `read` returns; nil if there is nothing to keep. Throws for a value that is there, but that
    /// would be lost, such as 1e400 in one of Foundation's decoders.
    static func kept(_ read: () throws -> UnreadMember?) throws -> UnreadValue? {
        do { return try read()?.value } catch let error as LostValue { throw error.reason } catch { return nil }
    }
}

/// The error for a value that a decoder has, but that is not a JSON value in Swift.
private struct LostValue: Error {
    let reason: DecodingError
}
