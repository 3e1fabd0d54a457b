import JSONText

// Values that a type's own code rejects, such as a string that is not a raw value of an enum.

extension DecodingSession {
    /// Returns the failure for a value that `init(from:)` of a type rejects.
    func rejected(at word: Int, by type: Any.Type) -> DecodingFailure {
        DecodingFailure(.invalidValue, note(at: word, .rejected(by: type)))
    }

    /// Returns the failure for a member whose name is no key of a dictionary type.
    func rejectedName(at word: Int, by type: Any.Type) -> DecodingFailure {
        failure(
            .invalidValue, at: word, expected: "a member whose name is a key of \(type)", found: "a member with another name",
            advice: "use keys of type String, which accept every name")
    }
}
