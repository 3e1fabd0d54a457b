import JSONAPICodec
import JSONText

/// Checks the resources of a request that have become models: the one to be created, and new ones that the client has included.
struct NewResourceCheck {
    /// Writes the models, to learn their names.
    let encoder: JSONAPIEncoder
    let ignoresUnknownNames: Bool

    /// Throws `ErrorDocument` with status 422 for fields that the model does not have, and for linkage that it does not hold.
    func run(_ sent: SentResource, as model: some Resource) throws {
        let fields = try RequestRefusal.writable(sent) { try encoder.fields(of: model) }
        let known = KnownFields(fields)
        try known.checkRestrictions(of: Swift.type(of: model))
        if !ignoresUnknownNames { try known.check(sent) }
        try known.checkLinkage(sent, in: fields.object, encoder)
    }

    /// Does the same for a resource that was read as a value of the given type. Also throws 403 for fields that only the server writes. A raw
    /// resource object is not checked: it has what the client sent.
    ///
    /// - Parameter value: Nil if it cannot be read on its own. Its names are not known then.
    func run(_ sent: SentResource?, as type: Any.Type, _ value: (any ResourceRepresentable)?) throws {
        guard let sent, let model = (type as? any ResourceUnion.Type)?.model(of: sent.object.type) ?? type as? any Resource.Type else {
            return
        }
        try RequestRefusal.check(sent, hasNone: FieldRestriction.whenCreating(model))
        if let value = value?.ownModel { try run(sent, as: value) }
    }
}

extension ResourceRepresentable {
    /// The value as a model; for a union, the one inside. Nil for a raw resource object.
    fileprivate var ownModel: (any Resource)? { (self as? any ResourceUnion)?.resource.ownModel ?? self as? any Resource }
}
