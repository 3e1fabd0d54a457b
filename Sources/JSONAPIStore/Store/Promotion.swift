import JSONAPIArchive
import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Replaces the lid of a resource with the id that the server has chosen. Changes the resource and all linkage in the store that
    /// contains the lid. Returns how many other resources were changed.
    ///
    /// ```swift
    /// try store.ingest(Article(id: nil, localID: "a1", …))              // shown before the server knows of it
    /// let answer = try decoder.decode(Document<Article>.self, from: try await send(create))
    /// try store.transaction { transaction in
    ///     try transaction.promote(ResourceIdentifier(type: "articles", lid: "a1"), to: answer.data.id)
    ///     try transaction.ingest(answer)
    /// }
    /// ```
    ///
    /// From then on, the lid stands for the id in everything that the program passes to the store. Give another new resource another lid.
    /// The store remembers each lid as long as it exists.
    ///
    /// If the store already has a resource with that id, that resource takes precedence, and the two are merged field by field. The changes
    /// of waiting requests stay on top.
    ///
    /// If the creation of the resource waits in a `RequestQueue`, it stays there, and would be sent with the id. Call `finish` of the queue
    /// instead.
    ///
    /// Throws `StoreError` if `local` has no lid, or if the store does not have it.
    ///
    /// - Complexity: O(n log n), n = bytes of the resources that link to this one, and of the requests about it or about those, plus O(m),
    ///   m = bytes of the resources that were stored or saved since the last promotion, or changed by the transaction. The first promotion
    ///   after a file was opened or compacted reads the whole file.
    @discardableResult
    public func promote(_ local: ResourceIdentifier, to id: String) throws -> Int { try transaction { try $0.promote(local, to: id) } }
}

extension StoreTransaction {
    /// Replaces the lid of a resource with the id that the server has chosen. See `ResourceStore.promote(_:to:)`. Throws as that function
    /// does.
    @discardableResult
    public func promote(_ local: ResourceIdentifier, to id: String) throws -> Int {
        try checkOpen()
        guard local.id == nil, let identity = StoredIdentity(local) else {
            throw StoreError(.missingIdentity, local, expected: "a resource with a lid and no id", found: "one with an id, or without both")
        }
        return try pending.atomically {
            guard let object = try pending.object(identity) else {
                throw store.unresolved(local, ResourceObject.self)
            }
            let promotion = Promotion(local: identity, id: id)
            pending.noteMove(of: identity, to: promotion.target)
            let localEdits = try promotion.move(object, pending)
            let count = try promotion.rewriteEverything(pending)
            if let localEdits { try RequestLayers.make(on: promotion.target, pending, localEdits) }
            return count
        }
    }

    /// Replaces a lid with an id, even if the store does not have the resource. In that case, only linkage and requests change.
    func promoteIfPresent(_ local: ResourceIdentifier, to id: String) throws {
        guard let identity = StoredIdentity(local), identity.isLocal else { return }
        if try pending.text(identity) == nil {
            let promotion = Promotion(local: identity, id: id)
            pending.noteMove(of: identity, to: promotion.target)
            _ = try promotion.rewriteEverything(pending)
        } else {
            try promote(local, to: id)
        }
    }
}

extension StoreTransaction {
    /// Gives a resource another spelling of its UUID, also in the waiting requests about it, in the relationships that waiting requests
    /// change, and in the kept documents. All other linkage keeps its spelling, as the models write it.
    func respell(_ identity: StoredIdentity, as spelling: StoredIdentity) throws {
        let promotion = Promotion(local: identity, id: spelling.name)
        let known = try pending.object(spelling)
        pending.noteMove(of: identity, to: spelling)
        var localEdits: [RequestKey: ResourceEdit]? = known == nil ? nil : [:]
        if let object = try pending.object(identity) { localEdits = try promotion.move(object, pending) }
        for request in pending.requests(about: identity) { try put(request.respelled(as: spelling.identifier)) }
        try promotion.rewriteRelationships(pending)
        try promotion.rewriteDocuments(pending)
        if let localEdits { try RequestLayers.make(on: spelling, pending, localEdits) }
    }
}

extension QueuedRequest {
    fileprivate func respelled(as identifier: ResourceIdentifier) -> QueuedRequest {
        var result = self
        result.target = identifier
        if relationship == nil, let resource = document?.data.resources.first {
            result.document?.data = .one(ResourceObject(resource, as: identifier))
        }
        result.unsent = unsent.map { ResourceObject($0, as: identifier) }
        switch undo {
        case .nothing, .linkage: break
        case .resource(let object): result.undo = .resource(ResourceObject(object, as: identifier))
        case .arrived(let object): result.undo = .arrived(ResourceObject(object, as: identifier))
        case .edit(let edit): result.undo = .edit(ResourceEdit(identifier: identifier, values: edit.values))
        }
        return result
    }
}

