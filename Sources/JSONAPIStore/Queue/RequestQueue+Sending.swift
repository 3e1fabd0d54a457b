public import Foundation
public import JSONAPIArchive
public import JSONAPICodec
import JSONText

// The states of a request: waiting → sent → done or failed. A sent or failed request can wait again, or leave the queue.

extension RequestQueue {
    /// Returns the next request to send, and sets its state to `sent`. Returns nil if no request waits, or if all of them wait for others.
    ///
    /// You can call `next` again before the answer has arrived. It then returns a request that does not depend on the sent ones, if there
    /// is one.
    ///
    /// Throws `ArchiveError` if the new state cannot be saved, also in another open file of the store. The request still waits then, and must
    /// not be sent. Throws `StoreError` inside a transaction.
    ///
    /// If a rewriter of the store's encoder refuses the document, for example because the store has another encoder than when the request was
    /// queued, the request is not sent. It has failed then, with the rewriter's error, and `next` goes on with the others.
    ///
    /// - Complexity: O(n), n = number of requests before it.
    public func next() throws -> QueuedRequest? {
        guard !store.isInTransaction else {
            throw StoreError(
                .insideTransaction, expected: "no transaction", found: "one that goes on", advice: "send requests outside of transactions")
        }
        let (taken, hasRefused) = try store.transaction { transaction -> (QueuedRequest?, Bool) in
            var hasRefused = false
            while var request = RequestOrder.next(transaction.pending.requests) {
                var taken: QueuedRequest
                do { taken = try request.rewritten(by: store.encoder) } catch {
                    hasRefused = true
                    request.state = .failed
                    let reason = ErrorObject(title: "The document cannot be rewritten.", detail: "\(error)")
                    request.error = ErrorDocument(errors: [reason])
                    try transaction.put(request)
                    continue
                }
                request.state = .sent
                try transaction.put(request)
                taken.state = .sent
                return (taken, hasRefused)
            }
            return (nil, hasRefused)
        }
        guard let taken else {
            if hasRefused { try save() }
            return nil
        }
        do {
            try save()
            return taken
        } catch {
            try store.transaction { transaction in
                var request = try transaction.queued(taken)
                request.state = .waiting
                try transaction.put(request)
            }
            // The state `sent` can have been saved in the files before the one that could not be.
            for other in store.core.openFiles { try? other.save() }
            throw error
        }
    }

    /// Processes the server's answer: the status and the body of the HTTP response. Returns the request as it is in the queue now; nil if
    /// it is done.
    ///
    /// | status | what happens |
    /// | --- | --- |
    /// | 200 to 299, except 202 | calls `finish` with the document, if there is one; see below |
    /// | 202 | nothing, because the server has not finished. Call `finish` when it has |
    /// | 404, 410 for a deletion | the request is done, because the resource no longer exists |
    /// | all others | calls `fail` with the server's errors |
    ///
    /// Some statuses do not mean that the server refuses the change. After 401, 408 and 429, call `retry` as well, and send the request
    /// later. Do not pass 500 to 599 to this function, because the server may have carried out the request; see <doc:OfflineQueue>.
    ///
    /// There is no document if the status is 204 or 205, or if the body is whitespace, `null`, `{}`, or an object that has only `links` and
    /// `jsonapi`. If the body of a refusal is not a document of errors, the detail of the request's error says only the status, and the
    /// member `body` of the error's `meta` has the first 500 characters of the body.
    ///
    /// `entityTag` is the value of the answer's header `ETag`, whose name can have any case; see `finish`.
    ///
    /// Throws the same errors as `finish`, and `DecodingError` if the body is not a JSON:API document. The request stays in the state
    /// `sent` then.
    @discardableResult
    public func answer(_ request: QueuedRequest, status: Int, body: Data? = nil, entityTag: String? = nil) throws -> QueuedRequest? {
        let isGone = request.operation == .delete && (status == 404 || status == 410)
        if isGone {
            try finish(request)
        } else if status == 202 {
            return store.handedOut(try store.transaction { try $0.queued(request) })
        } else if (200..<300).contains(status) {
            try finish(request, with: document(in: body, status), entityTag: entityTag)
        } else {
            try fail(request, errors(status, body))
        }
        return store.transaction { $0.pending.kept(.request(request.key))?.request }.map { store.handedOut($0) }
    }

