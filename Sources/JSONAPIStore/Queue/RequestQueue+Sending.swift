public import Foundation
public import JSONAPICodec
import JSONText

// What becomes of a request: waiting → sent → done, or failed; failed or sent → waiting again, or out of the queue.

extension RequestQueue {
    /// The next request to send, in the state `sent`; nil when there is none, or all that wait have to wait for others.
    ///
    /// Called again before the answer has come, it hands out another request, if one is independent of those that are on their way.
    ///
    /// Throws `ArchiveError` when it could not be saved that the request is sent: it waits still, and must not be sent. Throws `StoreError`
    /// inside a transaction.
    ///
    /// - Complexity: O(n), n = requests in front of it.
    public func next() throws -> QueuedRequest? {
        guard !store.isInTransaction else {
            throw StoreError(
                .insideTransaction, expected: "no transaction", found: "one that goes on", advice: "send requests outside of transactions")
        }
        let taken = try store.transaction { transaction -> QueuedRequest? in
            guard var request = RequestOrder.next(transaction.pending.requests) else { return nil }
            request.state = .sent
            try transaction.put(request)
            return request
        }
        guard let taken else { return nil }
        do {
            try save()
            return taken
        } catch {
            try store.transaction { transaction in
                var request = try transaction.queued(taken)
                request.state = .waiting
                try transaction.put(request)
            }
            throw error
        }
    }

    /// Takes an HTTP answer. Returns the request as it is in the queue now; nil when it is done.
    ///
    /// | status | what happens |
    /// | --- | --- |
    /// | 200, 201, 204 | as `finish` does with the document |
    /// | 202 | nothing: the server has not done it yet. Call `finish` when it has |
    /// | 404, 410 for a deletion | done: the resource is gone |
    /// | all others | as `fail` does with the server's errors |
    ///
    /// `entityTag` is the answer's header `ETag`; see `finish`.
    ///
    /// Throws as `finish` does, and `DecodingError` for a body that is no JSON:API document. The request is in the state `sent` then.
    @discardableResult
    public func answer(_ request: QueuedRequest, status: Int, body: Data? = nil, entityTag: String? = nil) throws -> QueuedRequest? {
        let isGone = request.operation == .delete && (status == 404 || status == 410)
        if isGone {
            try finish(request)
        } else if status == 202 {
            return try store.transaction { try $0.queued(request) }
        } else if (200..<300).contains(status) {
            let document = try body.flatMap { $0.isEmpty ? nil : try store.decoder.decode(DocumentObject.self, from: $0) }
            try finish(request, with: document, entityTag: entityTag)
        } else {
            try fail(request, errors(status, body))
        }
        return store.core.readKept { $0.value(.request(request.key)) }?.request
    }

    /// The server has done it: takes the request out of the queue, and puts the server's document into the store.
    ///
    /// The id of a created resource takes the place of its lid everywhere. Changes of requests behind this one stay on top of what the server
    /// says. Without a document the store stays as it is.
    ///
    /// `entityTag` is that of the resource as it is on the server now. Requests behind this one that have a tag for the resource get it;
    /// without it they keep their own, and the server will refuse them with 412.
    ///
    /// Throws `StoreError` if the answer to a creation lacks the id, or the request is done already, and `ErrorDocument` for a document of
    /// errors; nothing is changed then. Throws `ArchiveError` if the change could not be saved.
    public func finish(_ request: QueuedRequest, with document: DocumentObject? = nil, entityTag: String? = nil) throws {
        try change { try $0.finish(request, document, entityTag) }
    }

    /// The server has refused it: the request stays, with the error. The store shows its change until `rollBack`.
    ///
    /// Requests about the same resource, and those that link to a resource that it creates, wait for a decision: `retry`, `skip` or
    /// `rollBack`.
    public func fail(_ request: QueuedRequest, _ error: ErrorDocument) throws {
        try change { transaction in
            var request = try transaction.queued(request)
            request.state = .failed
            request.error = error
            try transaction.put(request)
        }
    }

    /// Sends it again: after it has failed, or when the program knows that it did not arrive.
    ///
    /// With an entity tag, that takes the place of the request's own: after a 412, when the resource was read again and the user has agreed.
    public func retry(_ request: QueuedRequest, entityTag: String? = nil) throws {
        try change { transaction in
            var request = try transaction.queued(request)
            request.state = .waiting
            request.error = nil
            if let entityTag { request.entityTag = entityTag }
            try transaction.put(request)
        }
    }

