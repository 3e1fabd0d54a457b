import JSONAPICodec
import JSONText

/// Checks the resources of a request that have become models: the one to be created, and new ones that the client has included.
struct NewResourceCheck {
    /// Writes the models, to learn their names.
    let encoder: JSONAPIEncoder
    let ignoresUnknownNames: Bool

    /// Throws `ErrorDocument` with status 422 for fields that none of the models has that were made from a resource, and for linkage that a
    /// model does not hold.
    func run(_ sent: SentResource, as models: [any Resource]) throws {
        try run(sent, models.map { model in try RequestRefusal.writable(sent) { try encoder.fields(of: model) } }, models)
    }

    /// Does the same for a resource that the client has included, with the values as which it was read. Also throws 403 for fields that only
    /// the server writes. A raw resource object is not checked: it has what the client sent. Neither is one of which a value cannot be read or
    /// written on its own, because its names are not known then.
    func run(_ sent: SentResource, related values: [JSONAPIDecoder.RelatedValue]) throws {
        for (type, _) in values {
            guard let model = (type as? any ResourceUnion.Type)?.model(of: sent.object.type) ?? type as? any Resource.Type else { return }
            try RequestRefusal.check(sent, hasNone: FieldRestriction.whenCreating(model))
        }
        let models = values.compactMap { $0.value?.ownModel }
        guard models.count == values.count else { return }
        do {
            let fields = try models.map { try encoder.fields(of: $0) }
            try run(sent, fields, models)
        } catch let error as EncodingError where error.failure?.kind == .missingIdentity {
            // It links to the resource to be created, whose model has no lid.
            return
        }
    }

    private func run(_ sent: SentResource, _ fields: [ModelFields], _ models: [any Resource]) throws {
        let known = zip(models, fields).map { (model: $0, fields: $1, names: KnownFields([$1])) }
        for (model, _, names) in known { try names.checkRestrictions(of: type(of: model)) }
        if !ignoresUnknownNames { try KnownFields(fields).check(sent) }
        for (_, fields, names) in known { try names.checkLinkage(sent, in: fields.object, encoder) }
    }
}

extension ResourceRepresentable {
    /// The value as a model; for a union, the one inside. Nil for a raw resource object.
    fileprivate var ownModel: (any Resource)? { (self as? any ResourceUnion)?.resource.ownModel ?? self as? any Resource }
}