    /// Removes a request that the server has carried out from the queue, and stores the server's document. Of the answer to a deletion,
    /// only the included resources are stored.
    ///
    /// The id of a created resource replaces its lid everywhere. Changes of later requests stay on top of the server's values. Without a
    /// document, the values in the store stay the same.
    ///
    /// `entityTag` is the tag that the answer has: that of the resource as it is on the server now, or of its relationship if the request has
    /// changed that. Later requests about the same resource, or about the same relationship of it, get this tag if they have one. Without
    /// it they keep their old tag, and the server will refuse them with 412.
    ///
    /// If the ids of the model are UUIDs and the document has the same UUID in the other case, the resource and the later requests about it
    /// get the spelling of the server.
    ///
    /// Throws `StoreError` if the answer to a creation has no id, if the document contains another resource, or if the request is already
    /// done. Throws `ErrorDocument` for a document of errors, even if it has `data` beside them. Nothing is changed then. Throws
    /// `ArchiveError` if the file cannot be saved.
    public func finish(_ request: QueuedRequest, with document: DocumentObject? = nil, entityTag: String? = nil) throws {
        try change { try $0.finish(request, document, entityTag) }
    }

    /// Marks a request that the server has refused as failed. The request stays in the queue with the error, and the store shows its change
    /// until `rollBack`.
    ///
    /// Other requests about the same resource wait until you call `retry`, `skip` or `rollBack`. If the request creates a resource,
    /// requests that link to it wait as well.
    ///
    /// Throws `StoreError` if the request is already done, and `ArchiveError` if the file cannot be saved.
    public func fail(_ request: QueuedRequest, _ error: ErrorDocument) throws {
        try change { transaction in
            var request = try transaction.queued(request)
            if !error.isRefusal { request.mayHaveArrived = true }
            request.state = .failed
            request.error = error
            try transaction.put(request)
        }
    }

    /// Queues a failed or sent request again. For a sent one, call this only if the program knows that the server has not carried it out,
    /// or if the request is repeatable.
    ///
    /// `entityTag` replaces the tag of the request. Use it after a 412, when the program has read the resource again and the user has
    /// agreed.
    ///
    /// Throws as `fail` does.
    public func retry(_ request: QueuedRequest, entityTag: String? = nil) throws {
        try change { transaction in
            var request = try transaction.queued(request)
            if request.state == .sent { request.mayHaveArrived = true }
            request.state = .waiting
            request.error = nil
            if let entityTag { request.entityTag = entityTag }
            try transaction.put(request)
        }
    }

    /// Removes the request from the queue, and keeps its change in the store until the server sends other values. As long as an earlier
    /// request waits that changes the same field, the change of this field stays on top of that request and of all values that arrive.
    ///
    /// Throws `StoreError` for the creation of a resource that other requests need. Roll it back, or remove the other requests first.
    ///
    /// - Complexity: O(n), n = number of the requests that change the same resource; O(1) for the oldest of them. To skip several, begin with
    ///   the oldest. To skip all, use `removeAll`.
    public func skip(_ request: QueuedRequest) throws {
        try change { transaction in
            let request = try transaction.queued(request)
            if let needing = transaction.needing(request).first {
                throw StoreError(
                    .requestNeeded, needing.target, expected: "a creation that no other request needs",
                    found: "one whose resource others are about, or link to", advice: "roll it back, or take the others out first")
            }
            try RequestLayers.settle(request, transaction.pending)
        }
    }

