/// The method of a request.
///
/// The set is open: `RequestMethod("QUERY")` is a method as well.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-methods>
public struct RequestMethod: Sendable, Hashable, CustomStringConvertible {
    /// The method as it is sent. Methods are case-sensitive.
    public let rawValue: String

    /// The method of that name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Reads resources or relationships.
    public static let get = RequestMethod("GET")
    /// Creates a resource, adds to a relationship, or runs operations.
    public static let post = RequestMethod("POST")
    /// Changes a resource or replaces a relationship.
    public static let patch = RequestMethod("PATCH")
    /// Deletes a resource, or removes from a relationship.
    public static let delete = RequestMethod("DELETE")

    /// The method as it is sent.
    public var description: String { rawValue }
}
