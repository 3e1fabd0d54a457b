/// A value that a query parameter may have: a text, a number, a boolean, an enumeration of texts, or a list of them.
///
/// ```swift
/// enum State: String, QueryValue { case open, closed }
/// var query = Query()
/// query.append("filter[state]", [State.open, .closed])        // filter[state]=open,closed
/// ```
///
/// The elements of a list are joined by commas, so a comma inside of one divides it.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public protocol QueryValue: Sendable {
    /// The value as it stands in a query, before it is percent-encoded.
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
    /// The texts of the elements, joined by commas.
    public var queryText: String { map(\.queryText).joined(separator: ",") }
}

extension QueryValue where Self: RawRepresentable<String> {
    /// The raw value.
    public var queryText: String { rawValue }
}

extension Query {
    /// Adds a parameter of that whole name; nothing for nil. The elements of a list are joined by commas.
    ///
    /// A second list of `include`, `sort` or `fields` of one type is added to the first.
    public mutating func append(_ name: String, _ value: (some QueryValue)?) {
        guard let value else { return }
        self = Query(parameters: parameters + [QueryParameter(name: name, value: value.queryText)])
    }

    /// Adds a parameter of that name for each value: `id=1&id=2`. Nothing for nil.
    public mutating func append(_ name: String, each values: [some QueryValue]?) {
        for value in values ?? [] { append(name, value) }
    }
}
