/// A value of a query parameter: a string, a number, a boolean, an enumeration of strings, or a list of them.
///
/// ```swift
/// enum State: String, QueryValue { case open, closed }
/// var query = Query()
/// query.append("filter[state]", [State.open, .closed])        // filter[state]=open,closed
/// ```
///
/// The elements of a list are joined with commas. A comma inside an element therefore divides it.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public protocol QueryValue: Sendable {
    /// The text of the value in a query, before percent-encoding.
    var queryText: String { get }
}

extension String: QueryValue {
    /// The text itself.
    public var queryText: String { self }
}

extension Int: QueryValue {
    /// The number in decimal digits.
    public var queryText: String { description }
}

extension Double: QueryValue {
    /// The shortest decimal text of the number.
    public var queryText: String { description }
}

extension Bool: QueryValue {
    /// `true` or `false`.
    public var queryText: String { description }
}

extension Array: QueryValue where Element: QueryValue {
    /// The texts of the elements, joined with commas.
    public var queryText: String { map(\.queryText).joined(separator: ",") }
}

extension QueryValue where Self: RawRepresentable<String> {
    /// The raw value.
    public var queryText: String { rawValue }
}

extension Query {
    /// Appends a parameter with the given full name; nothing for nil. The elements of a list are joined with commas.
    ///
    /// A second list for `include`, `sort`, or `fields` of the same type is appended to the first.
    public mutating func append(_ name: String, _ value: (some QueryValue)?) {
        guard let value else { return }
        self = Query(parameters: parameters + [QueryParameter(name: name, value: value.queryText)])
    }

    /// Appends a parameter with the given name for each value: `id=1&id=2`. Appends nothing for nil.
    public mutating func append(_ name: String, each values: [some QueryValue]?) {
        guard let values else { return }
        self = Query(parameters: parameters + values.map { QueryParameter(name: name, value: $0.queryText) })
    }
}
