import JSONText

extension Conversion where Input == JSON, Output: Sendable {
    /// Text, read and written by two closures. Nil from `parse` is `conversionFailed`; a value that is no text a type mismatch.
    public static func text(
        _ expected: String = "text of the right form", parse: @escaping @Sendable (String) throws -> Output?,
        format: @escaping @Sendable (Output) throws -> String
    ) -> Self {
        Self(
            decode: { json in
                guard let text = json.string else { throw MappingIssue.mismatch(expected, json) }
                guard let value = try parse(text) else { throw MappingIssue.unconvertible(expected, "other text") }
                return value
            },
            encode: { .string(try format($0)) })
    }
}

extension Conversion where Input == JSON, Output: Hashable & Sendable {
    /// A word for each value, as `.table(["foo": 1, "bar": 2])`. Other words are `conversionFailed`, as are other values.
    ///
    /// Words are compared by their bytes. `fallback` stands in for unknown words. Of several words for one value the first by its bytes is written.
    public static func table(_ values: [String: Output], fallback: Output? = nil) -> Self {
        var words: [ExactValue<Output>: String] = [:]
        var outputs: [ByteText: Output] = [:]
        for (word, value) in values {
            outputs[ByteText(word)] = value
            if let known = words[ExactValue(value)], !UTF8Bytes.isLess(word, known) { continue }
            words[ExactValue(value)] = word
        }
        let expected = "one of " + values.keys.sorted(by: UTF8Bytes.isLess).map { "`\($0)`" }.joined(separator: ", ")
        let (wordOfValue, valueOfWord) = (words, outputs)
        return Self.text(
            expected,
            parse: { word in
                if let value = valueOfWord[ByteText(word)] { return value }
                if let fallback { return fallback }
                var issue = MappingIssue.unconvertible(expected, "another word", advice: "add it to the table or give a fallback")
                issue.isUnknownWord = true
                throw issue
            },
            format: { value in
                guard let word = wordOfValue[ExactValue(value)] else {
                    throw MappingIssue.unconvertible("a value of the table", "another value")
                }
                return word
            })
    }
}

extension Conversion where Input == JSON, Output: RawRepresentable & Sendable, Output.RawValue: JSONConvertible {
    /// A value by its raw value. A raw value that no case has is `invalidValue`, unless there is a fallback.
    public static func rawValue(_ type: Output.Type = Output.self, fallback: Output? = nil) -> Self {
        let raw = Output.RawValue.conversion
        return Self(
            decoding: { json, context in
                guard let rawValue = try raw.decode(json, context) else { return nil }
                if let value = Output(rawValue: rawValue), haveEqualText(value.rawValue, rawValue) { return value }
                if let fallback { return fallback }
                throw MappingIssue(
                    .invalidValue, expected: "a raw value of \(Output.self)", found: "another one",
                    advice: "add a case or give a fallback")
            },
            encoding: { try raw.encoding($0.rawValue, $1) })
    }
}

extension JSONConvertible where Self: RawRepresentable & Sendable, RawValue: JSONConvertible {
    /// By raw value.
    public static var conversion: Conversion<JSON, Self> { .rawValue() }
}

/// Whether two raw values that a type takes for one have the same bytes: `==` of Swift merges composed and decomposed é.
private func haveEqualText<Value>(_ a: Value, _ b: Value) -> Bool {
    guard let a = a as? String, let b = b as? String else { return true }
    return UTF8Bytes.areEqual(a, b)
}
