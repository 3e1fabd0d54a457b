import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Gives a resource that has only a lid the id that the server has chosen: the resource itself, and all linkage in the store that names
    /// its lid. Returns how many other resources were changed.
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
    /// If the store has a resource of that id already, it is merged over the local one, field by field.
    ///
    /// Throws `StoreError` when `local` has no lid, or the store does not have it.
    ///
    /// - Complexity: O(text of all resources).
    @discardableResult
    public func promote(_ local: ResourceIdentifier, to id: String) throws -> Int { try transaction { try $0.promote(local, to: id) } }
}

extension StoreTransaction {
    /// Gives a resource that has only a lid the id that the server has chosen. See `ResourceStore.promote(_:to:)`.
    @discardableResult
    public func promote(_ local: ResourceIdentifier, to id: String) throws -> Int {
        try checkOpen()
        guard local.id == nil, let lid = local.lid, let identity = StoredIdentity(local) else {
            throw StoreError(.missingIdentity, local, expected: "a resource with a lid and no id", found: "one with an id, or without both")
        }
        return try pending.atomically {
            guard let object = try pending.text(identity).flatMap(StoredText.object) else {
                throw store.unresolved(local, ResourceObject.self)
            }
            let promotion = Promotion(type: local.type, lid: lid, id: id)
            try promotion.move(object, from: identity, pending)
            return try promotion.rewriteLinkage(pending)
        }
    }
}

/// A lid that becomes an id.
private struct Promotion {
    let type: String
    let lid: String
    let id: String

    func move(_ object: ResourceObject, from identity: StoredIdentity, _ pending: PendingChanges) throws {
        guard let target = StoredIdentity(ResourceIdentifier(type: type, id: id)) else { return }
        var promoted = ResourceObject(members: renamed(object.members))
        if let known = try pending.text(target).flatMap(StoredText.object) { promoted = ResourceMerge.merged(promoted, with: known) }
        pending.set(identity, .remove)
        pending.set(target, .put(try StoredText.text(promoted)))
    }

    /// Answers how many resources were changed.
    func rewriteLinkage(_ pending: PendingChanges) throws -> Int {
        let mark = Array(#""lid":"#.utf8)
        var count = 0
        for identity in try pending.identities() {
            guard let text = try pending.text(identity), text.firstRange(of: mark) != nil, var object = StoredText.object(text),
                let relationships = object.members["relationships"]?.object
            else { continue }
            let rewritten = self.rewritten(relationships)
            guard rewritten != relationships else { continue }
            object.members["relationships"] = .object(rewritten)
            pending.set(identity, .put(try StoredText.text(object)))
            count += 1
        }
        return count
    }

    private func rewritten(_ relationships: JSONObject) -> JSONObject {
        var result = relationships
        for member in relationships {
            guard var relationship = member.value.object else { continue }
            switch relationship["data"] {
            case .object(let identifier)?: relationship["data"] = .object(rewrittenIdentifier(identifier))
            case .array(let identifiers)?:
                let rewritten = identifiers.map { $0.object.map { .object(rewrittenIdentifier($0)) } ?? $0 }
                relationship["data"] = .array(JSONArray(rewritten))
            default: continue
            }
            result[member.name] = .object(relationship)
        }
        return result
    }

    private func rewrittenIdentifier(_ members: JSONObject) -> JSONObject {
        guard members["id"] == nil, let type = members["type"]?.string, let lid = members["lid"]?.string,
            UTF8Bytes.areEqual(type, self.type), UTF8Bytes.areEqual(lid, self.lid)
        else { return members }
        return renamed(members)
    }

    /// The members with the id in the place of the lid.
    private func renamed(_ members: JSONObject) -> JSONObject {
        var result = JSONObject()
        for member in members where member.name != "id" {
            if member.name == "lid" {
                result.append(name: "id", value: .string(id))
            } else {
                result.append(name: member.name, value: member.value)
            }
        }
        return result
    }
}