/// The replacement of a lid by an id, or of an id by another spelling.
private struct Promotion {
    let local: StoredIdentity
    let id: String

    /// The identity with the id.
    var target: StoredIdentity { StoredIdentity(type: local.type, name: id, isLocal: false) }

    private var replacement: IdentityReplacement {
        let target = target
        return IdentityReplacement(replacesIDs: !local.isLocal) { [local] in $0 == local ? target : $0 }
    }

    /// Moves a resource to the id. If the store already has a resource with that id, visible or below waiting requests, the two are merged
    /// without the changes of these requests. The caller then makes these changes again. In that case, returns what the program has changed
    /// on top of each of these requests; otherwise nil.
    func move(_ object: ResourceObject, _ pending: PendingChanges) throws -> [RequestKey: ResourceEdit]? {
        let known = try pending.object(target)
        // Requests can also wait for a resource that one of them hides.
        let layers = try RequestLayers(target, pending)
        let isMerged = known != nil || layers != nil
        let own = try isMerged ? RequestLayers(local, pending) : nil
        var promoted = ResourceObject(own?.object ?? object, as: target.identifier)
        if let earlier = layers?.object ?? known {
            promoted = ResourceMerge.merged(promoted, with: earlier)
            // A rollback of the creation leaves what the store had under the id.
            if var creation = pending.firstRequest(about: local), creation.createsNewResource {
                creation.undo = .arrived(earlier)
                pending.setKept(.request(creation.key), .put(try KeptValue(creation)))
            }
        }
        pending.set(local, .remove)
        pending.set(target, .put(try StoredText.text(promoted)))
        guard isMerged else { return nil }
        let localEdits = (own?.localEdits ?? [:]).merging(layers?.localEdits ?? [:]) { $1 }
        return localEdits.mapValues { rewritten($0) }
    }

    /// Changes all linkage, the waiting requests and the kept documents. Returns how many other resources were changed.
    func rewriteEverything(_ pending: PendingChanges) throws -> Int {
        let mark = try mark
        let bases = try basesWithBothLinks(pending)
        try rewriteRequests(pending)
        try rewriteDocuments(pending)
        var count = 0
        for identity in try pending.identities(mentioning: local) {
            // A resource that is damaged in the file has no linkage to change.
            guard let text = try? pending.text(identity), text.span.contains(mark), let object = StoredText.object(text) else {
                continue
            }
            let rewritten = replacement.linkage(of: object)
            guard rewritten != object else { continue }
            pending.set(identity, .put(try StoredText.text(rewritten)))
            try forgetChecksums(of: identity, pending)
            if identity != target { count += 1 }
        }
        try makeAgain(on: bases, pending)
        return count
    }

    /// Returns the resources, without the changes of the requests about them, of which a relationship has both identities. One of them was
    /// added by a request, and the server has sent the other one.
    private func basesWithBothLinks(_ pending: PendingChanges) throws -> [StoredIdentity: RequestLayers] {
        var bases: [StoredIdentity: RequestLayers] = [:]
        let linking = Dictionary(grouping: pending.requests(mentioning: local).filter { $0.relationship != nil }, by: \.identity)
        for (identity, requests) in linking {
            guard let identity, identity != local, identity != target, let object = try? pending.object(identity) else { continue }
            let linked = Set(requests.compactMap(\.relationship)).flatMap { object[relationship: $0]?.data.identifiers ?? [] }
            guard linked.contains(where: { StoredIdentity($0) == target }) else { continue }
            bases[identity] = try RequestLayers(identity, pending)
        }
        return bases
    }

    /// Makes the changes of the requests about these resources again, because two links have become one. Undoing the addition must not remove
    /// the link that was there before.
    private func makeAgain(on bases: [StoredIdentity: RequestLayers], _ pending: PendingChanges) throws {
        for (identity, base) in bases {
            let relationships = Set(pending.requests(about: identity).compactMap(\.relationship))
            var layers = base
            layers.object = base.object.map { object in
                relationships.reduce(replacement.linkage(of: object)) { replaced(in: $1, of: $0) }
            }
            layers.rewrite { rewritten($0) }
            try layers.finish()
        }
    }

