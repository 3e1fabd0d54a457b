import JSONText

// Classes with the macro `@Observable`. Without coding keys of their own, their properties have names such as `_title`, and the macro adds a
// property that `Codable` code writes.

enum ObservableForm {
    static let advice = "give the @Observable class coding keys such as `case _title = \"title\"`, without one for the registrar"
}

/// Refuses the property that the macro adds.
final class RegistrarWriter<Value>: PropertyWriter<Value> {
    static var isNeeded: Bool { String(reflecting: Value.self) == "Observation.ObservationRegistrar" }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        throw session.failure(
            .illegalName, in: sink, expected: "names for a document", found: "a private property of an @Observable class",
            advice: ObservableForm.advice)
    }
}

extension DecodingContainerMaker {
    /// Throws for an object with a member `title` in place of a key `_title`.
    func checkNames(of word: Int, _ session: DecodingSession) throws(DecodingFailure) {
        for name in session.view.isObject(word) ? session.view.names(of: word) : [] {
            let key = session.options.keyStrategy.keyName(name) ?? name
            guard Key(stringValue: key) == nil, Key(stringValue: "_" + key) != nil else { continue }
            throw session.failure(
                .missingMember, at: word, expected: "the member `_\(key)`", found: "`\(name)`", advice: ObservableForm.advice)
        }
    }
}
