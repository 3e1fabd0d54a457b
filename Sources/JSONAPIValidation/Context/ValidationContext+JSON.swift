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
        let headers = try members.value("headers", "an object of headers", \.object)
        guard let header = headers?.first(where: { $0.name.lowercased() == "location" }) else { return nil }
        guard let value = header.value.string else { throw ValidationContextError(JSONPointer("headers", header.name), "a string") }
        return value
    }

    private static func extensions(_ members: JSONObject) throws(ValidationContextError) -> [Extension] {
        var extensions: [Extension] = []
        for (number, element) in (try members.value("extensions", "an array", \.array) ?? []).enumerated() {
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
    /// Returns the value with a name, or nil if it is missing or null. Throws if `read` returns nil for any other value.
    fileprivate func value<Value>(_ name: String, _ expected: String, _ read: (JSON) -> Value?) throws(ValidationContextError) -> Value? {
        guard let json = self[name], json != .null else { return nil }
        guard let value = read(json) else { throw ValidationContextError(JSONPointer(name), expected) }
        return value
    }

    fileprivate func text(_ name: String) throws(ValidationContextError) -> String? { try value(name, "a string", \.string) }
    fileprivate func number(_ name: String) throws(ValidationContextError) -> Int? { try value(name, "a whole number", \.int) }
    fileprivate func flag(_ name: String) throws(ValidationContextError) -> Bool? { try value(name, "true or false", \.bool) }

    fileprivate func texts(_ name: String) throws(ValidationContextError) -> [String] {
        var texts: [String] = []
        for (number, element) in (try value(name, "an array of strings", \.array) ?? []).enumerated() {
            guard let text = element.string else { throw ValidationContextError(JSONPointer(name, String(number)), "a string") }
            texts.append(text)
        }
        return texts
    }

    fileprivate func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, among words: Word.Type
    ) throws(ValidationContextError) -> Word? where Word.RawValue == String {
        guard let text = try text(name) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let values = words.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        throw ValidationContextError(JSONPointer(name), "one of \(values)")
    }
}