    /// Takes the request out of the queue, and leaves the store as it is: until the server says something else of the resource.
    ///
    /// Throws `StoreError` for the creation of a resource that other requests need: roll it back, or them first.
    public func skip(_ request: QueuedRequest) throws {
        try change { transaction in
            let request = try transaction.queued(request)
            if let needing = transaction.needing(request).first {
                throw StoreError(
                    .requestNeeded, needing.target, expected: "a creation that no other request needs",
                    found: "one whose resource others are about, or link to", advice: "roll it back, or take the others out first")
            }
            transaction.removeRequest(request)
        }
    }

    /// Takes the request out of the queue, and its change out of the store: every field is what it would be without the request, a deleted
    /// resource is back, a new one is gone. Changes of other requests, and what has arrived from the server, stay.
    ///
    /// Rolling back a creation also rolls back the requests behind it that are about the new resource or link to it. Returns all requests that
    /// were rolled back, the last one first.
    ///
    /// A request in the state `sent` can be rolled back too, but the server may carry it out all the same.
    @discardableResult
    public func rollBack(_ request: QueuedRequest) throws -> [QueuedRequest] {
        try change { try $0.rollBack(try $0.queued(request)) }
    }

    /// Takes all requests out of the queue, and leaves the store as it is: when the user signs out.
    public func removeAll() throws {
        try change { transaction in
            for request in transaction.pending.requests { transaction.removeRequest(request) }
        }
    }

    /// What the server says is wrong. Of a body that is no document of errors the status counts alone.
    private func errors(_ status: Int, _ body: Data?) -> ErrorDocument {
        var document = ErrorDocument(errors: [ErrorObject(status: String(status))])
        do {
            if let body { _ = try store.decoder.decode(Document<ResourceObject?>.self, from: body) }
        } catch let error as ErrorDocument where !error.errors.isEmpty {
            document = error
        } catch {}
        document.httpStatus = status
        return document
    }
}

// MARK: - In a transaction

extension StoreTransaction {
    fileprivate func finish(_ request: QueuedRequest, _ document: DocumentObject?, _ entityTag: String?) throws {
        try pending.atomically {
            let request = try queued(request)
            if let document, !document.members.contains(name: "data"), let errors = document.errors {
                throw ErrorDocument(errors: errors, meta: document.meta, links: document.links, jsonapi: document.jsonapi)
            }
            let target = try take(document, for: request)
            removeRequest(request)
            // Now, since what the server says goes below the requests that are left.
            if let document { try ingest(document, answering: request) }
            if let entityTag { try replaceTags(of: target, by: entityTag) }
        }
    }

    /// Gives a created resource its id. Returns the target of the request.
    private func take(_ document: DocumentObject?, for request: QueuedRequest) throws -> ResourceIdentifier {
        guard request.operation == .create, request.target.id == nil else { return request.target }
        return try promote(request.target, by: document)
    }

    private func ingest(_ document: DocumentObject, answering request: QueuedRequest) throws {
        guard let relationship = request.relationship, let identity = request.identity else {
            try ingest(document)
            return
        }
        // The primary data of a relationship are linkage, no resources.
        try ingest(DocumentObject(data: .absent, included: document.included))
        guard document.members.contains(name: "data"), try pending.text(identity) != nil else { return }
        var object = ResourceObject(identity.identifier)
        object[relationship: relationship] = RelationshipObject(data: document.linkage)
        try ingest(object)
    }

    private func replaceTags(of target: ResourceIdentifier, by entityTag: String) throws {
        guard let identity = StoredIdentity(target) else { return }
        for var request in pending.requests(about: identity) where request.entityTag != nil {
            request.entityTag = entityTag
            try put(request)
        }
    }

    /// The requests behind a creation that are about the new resource, or link to it, and those that need these, oldest first.
    ///
    /// - Complexity: O(n), n = requests.
    fileprivate func needing(_ request: QueuedRequest) -> [QueuedRequest] {
        guard request.operation == .create, let identity = request.identity else { return [] }
        var created: Set<StoredIdentity> = [identity]
        return pending.requests.filter { other in
            guard other.key > request.key, other.mentioned.contains(where: created.contains) else { return false }
            if other.operation == .create, let identity = other.identity { created.insert(identity) }
            return true
        }
    }

    /// Takes a request and its change back, and with a creation those that need it. Returns them, the last one first.
    @discardableResult
    func rollBack(_ request: QueuedRequest) throws -> [QueuedRequest] {
        let gone = needing(request).reversed() + [request]
        for request in gone {
            guard let identity = request.identity else { continue }
            var layers = try RequestLayers(below: request, identity, pending)
            try layers.finish()
        }
        return Array(gone)
    }
}
