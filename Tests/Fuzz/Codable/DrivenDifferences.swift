import Foundation

/// Where this library differs from `JSONDecoder` on purpose, or where `JSONDecoder` does not do what is documented. Nothing else may differ.
///
/// Beside what stands here: of a name that stands twice the last member counts, so that `JSONDecoder` is shown texts without the others
/// (it takes the first); members of a dictionary come in any order, so that of several faults in one another may be the first.
enum DrivenDifferences {
    /// Without a member `super`, `JSONDecoder` hands out a decoder of null. Here a superclass shares the members of its subclass's
    /// object, and a member asked for by name that is not there is an error, as the standard library documents.
    static func asksForSuper(_ container: KeyedDecodingContainer<DrivenKey>, _ key: DrivenKey = DrivenKey("super")) -> Bool {
        container.contains(key)
    }

    /// The identity of a resource is read by its own rules: as any `ResourceID`.
    static let identity = ["id", "type"]

    /// A number that the type cannot hold is reported by `JSONDecoder` with an error of its own, which becomes `dataCorrupted` without
    /// a path where it leaves the decoder; inside, it can be seen.
    static func isUnfitNumber(_ error: any Error) -> Bool { "\(type(of: error))" == "JSONError" }

    /// `JSONDecoder` counts on when an optional element is read at the end.
    static func index(_ container: any UnkeyedDecodingContainer) -> Int { min(container.currentIndex, container.count ?? 0) }

    /// So the position at which an element is missing says nothing.
    ///
    /// Nor does the path of a text that is no date: `JSONDecoder` leaves the key out.
    static func path(of event: DrivenTrace.Event) -> [DrivenTrace.Position]? {
        if event.probe.contains("Date"), event.outcome.hasPrefix("dataCorrupted") { return nil }
        let isNull = event.outcome.hasPrefix("valueNotFound") || event.outcome.hasPrefix("typeMismatch Bool")
        guard isNull, event.path?.last?.isIndex == true else { return event.path }
        return event.path?.dropLast()
    }

    /// `JSONDecoder` does not know the texts for infinities and NaN where they are written with escapes.
    static func readsEscapes(_ strategy: Int) -> Bool { strategy != 3 }

    /// At the end of an array the type that is named for a container that is not there says nothing.
    static func namesType(_ kind: DrivenProgram.Kind, _ outcome: String) -> Bool {
        ![.nextKeyed, .nextUnkeyed, .nextSuper, .nextNil].contains(kind) || outcome.hasPrefix("typeMismatch")
    }

    /// Null is no value of any type, which the standard library documents as `valueNotFound`; `JSONDecoder` has it as a mismatch for some.
    static func isNullMismatch(_ expected: Substring, _ found: Substring) -> Bool {
        expected == "typeMismatch Bool" && found == "valueNotFound Bool" || expected == "typeMismatch" && found == "valueNotFound"
    }

    /// A type that is missing or null is named as the model asked for it; `JSONDecoder` names what the type is made of, and the container
    /// where an array has ended.
    static func isNamedOtherwise(_ expected: Substring, _ found: Substring) -> Bool {
        let names = [
            ("String", "UUID"), ("UnkeyedDecodingContainer", "Array<Any>"),
            ("KeyedDecodingContainer<DrivenKey>", "Dictionary<String, Any>"),
        ]
        return names.contains { expected == "valueNotFound \($0.0)" && found == "valueNotFound \($0.1)" }
    }

    /// A whole number is read as an integer in any notation; where it is not whole, or a Double does not hold it exactly, `JSONDecoder`
    /// rounds first and may read an integer that the text is not; 1e-400 it reads as 0.
    static func isRounded(_ number: String) -> Bool {
        guard number.contains(where: { ".eE".contains($0) }), let value = Double(number), value == value.rounded() else { return false }
        let digits = number.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        return digits.count > 15 && abs(value) < 1e39 || abs(value) > 9007199254740992 && abs(value) < 1e39
    }
}
