// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite("Working offline")
struct OfflineQueueTests {
    struct Note: Resource {
        static let type = "notes"
        var id: String?
        var lid: LocalID?
        var text: String
    }
    struct Folder: Resource {
        static let type = "folders"
        var id: String
        var name: String
        var notes: ToMany<Note>
    }

    private let shopping = ResourceIdentifier(type: "folders", id: "1")
    private let addresses = AddressTemplates(server: "https://example.com/api")

    private func document(_ text: String) throws -> DocumentObject {
        try JSONAPIDecoder().decode(DocumentObject.self, from: Data(text.utf8))
    }

    private func folder() throws -> DocumentObject {
        try document("""
            {"data": {"type": "folders", "id": "1", "attributes": {"name": "Shopping"},
                      "relationships": {"notes": {"data": [{"type": "notes", "id": "3"}]}}},
             "included": [{"type": "notes", "id": "3", "attributes": {"text": "Salt"}}]}
            """)
    }

    private func withFile(_ body: (URL) async throws -> Void) async throws {
        let url = TestFolder.url.appendingPathComponent("offline-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    /// The requests that the server received.
    private final class Sent: @unchecked Sendable {
        // Only one task at a time sends.
        var lines: [String] = []
        /// What the server returns next, instead of carrying out a request.
        var responses: [JSONAPIResponse] = []
    }
    private let sent = Sent()

    private func send(_ request: QueuedRequest, to addresses: AddressTemplates) async throws -> JSONAPIResponse {
        let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        sent.lines.append("\(request.method) \(try address(of: request, addresses)) \(body)")
        if !sent.responses.isEmpty { return sent.responses.removeFirst() }
        guard request.operation == .create else { return .noContent }
        let text = #"{"data": {"type": "notes", "id": "9", "attributes": {"text": "Milk"}}}"#
        return JSONAPIResponse(status: 201, headers: [:], body: Data(text.utf8))
    }

    /// Returns the response that ended the loop early; nil if all requests were sent that can be.
    func sendAll(
        _ queue: RequestQueue, _ store: ResourceStore, _ file: StoreFile, to addresses: AddressTemplates
    ) async throws -> JSONAPIResponse? {
        while let request = try queue.next() {
            let response = try await send(request, to: addresses)     // throws without a network; the request stays `sent`
            switch response.status {
            case 202:                                                 // accepted, but not carried out yet
                let accepted = try store.kept([UUID].self, forKey: "accepted") ?? []
                try store.keep(accepted.filter { queue[$0] != nil } + [request.id], forKey: "accepted")
                try file.save()
            case 401, 408, 429:                                       // not carried out: the request waits again
                try queue.answer(request, status: response.status, body: response.body)
                try queue.retry(request)
                return response
            case 500...599:                                           // perhaps carried out: the request stays `sent`
                return response
            default:
                let tag = EntityTag(headers: response.headers)
                try queue.answer(request, status: response.status, body: response.body, entityTag: tag?.description)
            }
        }
        return nil
    }

    func address(of request: QueuedRequest, _ addresses: AddressTemplates) throws -> String {
        if let relationship = request.relationship {
            return try addresses.address(ofRelationship: relationship, of: request.target)
        }
        if request.operation == .create { return try addresses.address(ofCollection: request.target.type) }
        return try addresses.address(of: request.target)
    }

    @Test("Requests are queued and sent, and get ids from the server")
    func queueing() async throws {
        try await withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            let queue = RequestQueue(store, savedIn: file)

            #expect(queue.isEmpty)
            try store.ingest(self.folder())
            try await queueAndSend(store, file, queue)
            file.close()
        }
    }

    private func queueAndSend(_ store: ResourceStore, _ file: StoreFile, _ queue: RequestQueue) async throws {
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        let milk = creation.target                                            // notes, lid n1
        try queue.update(Patch<Note>(milk).set("text", "Milk and bread"))
        try queue.add([milk], to: "notes", of: shopping)                      // shopping is a folder that the server has
        try queue.delete(ResourceIdentifier(type: "notes", id: "3"))          // lists do not show it any more
        #expect(try store.resources(Note.self).map(\.text) == ["Milk and bread"])
        #expect(try store.resource(Folder.self, id: "1")?.notes.values.map(\.text) == ["Milk and bread"])

        let ended = try await sendAll(queue, store, file, to: addresses)
        #expect(ended == nil && queue.isEmpty)
        #expect(
            sent.lines == [
                #"POST https://example.com/api/notes {"data":{"type":"notes","attributes":{"text":"Milk"}}}"#,
                #"PATCH https://example.com/api/notes/9 {"data":{"type":"notes","id":"9","attributes":{"text":"Milk and bread"}}}"#,
                #"POST https://example.com/api/folders/1/relationships/notes {"data":[{"type":"notes","id":"9"}]}"#,
                "DELETE https://example.com/api/notes/3 ",
            ])
        #expect(try store.resource(Note.self, id: "9")?.text == "Milk and bread")
    }