    /// Removes the request from the queue, and its change from the store.
    ///
    /// Every field gets the value that it would have without the request. A deleted resource is restored in its earlier place among the
    /// resources of its type, unless the file was compacted or first opened since then, and a new one is removed. Changes of other requests
    /// and values from the server stay.
    ///
    /// Rolling back a creation also rolls back the later requests that are about the new resource or link to it. If the server has sent the
    /// resource, its values stay, but an edit without a request, such as by `ResourceStore.apply`, does not, unless it is on top of another
    /// request's change of the same field. Links to the new resource that a request does not send (`RestrictedFields`) stay in the store until
    /// the server sends the relationship. Returns all requests that were rolled back, the newest first. If a repeated creation got the status
    /// 409, fetch the resource and call `finish` instead, because the server may have carried out the first one.
    ///
    /// A request in the state `sent` can be rolled back too, but the server may still carry it out.
    ///
    /// Throws as `fail` does.
    ///
    /// - Complexity: O(n), n = number of the later requests that change the same resource. To roll back several, begin with the newest.
    @discardableResult
    public func rollBack(_ request: QueuedRequest) throws -> [QueuedRequest] {
        store.handedOut(try change { try $0.rollBack(try $0.queued(request)) })
    }

    /// Removes all requests from the queue, and keeps their changes in the store. Use it when the user signs out. Their bytes stay in the
    /// file until `StoreFile.compact()`. Throws `ArchiveError` if the file cannot be saved.
    public func removeAll() throws {
        try change { transaction in
            for request in transaction.pending.requests { transaction.removeRequest(request) }
        }
    }

    /// Returns the document of a success; nil if there is none.
    private func document(in body: Data?, _ status: Int) throws -> DocumentObject? {
        guard let body = AnswerBody.text(of: body, status: status) else { return nil }
        do { return try store.decoder.decode(DocumentObject.self, from: body) } catch {
            if AnswerBody.namesNothing(body, store.decoder.reading) { return nil }
            if let refusal = errorDocument(in: body) { throw refusal }
            throw error
        }
    }

    /// Returns the errors of the server. If the body is not a document of errors, the result has a text for the user, and the beginning of
    /// the body for the developer.
    private func errors(_ status: Int, _ body: Data?) -> ErrorDocument {
        let body = AnswerBody.text(of: body, status: status)
        let beginning = body.flatMap { AnswerBody.beginning(of: $0, 500) }
        let error = ErrorObject(
            status: String(status), detail: "The server responded with status \(status).", meta: beginning.map { ["body": .string($0)] })
        var document = body.flatMap { errorDocument(in: $0) } ?? ErrorDocument(errors: [error])
        document.httpStatus = status
        return document
    }

    /// Returns the errors in a body, which are read in standard mode and can be beside other members; nil if there are none.
    private func errorDocument(in body: Data) -> ErrorDocument? {
        var reader = JSONAPIDecoder()
        reader.reading = store.decoder.reading
        reader.maximumDiagnosticBytes = store.decoder.maximumDiagnosticBytes
        do { _ = try reader.decode(Document<NoData>.self, from: body) } catch let error as ErrorDocument where !error.errors.isEmpty {
            return error
        } catch {}
        return nil
    }
}

extension QueuedRequest {
    /// Returns whether the data of an answer are the linkage of the relationship that the request changes. Some servers send null instead of
    /// members, or the resource that has the relationship.
    fileprivate func isAnswered(by linkage: Linkage) -> Bool {
        switch (document?.linkage, linkage) {
        case (.many?, .many): true
        case (.many?, _), (_, .many): false
        case (let sent, .one(let found)):
            StoredIdentity(found) != identity || sent?.identifiers.contains { StoredIdentity($0) == identity } ?? false
        default: true
        }
    }
}

extension ErrorDocument {
    /// Whether the status tells that the server has not carried out the request.
    fileprivate var isRefusal: Bool {
        let status = httpStatus ?? errors.first?.status.flatMap { Int($0) } ?? 0
        return (400..<500).contains(status)
    }
}

// MARK: - In a transaction

extension StoreTransaction {
    fileprivate func finish(_ request: QueuedRequest, _ document: DocumentObject?, _ entityTag: String?) throws {
        try pending.atomically {
            let request = try queued(request)
            if let refusal = document.flatMap({ ErrorDocument(in: $0) }) { throw refusal }
            let target = try take(document, for: request)
            try RequestLayers.settle(try queued(request), pending)
            // After the removal, because the server's values go below the changes of the remaining requests.
            if let document { try ingest(document, answering: request) }
            if let entityTag { try replaceTags(of: target, request.relationship, by: entityTag) }
        }
    }

