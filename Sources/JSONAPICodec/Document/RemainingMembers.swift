import JSONText

/// The members of an attribute that the model's other properties do not name: kept as they were read, and written beside them.
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
/// A server replaces an attribute as a whole, so a patch that knows `city` alone would delete `zip`. What another property writes
/// counts, whatever `members` holds at its place. An attribute that is absent or null has no members.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public struct RemainingMembers: Codable, Sendable, Hashable {
    /// The object as it was read, members that other properties name included.
    public let members: JSONObject

    /// These members; none by default.
    public init(_ members: JSONObject = JSONObject()) { self.members = members }
    /// Reads the object with any decoder.
    public init(from decoder: any Decoder) throws { members = try JSONObject(from: decoder) }
    /// Writes the members with any encoder.
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }
}
