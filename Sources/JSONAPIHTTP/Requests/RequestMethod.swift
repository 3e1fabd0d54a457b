/// The method of a request.
///
/// Other methods can be created by name, such as `RequestMethod("QUERY")`.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-methods>
public struct RequestMethod: Sendable, Hashable, CustomStringConvertible {
    /// The method as it is sent. Methods are case-sensitive.
    public let rawValue: String

    /// Creates the method with the given name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Reads resources or relationships.
    public static let get = RequestMethod("GET")
    /// Creates a resource, adds to a relationship, or sends atomic operations.
    public static let post = RequestMethod("POST")
    /// Changes a resource or replaces a relationship.
    public static let patch = RequestMethod("PATCH")
    /// Deletes a resource, or removes from a relationship.
    public static let delete = RequestMethod("DELETE")

    /// The method as it is sent.
    public var description: String { rawValue }
}
