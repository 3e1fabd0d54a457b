import JSONText

extension Conversion where Input == JSON, Output: Sendable {
    /// Text that two closures read and write. If `parse` returns nil, the issue is `conversionFailed`. A value that is not a string is a
    /// type mismatch. `expected` describes the text in error messages.
    public static func text(
        _ expected: String = "text in the expected form", parse: @escaping @Sendable (String) throws -> Output?,
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
    /// A word for each value, such as `.table(["foo": 1, "bar": 2])`. Words and values outside the table are `conversionFailed`.
    ///
    /// Words are compared by their bytes. `fallback` replaces unknown words. If several words stand for the same value, the word that sorts
    /// first by its bytes is written.
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
                var issue = MappingIssue.unconvertible(expected, "another word", advice: "add the word to the table, or pass a fallback")
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
    /// A value by its raw value. A raw value that matches no case is `invalidValue`, unless there is a fallback. A decomposed é matches no
    /// composed one, although both are equal in Swift. The initializer of the type can normalize raw values, for example to lowercase.
    public static func rawValue(_ type: Output.Type = Output.self, fallback: Output? = nil) -> Self {
        let raw = Output.RawValue.conversion
        return Self(
            decoding: { json, context in
                guard let rawValue = try raw.decode(json, context) else { return nil }
                if let value = Output(rawValue: rawValue), !differOnlyInBytes(value.rawValue, rawValue) { return value }
                if let fallback { return fallback }
                throw MappingIssue(
                    .invalidValue, expected: "a raw value of \(Output.self)", found: "another value",
                    advice: "add a case, or pass a fallback")
            },
            encoding: { try raw.encoding($0.rawValue, $1) })
    }
}

extension JSONConvertible where Self: RawRepresentable & Sendable, RawValue: JSONConvertible {
    /// A conversion to and from the raw value.
    public static var conversion: Conversion<JSON, Self> { .rawValue() }
}

/// Returns whether two raw values are equal texts with different bytes. Swift's `==` treats composed and decomposed é as equal.
private func differOnlyInBytes<Value>(_ a: Value, _ b: Value) -> Bool {
    guard let a = a as? String, let b = b as? String else { return false }
    return a == b && !UTF8Bytes.areEqual(a, b)
}
