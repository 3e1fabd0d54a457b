import JSONText

extension RelationshipDetails {
    /// The member with the given name.
    subscript(name: String) -> JSON? { members[name] }

    /// Creates a copy of `details` with another value for one member; nil when no member is left.
    convenience init?(_ details: RelationshipDetails?, _ name: String, _ value: JSON?) {
        var members = details?.members ?? JSONObject()
        members[name] = value
        if members.isEmpty { return nil }
        self.init(members)
    }

    /// The details of a relationship that is not a page; nil when no member is left.
    var withoutPages: RelationshipDetails? {
        let whole = RelationshipObject(members: members).withoutPages.members
        return whole.isEmpty ? nil : RelationshipDetails(whole)
    }
}

extension RelationshipObject {
    /// Creates an object of linkage and the other members.
    init(_ data: Linkage, _ details: RelationshipDetails?) {
        var members = JSONObject()
        members["data"] = data.json
        for member in details?.members ?? JSONObject() { members.append(name: member.name, value: member.value) }
        self.init(members: members)
    }

    /// Writes the object of a reference, where `encode(to:)` of the model has placed it. For the comparison of two values, a page and a
    /// relationship that is not loaded are marked, because neither of them is a change, and so is an array that a patch refuses.
    func write(to encoder: any Encoder, isPage: Bool = false, isAssigned: Bool = false) throws {
        var object = self
        let session = (encoder as? ValueEncoder)?.session
        if isAssigned, session?.marksAssigned == true { object.members["@page"] = PatchGround.assignedMark }
        if session?.absentFields == .compared {
            if isPage { object.members = ["@page": members["data"] ?? .null] }
            if !members.contains(name: "data") { object.members = ["@unloaded": nil] }
        }
        try object.encode(to: encoder)
    }
}
