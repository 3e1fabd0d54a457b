import JSONText

/// A value that a wrapper could not decode, and writes back.
///
/// An encoder of this package notes it, so that a patch never deletes it without being told to.
package struct UnreadValue: Encodable, Sendable {
    /// The value as it was.
    package let json: JSON
    /// Whether it is an element of an array. Otherwise its name says which value replaces it.
    package let isPart: Bool

    init(_ json: JSON, isPart: Bool = true) {
        self.json = json
        self.isPart = isPart
    }

    package func encode(to encoder: any Encoder) throws { try json.write(to: encoder) }
}
