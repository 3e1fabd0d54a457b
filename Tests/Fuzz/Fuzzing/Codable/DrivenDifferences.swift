import Foundation

/// Intended differences from `JSONDecoder`, and cases in which `JSONDecoder` does not follow its documentation. There must be no other
/// difference.
///
/// Two more differences are handled elsewhere. The last member of a repeated name counts here, and the first one in `JSONDecoder`, so
/// `JSONDecoder` gets texts without the others. The members of a dictionary have no order, so any of several faults can be the first.
enum DrivenDifferences {
    /// Without a member `super`, `JSONDecoder` returns a decoder of null. Here, a superclass shares the members of its subclass's object. A
    /// missing member that is requested by name is an error, as the standard library documents.
    static func asksForSuper(_ container: KeyedDecodingContainer<DrivenKey>, _ key: DrivenKey = DrivenKey("super")) -> Bool {
        container.contains(key)
    }

    /// The identity of a resource is decoded by its own rules, as any `ResourceID`.
    static let identity = ["id", "type"]

    /// For a number that the type cannot represent, `JSONDecoder` throws its own error inside a model. Outside, this error becomes
    /// `dataCorrupted` without a path.
    static func isUnfitNumber(_ error: any Error) -> Bool { "\(type(of: error))" == "JSONError" }

    /// `JSONDecoder` increments its index when an optional element is decoded at the end.
    static func index(_ container: any UnkeyedDecodingContainer) -> Int { min(container.currentIndex, container.count ?? 0) }

    /// The index of a missing element is therefore not compared. Neither is the path of a text that is not a date, because `JSONDecoder`
    /// omits the key.
    static func path(of event: DrivenTrace.Event) -> [DrivenTrace.Position]? {
        if event.probe.contains("Date"), event.outcome.hasPrefix("dataCorrupted") { return nil }
        let isNull = event.outcome.hasPrefix("valueNotFound") || event.outcome.hasPrefix("typeMismatch Bool")
        guard isNull, event.path?.last?.isIndex == true else { return event.path }
        return event.path?.dropLast()
    }

    /// `JSONDecoder` does not recognize the texts for infinity and NaN if they are written with escapes.
    static func readsEscapes(_ strategy: Int) -> Bool { strategy != 3 }

    /// At the end of an array, the type in the error for a missing container is not compared.
    static func namesType(_ kind: DrivenProgram.Kind, _ outcome: String) -> Bool {
        ![.nextKeyed, .nextUnkeyed, .nextSuper, .nextNil].contains(kind) || outcome.hasPrefix("typeMismatch")
    }

    /// Null is `valueNotFound` for every type, as the standard library documents. For some types, `JSONDecoder` throws a mismatch.
    static func isNullMismatch(_ expected: Substring, _ found: Substring) -> Bool {
        expected == "typeMismatch Bool" && found == "valueNotFound Bool" || expected == "typeMismatch" && found == "valueNotFound"
    }

    /// For a missing or null value, the error here names the requested type. `JSONDecoder` names its raw type, and the container at the end
    /// of an array.
    static func isNamedOtherwise(_ expected: Substring, _ found: Substring) -> Bool {
        let names = [
            ("String", "UUID"), ("UnkeyedDecodingContainer", "Array<Any>"),
            ("KeyedDecodingContainer<DrivenKey>", "Dictionary<String, Any>"),
        ]
        return names.contains { expected == "valueNotFound \($0.0)" && found == "valueNotFound \($0.1)" }
    }

    /// Here, a whole number is decoded as an integer in any notation. `JSONDecoder` first rounds a number that is not whole, or that a
    /// Double cannot represent exactly. It can return an integer that differs from the text, and returns 0 for 1e-400.
    static func isRounded(_ number: String) -> Bool {
        guard number.contains(where: { ".eE".contains($0) }), let value = Double(number), value == value.rounded() else { return false }
        let digits = number.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        return digits.count > 15 && abs(value) < 1e39 || abs(value) > 9007199254740992 && abs(value) < 1e39
    }
}
