import JSONText

/// The members of an attribute, or of all attributes, that no other property of the model names. They are kept as they were read, and
/// written with the others.
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
/// A patch needs the members that were read: pass them on when you make a new value. To remove some, pass the others to `init(_:)`. A patch
/// to a value with an empty `RemainingMembers()` throws if it would delete members that the model does not name.
///
/// In a hand-written `encode(to:)`, write the properties with the container of the resource: what a nested container leaves out is not known
/// to be nil. A member that `init(from:)` reads counts as named, even if `encode(to:)` does not write it.
///
/// With the key `attributes`, a property has the members of all attributes. Attributes that the model does not name are then written again,
/// and a patch of a nested value sends the members that its type does not name:
///
/// ```swift
/// struct Spot: Resource {
///     static let type = "spots"
///     var id: String
///     var geo: Geo                    // lat and lon
///     var rest: RemainingMembers
///     enum CodingKeys: String, CodingKey { case id, geo, rest = "attributes" }
/// }
/// // {"geo": {"lat": 1, "lon": 2, "alt": 3}}: a patch of `geo.lat` sends `lon` and `alt` as well
/// ```
///
/// Archives, stores, and a server that applies `Changes` keep `alt` as well. A document of the model has only what `Geo` names.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public struct RemainingMembers: Codable, Sendable, Hashable {
    /// The object as it was read, including the members that other properties name.
    public let members: JSONObject
    /// Whether there was an object, even if it was empty.
    var isObject: Bool { !members.isEmpty || wasEmptyObject }
    private var wasEmptyObject = false

    /// Creates a value with the given members; none by default.
    public init(_ members: JSONObject = JSONObject()) { self.members = members }

    /// Creates a value with the members of an object that was read.
    init(read members: JSONObject) {
        self.members = members
        wasEmptyObject = members.isEmpty
    }

    /// Reads the object with any decoder.
    public init(from decoder: any Decoder) throws { members = try JSONObject(from: decoder) }
    /// Writes the members with any encoder.
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

    /// Whether the members are equal.
    public static func == (a: Self, b: Self) -> Bool { a.members == b.members }
    /// Feeds the members to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
