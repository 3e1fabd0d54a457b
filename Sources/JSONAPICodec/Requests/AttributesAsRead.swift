import JSONText

/// The attributes of a value as they were read, as far as properties of type `RemainingMembers` have them.
///
/// They stay as they were read when the value is edited. To find the parts that the model does not have, they are compared with what the
/// model writes after it has read them, and not with the edited value.
struct AttributesAsRead: Sendable {
    let members: JSONObject
    /// Returns what the model writes of these attributes; nil if it cannot read them.
    let written: @Sendable () -> JSONObject?

    static let none = AttributesAsRead(members: JSONObject(), written: { nil })

    private init(members: JSONObject, written: @escaping @Sendable () -> JSONObject?) {
        self.members = members
        self.written = written
    }

    /// Creates the attributes of a resource.
    init<Model: ResourceRepresentable>(
        _ members: JSONObject, of type: Model.Type, _ identifier: ResourceIdentifier, _ encoder: JSONAPIEncoder
    ) {
        self.init(members: members) {
            guard var decoder = encoder.mirror else { return nil }
            // The document may have been read with any of them.
            decoder.leniencies = .all
            var object = ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.lid)
            object.attributes = members
            let document: JSON = ["data": .object(object.members)]
            guard let text = try? JSONWriter().write(document) else { return nil }
            guard let model = try? CodingMatch.read(Model.self, text, decoder, isComplete: true) else { return nil }
            let state = try? PatchDifference.state(of: model, encoder).get()
            return state.flatMap { try? JSON(parsing: $0.text) }?["attributes"]?.object
        }
    }
}