    /// A byte sequence that every text with the identity contains.
    private var mark: [UInt8] {
        get throws { try Array((local.isLocal ? #""lid":"# : #""id":"#).utf8) + JSONWriter().write(.string(local.name)) }
    }

    /// Changes the requests that mention the lid, also in what undoes them.
    private func rewriteRequests(_ pending: PendingChanges) throws {
        var targets: Set<StoredIdentity> = []
        for key in pending.keptKeys(mentioning: local) {
            guard let request = pending.kept(key)?.request else { continue }
            pending.setKept(key, .put(try KeptValue(rewritten(request))))
            if let identity = request.identity { targets.insert(identity) }
        }
        // Since one of these requests, the linkage of the resource may have contained the lid.
        for identity in targets { try forgetChecksums(of: identity, pending) }
    }

    /// Forgets the checksums of the requests about a resource whose linkage contains the identity, even if the requests themselves do not.
    private func forgetChecksums(of identity: StoredIdentity, _ pending: PendingChanges) throws {
        for request in pending.requests(about: identity) { try forgetChecksum(of: request, pending) }
    }

    /// Forgets the checksum of a request whose linkage may contain the identity, even if the request itself does not.
    private func forgetChecksum(of request: QueuedRequest, _ pending: PendingChanges) throws {
        guard case .linkage(var edit) = request.undo, edit.checksum != nil else { return }
        edit.checksum = nil
        var changed = request
        changed.undo = .linkage(edit)
        pending.setKept(.request(request.key), .put(try KeptValue(changed)))
    }

    /// Changes the requests that add the resource to a relationship, remove it or set it, and these relationships in the store.
    func rewriteRelationships(_ pending: PendingChanges) throws {
        let bases = try basesWithBothLinks(pending)
        let linking = pending.requests(mentioning: local).filter { $0.relationship != nil && $0.linked.contains(local) }
        for request in linking { pending.setKept(.request(request.key), .put(try KeptValue(rewritten(request)))) }
        for (target, requests) in Dictionary(grouping: linking, by: \.identity) {
            guard let target else { continue }
            for relationship in Set(requests.compactMap(\.relationship)) { try rewrite(relationship, of: target, pending) }
        }
        try makeAgain(on: bases, pending)
    }

    /// Changes the linkage of a relationship in the store.
    private func rewrite(_ relationship: String, of target: StoredIdentity, _ pending: PendingChanges) throws {
        for request in pending.requests(about: target) where request.relationship == relationship {
            try forgetChecksum(of: request, pending)
        }
        guard let object = try pending.object(target) else { return }
        let new = replaced(in: relationship, of: object)
        if new != object { pending.set(target, .put(try StoredText.text(new))) }
    }

    /// Returns a resource with the other identity in the linkage of a relationship.
    private func replaced(in relationship: String, of object: ResourceObject) -> ResourceObject {
        guard var members = object[relationship: relationship]?.members, let data = members["data"] else { return object }
        members["data"] = replacement.linkage(data)
        var result = object
        result[relationship: relationship] = RelationshipObject(members: members)
        return result
    }

    /// Changes the identity in all kept documents.
    func rewriteDocuments(_ pending: PendingChanges) throws {
        let mark = try mark
        for key in local.isLocal ? pending.keptKeys(mentioning: local) : pending.keptKeys {
            guard case .document = key, let text = pending.kept(key)?.text, text.span.contains(mark),
                var members = try JSON(parsing: text, options: .unlimited).object
            else { continue }
            members["data"] = members["data"].map { replacement.linkage($0) }
            pending.setKept(key, .put(KeptValue(try JSONWriter.unlimited.write(.object(members)))))
        }
    }

    /// Returns a request with the id in its target, its document and its undo information.
    private func rewritten(_ request: QueuedRequest) -> QueuedRequest {
        var result = request
        if let target = ResourceIdentifier(members: replacement.identifier(request.target.members)) { result.target = target }
        if var document = request.document {
            let data = document.members["data"]
            document.members["data"] =
                if request.relationship == nil, let members = data?.object {
                    .object(replacement.resource(ResourceObject(members: members)).members)
                } else {
                    data.map { replacement.linkage($0) }
                }
            result.document = document
        }
        result.unsent = request.unsent.map(replacement.resource)
        switch request.undo {
        case .nothing: break
        case .resource(let object):
            result.undo = .resource(replacement.resource(object))
        case .arrived(let object):
            result.undo = .arrived(replacement.resource(object))
        case .edit(let edit):
            result.undo = .edit(ResourceEdit(identifier: result.target, values: rewritten(edit).values))
        case .linkage(let edit):
            result.undo = .linkage(edit.mapped { ResourceIdentifier(members: replacement.identifier($0.members)) ?? $0 })
        }
        return result
    }

    private func rewritten(_ edit: ResourceEdit) -> ResourceEdit {
        let values = edit.values.map { place, value in (place: place, value: value.map { rewritten($0, at: place) }) }
        return ResourceEdit(identifier: edit.identifier, values: values)
    }

    private func rewritten(_ value: JSON, at place: JSONPointer) -> JSON {
        guard place.tokens.first == "relationships", place.tokens.count > 1 else { return value }
        if place.tokens.count == 2 { return replacement.relationship(value) }
        return place.tokens[2] == "data" ? replacement.linkage(value) : value
    }
}