    /// Gives a created resource its id, and any resource the spelling of the server. Returns the target of the request.
    private func take(_ document: DocumentObject?, for request: QueuedRequest) throws -> ResourceIdentifier {
        if request.operation == .create, request.target.id == nil { return try promote(request.target, by: document, hasUUID: false) }
        guard request.relationship == nil, let document else { return request.target }
        // A deleted resource needs no new spelling.
        if request.operation == .delete, case .one(let resource) = document.data,
            let found = resource.identifier.flatMap(StoredIdentity.init), request.identity?.isRespelled(as: found) == true
        {
            return request.target
        }
        return try takeSpelling(of: document, request.target, hasUUID: request.hasUUID)
    }

    private func ingest(_ document: DocumentObject, answering request: QueuedRequest) throws {
        // Some servers answer a deletion with the resource as it was, which must not come back.
        if request.operation == .delete {
            try ingest(DocumentObject(data: .absent, included: document.included))
            return
        }
        guard let relationship = request.relationship, let identity = request.identity else {
            try ingest(document)
            return
        }
        // The primary data of a relationship are linkage, not resources.
        try ingest(DocumentObject(data: .absent, included: document.included))
        guard document.members.contains(name: "data"), let stored = try belowRequests(identity) else { return }
        let linkage = document.linkage
        guard request.isAnswered(by: linkage) else { return }
        var object = ResourceObject(identity.identifier)
        // Merging replaces links and meta, so those that the document lacks are taken from the store.
        var answered = stored[relationship: relationship] ?? RelationshipObject()
        answered.replaceLinkage(by: linkage.json)
        if let links = document.links { answered.links = links }
        if let meta = document.meta { answered.meta = meta }
        object[relationship: relationship] = answered
        try ingest(object)
    }

    /// Returns a resource without the changes of the requests that wait for it, which may hide it.
    func belowRequests(_ identity: StoredIdentity) throws -> ResourceObject? {
        guard let layers = try RequestLayers(identity, pending) else { return try pending.object(identity) }
        return layers.object
    }

    /// Replaces the tags of the requests to the same address. A relationship has an address and a tag of its own.
    private func replaceTags(of target: ResourceIdentifier, _ relationship: String?, by entityTag: String) throws {
        guard let identity = StoredIdentity(target) else { return }
        for var request in pending.requests(about: identity) where request.entityTag != nil && request.relationship == relationship {
            request.entityTag = entityTag
            try put(request)
        }
    }

    /// Returns the later requests that need the resource of a creation. These are about it, link to it, or need another one of the result.
    /// Oldest first.
    ///
    /// - Complexity: O(n), n = number of requests that mention one of the resources.
    fileprivate func needing(_ request: QueuedRequest) -> [QueuedRequest] {
        var found: [RequestKey: QueuedRequest] = [:]
        var creations = request.operation == .create ? [request] : []
        while let creation = creations.popLast() {
            for other in creation.identity.map(pending.requests(mentioning:)) ?? [] where other.key > creation.key {
                guard found.updateValue(other, forKey: other.key) == nil, other.operation == .create else { continue }
                creations.append(other)
            }
        }
        return found.values.sorted { $0.key < $1.key }
    }

    /// Undoes a request. With a creation, also undoes the requests that need it. Returns all of them, the newest first.
    @discardableResult
    func rollBack(_ request: QueuedRequest) throws -> [QueuedRequest] {
        let gone = needing(request).reversed() + [request]
        // All requests about a resource at once, because each walk undoes and makes all of its later requests.
        let groups = Dictionary(grouping: gone, by: \.identity)
        var done: Set<StoredIdentity> = []
        for case let identity? in gone.map(\.identity) where done.insert(identity).inserted {
            var layers = try RequestLayers(without: groups[identity] ?? [], identity, pending)
            try layers.finish()
        }
        for request in gone {
            if let place = request.place, let identity = request.identity { pending.restore(place, of: identity) }
        }
        for request in gone { pending.noteRollBack(of: request) }
        return Array(gone)
    }
}
