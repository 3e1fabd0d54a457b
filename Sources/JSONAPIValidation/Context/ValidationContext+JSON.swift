import JSONText

extension ValidationContext {
    /// Creates a context from a JSON object, in the format of the indexes in `Conformance/`.
    ///
    /// ```
    /// {"target": "collection", "query": "include=author", "extensions": [{"uri": "https://jsonapi.org/ext/atomic", "namespace":
    /// "atomic"}]}
    /// ```
    ///
    /// The members are `target`, `cardinality`, `method`, `query`, `status`, `headers`, `extensions`, `profiles`, `operations`,
    /// `paginated`, `last_page`, `range_truncated`, `error_case`, `parameter` and `strict`. All are optional, and null counts as missing.
    /// Other members are ignored. Throws a `ValidationContextError` for a member of the wrong type.
    public init(_ kind: Kind = .response, json: JSON) throws(ValidationContextError) {
        self.init(kind)
        guard let members = json.object else { throw ValidationContextError(JSONPointer(), "an object") }
        target = try members.word("target", among: Target.self)
        cardinality = try members.word("cardinality", among: Cardinality.self)
        method = try members.text("method")
        query = try members.text("query")
        status = try members.number("status")
        location = try Self.location(members)
        extensions = try Self.extensions(members)
        profiles = try members.texts("profiles")
        operationCount = try members.number("operations")
        isPaginated = try members.flag("paginated")
        isLastPage = try members.flag("last_page") ?? false
        isRangeTruncated = try members.flag("range_truncated") ?? false
        cursorError = try members.word("error_case", among: CursorError.self)
        parameter = try members.text("parameter")
        isStrict = try members.flag("strict") ?? false
    }

    private static func location(_ members: JSONObject) throws(ValidationContextError) -> String? {
        guard let headers = members.present("headers") else { return nil }
        guard let headers = headers.object else { throw ValidationContextError(JSONPointer("headers"), "an object of headers") }
        for header in headers where header.name.lowercased() == "location" {
            guard let value = header.value.string else {
                throw ValidationContextError(JSONPointer("headers", header.name), "a string")
            }
            return value
        }
        return nil
    }

    private static func extensions(_ members: JSONObject) throws(ValidationContextError) -> [Extension] {
        guard let value = members.present("extensions") else { return [] }
        guard let array = value.array else { throw ValidationContextError(JSONPointer("extensions"), "an array") }
        var extensions: [Extension] = []
        for (number, element) in array.enumerated() {
            guard let uri = element.object?["uri"]?.string, let namespace = element.object?["namespace"]?.string else {
                throw ValidationContextError(JSONPointer("extensions", String(number)), "an object with `uri` and `namespace`")
            }
            extensions.append(Extension(namespace: namespace, uri: uri))
        }
        return extensions
    }
}

/// An error in the JSON of a context.
public struct ValidationContextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the error in the context.
    public let pointer: JSONPointer
    /// What was expected there, in words.
    public let expected: String

    init(_ pointer: JSONPointer, _ expected: String) {
        self.pointer = pointer
        self.expected = expected
    }

    /// The place, and what was expected there.
    public var description: String {
        pointer.tokens.isEmpty ? "the context must be \(expected)" : "`\(pointer)` in the context must be \(expected)"
    }
}

extension JSONObject {
    /// Returns the value with a name, or nil if it is missing or null.
    fileprivate func present(_ name: String) -> JSON? {
        guard let value = self[name], value != .null else { return nil }
        return value
    }

    fileprivate func text(_ name: String) throws(ValidationContextError) -> String? {
        guard let value = present(name) else { return nil }
        guard let text = value.string else { throw ValidationContextError(JSONPointer(name), "a string") }
        return text
    }

    fileprivate func number(_ name: String) throws(ValidationContextError) -> Int? {
        guard let value = present(name) else { return nil }
        guard let number = value.int else { throw ValidationContextError(JSONPointer(name), "a whole number") }
        return number
    }

    fileprivate func flag(_ name: String) throws(ValidationContextError) -> Bool? {
        guard let value = present(name) else { return nil }
        guard let flag = value.bool else { throw ValidationContextError(JSONPointer(name), "true or false") }
        return flag
    }

    fileprivate func texts(_ name: String) throws(ValidationContextError) -> [String] {
        guard let value = present(name) else { return [] }
        guard let array = value.array else { throw ValidationContextError(JSONPointer(name), "an array of strings") }
        var texts: [String] = []
        for (number, element) in array.enumerated() {
            guard let text = element.string else { throw ValidationContextError(JSONPointer(name, String(number)), "a string") }
            texts.append(text)
        }
        return texts
    }

    fileprivate func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, among words: Word.Type
    ) throws(ValidationContextError) -> Word? where Word.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let values = words.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            throw ValidationContextError(JSONPointer(name), "one of \(values)")
        }
        return word
    }
}
