import JSONText

// Classes with the macro `@Observable`. Without coding keys of their own, their properties have names such as `_title`, and the macro adds a
// property that `Codable` code writes.

private let advice = "give the @Observable class coding keys such as `case _title = \"title\"`, without one for the registrar"

/// Refuses the property that the macro adds.
final class RegistrarWriter<Value>: PropertyWriter<Value> {
    static var isNeeded: Bool { String(reflecting: Value.self) == "Observation.ObservationRegistrar" }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        throw session.failure(
            .illegalName, in: sink, expected: "names for a document", found: "the property that @Observable adds", advice: advice)
    }
}

extension DecodingContainerMaker {
    /// Throws for a member `title` if there is a key `_title` instead of this key, and if the objects have no member for that key.
    func checkNames(of words: [Int], _ session: DecodingSession) throws(DecodingFailure) {
        let (view, strategy) = (session.view, session.options.keyStrategy)
        let members = words.filter { view.isObject($0) }.flatMap { word in view.names(of: word).map { (word, $0) } }
        for (word, name) in members {
            let key = strategy.keyName(name) ?? name
            guard Key(stringValue: key) == nil, Key(stringValue: "_" + key) != nil, case let member = strategy.memberName("_" + key),
                !members.contains(where: { UTF8Bytes.areEqual($0.1, member) })
            else { continue }
            throw session.failure(.missingMember, at: word, expected: "the member `\(member)`", found: "`\(name)`", advice: advice)
        }
    }
}
