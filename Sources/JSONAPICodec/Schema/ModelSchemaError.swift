import JSONText

/// The error for a model that cannot be described by a schema, because no resource was found that it accepts.
///
/// ```
/// no schema for Article: no value was found that its property `mood` of type Mood accepts; make Mood CaseIterable, or …
/// ```
public struct ModelSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the model.
    public let model: String
    /// The place in the resource object for which no value was found; nil when the model's `init(from:)` asked for nothing.
    public let pointer: JSONPointer?
    /// The type of the value at that place; nil when the model asked for a container.
    public let type: String?

    init(_ model: any Resource.Type, _ request: DecodingRecord.Request?) {
        self.model = "\(model)"
        pointer = request.map { JSONPointer(tokens: $0.path) }
        if case .value(let type)? = request?.kind { self.type = "\(type)" } else { type = nil }
    }

    /// What is missing, and how to add it.
    public var description: String {
        let place = pointer.map { "`\($0)`" + (type.map { ", a \($0)," } ?? "") }
        let value = place.map { "no value was found that it accepts at \($0)" } ?? "its init(from:) accepts no resource"
        return "there is no schema for \(model): \(value); make the property optional, make an enum CaseIterable, "
            + "or let init(from:) accept any value of the property's type"
    }
}
