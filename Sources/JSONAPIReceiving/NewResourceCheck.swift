import JSONAPICodec
import JSONText

/// Checks the resources of a request that have become models: the one to be created, and new ones that the client has included.
struct NewResourceCheck {
    /// Writes the models, to learn their names.
    let encoder: JSONAPIEncoder
    let ignoresUnknownNames: Bool

    /// The identity of the resource to be created; nil if the client has given it none.
    let created: ResourceIdentifier?

    /// Throws `ErrorDocument` with status 422 for fields that the model does not have, and for linkage that it does not hold.
    func run(_ sent: SentResource, as model: some Resource) throws {
        let fields = try RequestRefusal.writable(sent) { try encoder.fields(of: model) }
        try check(sent, KnownFields([fields]), fields, model)
        if !ignoresUnknownNames { try KnownFields([fields]).check(sent) }
    }

    /// Does the same for a resource that the client has included, with the values as which it was read. A field is unknown if none of their
    /// models has it. Also throws 403 for fields that only the server writes. A raw resource object has all that the client sent.
    func run(_ sent: SentResource, related values: [JSONAPIDecoder.RelatedValue]) throws {
        var known: [ModelFields] = []
        for (type, value, cuts) in values {
            guard let model = (type as? any ResourceUnion.Type)?.model(of: sent.object.type) ?? type as? any Resource.Type else { continue }
            try RequestRefusal.check(sent, hasNone: FieldRestriction.whenCreating(model))
            try RefusedFields.checkRelationships(sent, of: model, encoder.schemas)
            // The names are not known if the value cannot be written on its own.
            guard let value = value.ownModel, let fields = try fields(of: value, sent) else { continue }
            try check(sent, KnownFields([fields]), fields, value, without: cuts)
            known.append(fields)
        }
        if !ignoresUnknownNames, known.count == values.count { try KnownFields(known).check(sent) }
    }

    private func check(
        _ sent: SentResource, _ names: KnownFields, _ fields: ModelFields, _ model: some Resource, without cuts: Set<ByteText> = []
    ) throws {
        try names.checkRestrictions(of: Swift.type(of: model))
        try names.checkAlternatives(sent, of: FieldRestriction.whenCreating(Swift.type(of: model)))
        try names.checkNames(sent, in: fields.object, encoder)
        try names.checkLinkage(sent, in: fields.object, without: cuts, encoder)
    }

    /// Returns the fields of the model of an included resource; nil if the model cannot be written, because it links back to the resource to be
    /// created, whose model has no lid.
    private func fields(of model: some Resource, _ sent: SentResource) throws -> ModelFields? {
        try RequestRefusal.writable(sent) {
            do {
                return try encoder.fields(of: model)
            } catch let error as EncodingError where isLinkBack(error.failure, sent) {
                return nil
            }
        }
    }

    private func isLinkBack(_ failure: EncodingFailure?, _ sent: SentResource) -> Bool {
        guard let created, let failure, failure.kind == .missingIdentity, failure.pointer.tokens.count > 2 else { return false }
        let linked = sent.object[relationship: failure.pointer.tokens[2]]?.data.identifiers ?? []
        return linked.contains { $0.isSameResource(as: created) }
    }
}

extension ResourceRepresentable {
    /// The value as a model; for a union, the one inside. Nil for a raw resource object.
    fileprivate var ownModel: (any Resource)? { (self as? any ResourceUnion)?.resource.ownModel ?? self as? any Resource }
}