    @Test("The status decides whether a request waits again, stays sent, is done, or has failed")
    func statuses() async throws {
        try await withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            let queue = RequestQueue(store, savedIn: file)
            try store.ingest(self.folder())
            let first = try #require(try queue.update(Patch<Folder>(id: "1").set("name", "Food")))
            try queue.update(Patch<Folder>(id: "1").set("name", "Drinks"), entityTag: "\"v1\"")
            for status in [401, 408, 429] {
                sent.responses = [JSONAPIResponse(status: status)]
                let ended = try await sendAll(queue, store, file, to: addresses)
                #expect(ended?.status == status && queue.requests.map(\.state) == [.waiting, .waiting])
            }
            for status in [500, 503] {
                sent.responses = [JSONAPIResponse(status: status)]
                let ended = try await sendAll(queue, store, file, to: addresses)
                #expect(ended?.status == status && queue.requests.map(\.state) == [.sent, .waiting])
                try queue.retry(first)
            }

            sent.responses = [JSONAPIResponse(status: 202)]
            let accepting = try await sendAll(queue, store, file, to: addresses)
            #expect(accepting == nil && queue.requests.map(\.state) == [.sent, .waiting])
            file.close()
            let again = ResourceStore()
            let reopened = try StoreFile(url, of: again)
            defer { reopened.close() }
            #expect(try again.kept([UUID].self, forKey: "accepted") == [first.id])
            let rest = RequestQueue(again, savedIn: reopened)
            try rest.finish(first, entityTag: "\"v2\"")
            #expect(rest.requests.map(\.entityTag) == ["\"v2\""])

            // The name of the header can have any case.
            let drinks = try #require(rest.requests.first)
            try rest.update(Patch<Folder>(id: "1").set("name", "Bread"), entityTag: "\"v2\"")
            sent.responses = [JSONAPIResponse(status: 204, headers: ["etag": "\"v3\""]), JSONAPIResponse(status: 412)]
            let refusing = try await sendAll(rest, again, reopened, to: addresses)
            #expect(refusing == nil && rest[drinks.id] == nil && rest.requests.map(\.entityTag) == ["\"v3\""])
            #expect(rest.requests.map(\.state) == [.failed] && rest.requests.first?.error?.httpStatus == 412)
        }
    }

    @Test("Lost responses, refused requests, and changes on the server")
    func trouble() async throws {
        let store = ResourceStore()
        let queue = RequestQueue(store)
        try store.ingest(self.folder())
        try queue.create(Note(lid: "n1", text: "Milk"))
        try queue.update(Patch<Folder>(id: "1").set("name", "Food"))
        let deletion = try #require(try queue.delete(ResourceIdentifier(type: "notes", id: "3")))
        while try queue.next() != nil {}
        try store.keep([deletion.id], forKey: "accepted")
        var unsure: [QueuedRequest] = []
        let accepted = try store.kept([UUID].self, forKey: "accepted") ?? []
        for request in queue.requests where request.state == .sent && !accepted.contains(request.id) {
            if request.isRepeatable {
                try queue.retry(request)          // an update, a deletion, linkage: twice is the same as once
            } else {
                unsure.append(request)            // a creation: look for the resource first, or ask
            }
        }
        #expect(unsure.map(\.operation) == [.create] && queue.requests.map(\.state) == [.sent, .waiting, .sent])
        try queue.finish(deletion)

        try queue.fail(unsure[0], ErrorDocument(errors: [ErrorObject(detail: "Too many notes")]))
        try queue.rollBack(queue.requests[1])
        func userAgrees(toUndo request: QueuedRequest, _ reason: String) async -> Bool {
            sent.lines.append(reason)
            return true
        }
        for request in queue.requests where request.state == .failed {
            let reason = request.error?.errors.first?.detail ?? "The server has refused the change."
            if await userAgrees(toUndo: request, reason) {
                try queue.rollBack(request)           // or retry(request), or skip(request)
            }
        }
        #expect(sent.lines == ["Too many notes"] && queue.isEmpty)

        let news = try document(#"{"data": {"type": "folders", "id": "1", "attributes": {"name": "Groceries"}}}"#)
        let rename = try queue.update(Patch<Folder>(id: "1").set("name", "Food"))
        try store.ingest(news)                                        // the server calls the folder "Groceries" now
        let shown = try store.resource(Folder.self, id: "1")?.name    // "Food"
        if let rename { try queue.rollBack(rename) }
        let name = try store.resource(Folder.self, id: "1")?.name     // "Groceries"
        #expect(shown == "Food" && name == "Groceries")

        let careful = try queue.update(Patch<Folder>(id: "1").set("name", "Food"), entityTag: "\"v1\"")
        // … 412 …
        if let careful { try queue.retry(careful, entityTag: "\"v2\"") }
        #expect(queue.requests.map(\.entityTag) == ["\"v2\""])
    }

    @Test("Documents are kept by query, and values by key", .timeLimit(.minutes(20)))
    func keeping() async throws {
        let store = ResourceStore()
        let document = try document("""
            {"data": [{"type": "notes", "id": "2", "attributes": {"text": "Bread"}}, {"type": "notes", "id": "1", "attributes": {"text": "Milk"}}],
             "links": {"next": "/notes?page=2"}}
            """)
        let query = "/notes?sort=text&page[size]=20"
        try store.keep(document, for: query)
        let page = try store.keptDocument([Note].self, for: query)
        let texts = page?.data.map(\.text)                            // in the server's order
        let next = page?.links.next?.href                             // links and meta as well
        #expect(texts == ["Bread", "Milk"] && next == "/notes?page=2")

        var lines: [String] = []
        for await page in store.document([Note].self, for: query) {
            lines = page?.data.map(\.text) ?? []
            if lines.count == 2 { break }
        }
        #expect(lines == ["Bread", "Milk"])

        try store.keep(["2", "1"], forKey: "feed")
        let feed = try store.kept([String].self, forKey: "feed")
        #expect(feed == ["2", "1"])
    }

    @Test("Nothing stays in the file after signing out")
    func signingOut() async throws {
        try await withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let queue = RequestQueue(store, savedIn: file)
            try store.keep(self.folder(), for: "/folders/1")
            try store.keep(["Secret"], forKey: "words")
            try queue.create(Note(lid: "n1", text: "Milk"))
            #expect(!queue.isEmpty && !store.queries.isEmpty && !store.keptKeys.isEmpty)

            try queue.removeAll()
            try store.removeAll()
            for query in store.queries { store.removeDocument(for: query) }
            for key in store.keptKeys { store.removeKept(forKey: key) }
            try file.save()
            try file.compact()
            #expect(try queue.isEmpty && store.isEmpty && store.queries.isEmpty && store.keptKeys.isEmpty && file.archive.count == 0)
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            for word in ["Shopping", "Secret", "Milk"] { #expect(!text.contains(word)) }
        }
    }

    @Test("Drafts without a queue, and observing the queue", .timeLimit(.minutes(20)))
    func drafts() async throws {
        let store = ResourceStore()
        let answer = try document(#"{"data": {"type": "notes", "id": "8", "attributes": {"text": "Eggs"}}}"#)
        var draft = store.draft(new: Note(lid: "n2", text: "Eggs"))
        try draft.show()                                              // lists have it from now on
        let body = try JSONAPIEncoder().encode(draft.create)
        try draft.commit(with: answer)                                // the id in place of the lid; or draft.rollBack()
        #expect(try JSON(parsing: body)["data"]?["lid"] == "n2" && store.resources(Note.self).map(\.id) == ["8"])

        var deletion = try store.deletion(of: ResourceIdentifier(type: "notes", id: "8"))
        try deletion.hide()
        deletion.rollBack()                                           // refused: it is back; or deletion.commit()
        #expect(store.count == 1)

        let queue = RequestQueue(store)
        var badge = -1
        for await requests in queue.changes {
            badge = requests.count
            if requests.isEmpty { break }
        }
        #expect(badge == 0)
    }
}
