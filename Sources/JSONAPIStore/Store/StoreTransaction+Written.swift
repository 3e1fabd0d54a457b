import JSONAPIArchive
import JSONAPICodec
import JSONText

// What the program writes. It can have the changes of waiting requests, which must stay changes.

extension StoreTransaction {
    /// Returns a document as it was read. One that the program made is written by the store's encoder, without the resources that
    /// references find in this store, and without included ones that are as the store shows them.
    func object<Primary: PrimaryValue>(of document: Document<Primary>, merging policy: MergePolicy = .fields) throws -> DocumentObject {
        var known: [StoredIdentity: AttributeParts] = [:]
        var object = try document.object(
            writtenBy: store.encoder.forArchives,
            noteParts: { identifier, written in
                // Of several values with one identity, the first is in the document.
                if let identity = StoredIdentity(identifier), known[identity] == nil { known[identity] = written }
            },
            leavingOut: { [core = store.core] source, identifier in
                source.owner === core && identifier.flatMap(StoredIdentity.init).map { self.isThere(self.pending.current($0)) } ?? true
            })
        guard !document.isRead else { return object }
        let model =
            (Primary.self as? any ArrayType.Type)?.elementType ?? (Primary.self as? any OptionalType.Type)?.wrappedType ?? Primary.self
        func written(_ resource: ResourceObject) throws -> ResourceObject {
            let current = pending.replacement(model).resource(resource)
            if model == ResourceObject.self { return current }
            let parts = resource.identifier.flatMap(StoredIdentity.init).flatMap { known[$0] } ?? AttributeParts()
            let rest = try withoutShown(current, policy, parts)
            guard !parts.isEmpty, !policy.isReplacing, let identity = current.identifier.flatMap(StoredIdentity.init),
                let stored = try belowRequests(identity)
            else { return rest }
            return parts.completed(rest, from: stored)
        }
        if KeptDocument.isLinkage(Primary.self) {
            object.members["data"] = object.members["data"].map { pending.replacement().linkage($0) }
        } else {
            switch object.data {
            case .one(let resource): object.data = .one(try written(resource))
            case .many(let resources): object.data = .many(try resources.map(written))
            case .absent, .null: break
            }
        }
        if let included = object.included {
            let changed = included.filter { resource in
                guard let identity = resource.identifier.flatMap(named) else { return true }
                return (try? pending.object(identity)) != ResourceObject(resource, as: identity.identifier)
            }
            object.included = try changed.map(written)
        }
        return object
    }

    /// Returns a resource of the program without the fields that are as the store shows them, if requests wait for it. Of a new resource,
    /// this notes what its creation has written as what the server has.
    ///
    /// - Parameter parts: the attributes and the meta of which the resource has only some members.
    func withoutShown(
        _ object: ResourceObject, _ policy: MergePolicy, _ parts: AttributeParts = AttributeParts()
    ) throws -> ResourceObject {
        guard case .fields = policy, pending.mayHaveRequests, let identity = object.identifier.flatMap(StoredIdentity.init),
            let first = pending.firstRequest(about: identity), let shown = try pending.object(identity)
        else { return object }
        let whole = parts.isEmpty ? object : parts.completed(object, from: shown)
        let equal = ResourceMerge.equalFields(of: whole, in: shown).map { (place: $0, value: nil as JSON?) }
        var edited = EditedResource(object)
        edited.apply(ResourceEdit(identifier: identity.identifier, values: equal))
        let rest = edited.object ?? object
        // What the server has of a new resource must be readable after a rollback of the creation, so what was created belongs to it.
        if first.createsNewResource, case .nothing = first.undo, !identity.isLocal, !rest.isIdentifier,
            let created = try belowRequests(identity)
        {
            var creation = first
            creation.undo = .arrived(created)
            try put(creation)
        }
        return rest
    }
}
