import JSONText

extension RelationshipDetails {
    /// The member of that name.
    subscript(name: String) -> JSON? { members[name] }

    /// Those of `details` with another value of one member; nil when nothing is left.
    convenience init?(_ details: RelationshipDetails?, _ name: String, _ value: JSON?) {
        var members = details?.members ?? JSONObject()
        members[name] = value
        if members.isEmpty { return nil }
        self.init(members)
    }
}
