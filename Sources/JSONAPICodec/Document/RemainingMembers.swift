import JSONText

/// The members of an attribute that no other property of the model names. They are kept as they were read, and written with the others.
///
/// ```swift
/// struct Venue: Resource {
///     static let type = "venues"
///     var id: String
///     var city: String
///     var place: RemainingMembers
///     enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place" }
/// }
/// // {"place": {"city": "Oslo", "zip": "0150"}}: a patch of `city` sends `zip` as well
/// ```
///
/// A server replaces an attribute as a whole. A patch that contains only `city` would therefore delete `zip`. When another property writes
/// a member, its value replaces the one in `members`; when that property is nil, the member is left out. For this, a resource with remaining
/// members is encoded twice. An attribute that is absent or null has no members.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public struct RemainingMembers: Codable, Sendable, Hashable {
    /// The object as it was read, including the members that other properties name.
    public let members: JSONObject

    /// Creates a value with the given members; none by default.
    public init(_ members: JSONObject = JSONObject()) { self.members = members }
    /// Reads the object with any decoder.
    public init(from decoder: any Decoder) throws { members = try JSONObject(from: decoder) }
    /// Writes the members with any encoder.
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}
