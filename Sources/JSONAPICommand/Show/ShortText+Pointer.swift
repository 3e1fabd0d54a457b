import JSONText

extension ShortText {
    /// A pointer for people: control characters escaped, and cut in the middle after about that many bytes, without spelling the rest.
    static func pointer(_ pointer: JSONPointer, limit: Int) -> String { plain(pointer.shortened(to: limit), limit: .max) }
}
