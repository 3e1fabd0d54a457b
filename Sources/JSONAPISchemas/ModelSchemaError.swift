import JSONAPICodec
import JSONText

/// The error for a model that cannot be described by a schema, because no resource was found that it accepts.
///
/// ```
/// there is no schema for Article: no value was found that it accepts at `/attributes/mood` (Mood); make the property optional, …
/// ```
public struct ModelSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model.
    public let model: String
    /// The place in the resource object for which no value was found; nil when the model's `init(from:)` asked for nothing.
    public let pointer: JSONPointer?
    /// The type of the value at that place; nil when the model asked for a container.
    public let type: String?

    /// Whether the place is one too many, or too deep.
    private let exceedsLimit: Bool

    init(_ model: any Resource.Type, _ request: DecodingRecord.Request?, exceedsLimit: Bool) {
        self.model = "\(model)"
        self.exceedsLimit = exceedsLimit
        pointer = request.map { JSONPointer(tokens: $0.path) }
        if case .value(let type)? = request?.kind { self.type = "\(type)" } else { type = nil }
    }

    /// What is missing, and how to add it.
    public var description: String {
        if exceedsLimit {
            return "there is no schema for \(model): its init(from:) requires more than \(SchemaSamples.maximumPlaces) values, or values "
                + "nested more than \(SchemaSamples.maximumDepth) levels deep; pass an example to ModelSchema(of:example:)"
        }
        let place = pointer.map { " at `\($0)`" + (type.map { " (\($0))" } ?? "") }
        let reason = place.map { "no value was found that it accepts" + $0 } ?? "its init(from:) accepts no resource"
        return "there is no schema for \(model): \(reason); make the property optional, make an enum CaseIterable, "
            + "or pass an example to ModelSchema(of:example:)"
    }
}
