import JSONMapping
import JSONText

// Values that a type's own code rejects, such as a string that is not a raw value of an enum.

extension DecodingSession {
    /// Adds a failure with the place to an error that a type's own code threw, such as the standard library's error for an unknown raw
    /// value of an enum. The place is that of the error's coding path, so that a key that a dictionary rejects names its member. Errors with
    /// a failure stay as they are.
    ///
    /// - Parameter resource: The resource at the place, whose fields the path names first.
    func located(_ error: DecodingError, at place: ValuePlace, as type: Any.Type, of resource: Int? = nil) -> DecodingError {
        error.mapContext { old in
            guard !(old.underlyingError is DecodingFailure) else { return old }
            let words = words(along: old.codingPath, from: place, of: resource)
            var word = words.last ?? place.word
            // A dictionary may reject the name of a member.
            let isKey = words.count == 1 && type is any DictionaryType.Type
            var failure =
                isKey
                ? self.failure(
                    .invalidValue, at: word, expected: "a member whose name is a key of \(type)", found: "a member with another name",
                    advice: "use keys of type String, which accept every name")
                : DecodingFailure(.invalidValue, note(at: word, .rejected(by: type)))
            if let issue = (old.underlyingError as? ValidationError)?.issues.first {
                for token in issue.pointer.tokens {
                    word = value(for: view.isArray(word) ? PathKey(index: Int(token) ?? -1) : PathKey(token), in: word) ?? word
                }
                failure = self.failure(.invalidValue, at: word, expected: issue.expected, found: issue.found, advice: issue.advice)
            }
            failure.underlyingError = old.underlyingError
            return DecodingError.Context(codingPath: old.codingPath, debugDescription: old.debugDescription, underlyingError: failure)
        }
    }

    /// Returns the values inside the one at `place` that a coding path leads through, as far as they exist.
    private func words(along path: [any CodingKey], from place: ValuePlace, of resource: Int?) -> [Int] {
        guard !path.isEmpty else { return [] }
        let around = codingPath(of: place)
        guard path.count > around.count, zip(around, path).allSatisfy({ $0.stringValue == $1.stringValue }) else { return [] }
        var words: [Int] = []
        for key in path.dropFirst(around.count) {
            let field = words.isEmpty ? resource.flatMap { self.place(ofField: key, in: $0)?.word } : nil
            guard let word = field ?? value(for: key, in: words.last ?? place.word) else { break }
            words.append(word)
        }
        return words
    }

    private func value(for key: any CodingKey, in word: Int) -> Int? {
        if view.isObject(word) { return view.member(key.stringValue, of: word) }
        guard view.isArray(word), let index = key.intValue else { return nil }
        var found: Int?
        view.forEachElement(of: word) { element, position in
            if position == index { found = element }
        }
        return found
    }
}

extension DecodingError {
    func mapContext(_ change: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let old): .typeMismatch(type, change(old))
        case .valueNotFound(let type, let old): .valueNotFound(type, change(old))
        case .keyNotFound(let key, let old): .keyNotFound(key, change(old))
        case .dataCorrupted(let old): .dataCorrupted(change(old))
        @unknown default: self
        }
    }
}
