import JSONText

// Values that a type's own code rejects, such as a string that is not a raw value of an enum.

extension DecodingSession {
    /// Returns the failure for a value that `init(from:)` of a type rejects. For an enum it names the nearest raw value.
    func rejected(at word: Int, by type: Any.Type) -> DecodingFailure {
        guard let raw = type as? any RawRepresentable.Type else {
            return failure(
                .invalidValue, at: word, expected: "a value that \(type) accepts", found: "\(view.kindName(at: word)) that it rejects")
        }
        let texts = (type as? any CaseIterable.Type).map { rawTexts(of: $0) } ?? []
        let nearest = view.isString(word) ? NearestName.find(view.string(at: word), in: texts) : nil
        return failure(
            .invalidValue, at: word, expected: "a raw value of \(raw)" + (texts.isEmpty ? "" : ": \(NearestName.list(texts))"),
            found: "\(view.kindName(at: word)) that it rejects",
            advice: (nearest.map { "the nearest is `\($0)`; " } ?? "")
                + "add a case for it, or declare the property as an optional with @Lossy, which is nil for such a value")
    }

    /// Returns the failure for a member whose name is no key of a dictionary type.
    func rejectedName(at word: Int, by type: Any.Type) -> DecodingFailure {
        failure(
            .invalidValue, at: word, expected: "a member whose name is a key of \(type)", found: "a member with another name",
            advice: "use keys of type String, which accept every name")
    }

    private func rawTexts<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
        type.allCases.prefix(100).compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
    }
}
