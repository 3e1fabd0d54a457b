import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIStore

@Suite("Requests, skipped changes, and edits without a request keep their order", .timeLimit(.minutes(20)))
struct RequestLayerTests {
    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let one = ResourceIdentifier.article("1")

    init() throws { try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"A","subtitle":"S"}}"#)) }

    private var title: JSON? { store[one]?[attribute: "title"] }

    private func update(_ title: String) throws -> QueuedRequest {
        try #require(try queue.update(Patch<Article>(id: "1").set("title", title)))
    }

    private func subtitleArrives() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"subtitle":"T"}}"#))
    }

    @Test("A skipped change below a later request is shown when that one is rolled back, whatever has arrived for other fields")
    func skippedBelow() throws {
        _ = try update("B")
        try queue.skip(try update("C"))
        let third = try update("D")
        try subtitleArrives()
        #expect(title == "D")
        try queue.rollBack(third)
        #expect(title == "C")
    }

    @Test("What arrives replaces a skipped change, unless an earlier request changes the same field", arguments: [false, true])
    func skippedField(isSame: Bool) throws {
        let expected: JSON = isSame ? "Skipped" : "T"
        let first = try queue.update(Patch<Article>(id: "1").set(isSame ? "subtitle" : "title", "Earlier"))
        let skipped = try queue.update(Patch<Article>(id: "1").set("subtitle", "Skipped"))
        try queue.skip(try #require(skipped))
        #expect(store[one]?[attribute: "subtitle"] == "Skipped")
        try subtitleArrives()
        #expect(store[one]?[attribute: "subtitle"] == expected)
        try queue.rollBack(try #require(first))
        #expect(store[one]?[attribute: "subtitle"] == expected)
    }

    @Test("Of two skipped changes, the later one is shown")
    func skippedTwice() throws {
        let (first, second, third) = (try update("B"), try update("C"), try update("D"))
        try queue.skip(third)
        try queue.skip(second)
        let fourth = try update("E")
        try queue.rollBack(first)
        try queue.rollBack(fourth)
        #expect(title == "D")
    }

    @Test("An edit without a request below a later request is shown when that one is rolled back")
    func localEditBelow() throws {
        let first = try update("B")
        try store.apply(Patch<Article>(id: "1").set("title", "Local"))
        let third = try update("D")
        try subtitleArrives()
        #expect(title == "D")
        try queue.rollBack(first)
        #expect(title == "D")
        try queue.rollBack(third)
        #expect(title == "Local")
    }

    @Test("An edit of linkage on top of an addition stays when the server sends other linkage", arguments: [0, 1, 2])
    func localLinkage(_ count: Int) throws {
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"}]}}}"#))
        _ = try queue.add([tags[1]], to: "tags", of: one)
        let edited = Array(tags.suffix(count))
        try store.apply(Patch<ResourceObject>(one).link("tags", to: edited))
        let last = try queue.add([ResourceIdentifier(type: "tags", id: "9")], to: "tags", of: one)
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[],"meta":{"total":0}}}}"#))
        try queue.rollBack(last)
        #expect(store[one]?[relationship: "tags"]?.data == .many(edited))
        #expect(store[one]?[relationship: "tags"]?.meta == ["total": 0])
    }

    @Test("A local order of members stays when another field arrives")
    func localOrder() throws {
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[]}}}"#))
        try store.apply(Patch<ResourceObject>(one).link("tags", to: Array(tags.prefix(2))))
        try queue.add([tags[2]], to: "tags", of: one)
        let reordered = [tags[2], tags[0], tags[1]]
        try store.apply(Patch<ResourceObject>(one).link("tags", to: reordered))
        try subtitleArrives()
        #expect(store[one]?[relationship: "tags"]?.data == .many(reordered))
    }

    @Test("Rolling back a removal puts each member back in its place")
    func removedMembers() throws {
        let tags = (1...6).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        var article = try #require(store[one])
        article[relationship: "tags"] = RelationshipObject(data: .many(tags))
        try store.ingest(article)
        let removal = try queue.remove([tags[4], tags[0], tags[3], tags[5]], from: "tags", of: one)
        #expect(store[one]?[relationship: "tags"]?.data == .many([tags[1], tags[2]]))
        let addition = try queue.add([tags[3], ResourceIdentifier(type: "tags", id: "7")], to: "tags", of: one)
        try queue.rollBack(addition)
        #expect(store[one]?[relationship: "tags"]?.data == .many([tags[1], tags[2]]))
        try queue.rollBack(removal)
        #expect(store[one] == article)
    }

    private struct Note: Resource {
        static let type = "notes"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    @Test("Linkage that arrives after a lid was replaced is shown below the additions that wait")
    func linkageAfterPromotion() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[]}}}"#))
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        try queue.add([creation.target], to: "notes", of: one)
        try queue.add([ResourceIdentifier(type: "notes", id: "5")], to: "notes", of: one)
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#))
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[{"type":"notes","id":"1"}]}}}"#))
        #expect(store[one]?[relationship: "notes"]?.data.identifiers.map(\.id) == ["1", "77", "5"])
        for request in queue.requests { try queue.rollBack(request) }
        #expect(store[one]?[relationship: "notes"]?.data.identifiers.map(\.id) == ["1"])
    }

    @Test("A link that the server has sent before its id replaces a lid stays when the addition of the lid is rolled back")
    func linkageBeforePromotion() throws {
        func notes() -> [String?]? { store[one]?[relationship: "notes"]?.data.identifiers.map(\.id) }
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[]}}}"#))
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        let addition = try queue.add([creation.target], to: "notes", of: one)
        let other = try queue.add([ResourceIdentifier(type: "notes", id: "5")], to: "notes", of: one)
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[{"type":"notes","id":"77"}]}}}"#))
        #expect(notes() == ["77", nil, "5"])
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#))
        try subtitleArrives()
        #expect(notes() == ["77", "5"])
        try queue.rollBack(addition)
        #expect(notes() == ["77", "5"])
        try queue.rollBack(other)
        #expect(notes() == ["77"])
    }

    @Test("A later change of another field stays when a lid becomes an id to which the server already links", arguments: [false, true])
    func localEditWithBothLinks(isSkipped: Bool) throws {
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[]}}}"#))
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        let first = try update("B")
        if isSkipped {
            try queue.skip(try update("Later"))
        } else {
            try store.apply(Patch<Article>(id: "1").set("title", "Later"))
        }
        try queue.add([creation.target], to: "notes", of: one)
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[{"type":"notes","id":"77"}]}}}"#))
        #expect(title == "Later")
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#))
        #expect(title == "Later")
        #expect(store[one]?[relationship: "notes"]?.data.identifiers.map(\.id) == ["77"])
        try queue.rollBack(first)
        #expect(title == "Later")
    }

    @Test("A local edit of linkage that has both a lid and its id contains the id once")
    func localLinkageWithBothLinks() throws {
        let notes = [ResourceIdentifier(type: "notes", id: "5"), ResourceIdentifier(type: "notes", id: "77")]
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"notes":{"data":[]}}}"#))
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        try queue.add([creation.target], to: "notes", of: one)
        try store.apply(Patch<ResourceObject>(one).link("notes", to: [creation.target] + notes))
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#))
        #expect(store[one]?[relationship: "notes"]?.data == .many(notes))
    }

    @Test("A local edit of a new resource stays when its id is that of a resource that the store has")
    func localEditOfPromotedResource() throws {
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        let change = try #require(try queue.update(Patch<Note>(creation.target).set("text", "Bread")))
        try store.apply(Patch<Note>(creation.target).set("text", "Later"))
        try store.ingest(object(#"{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}"#))
        try store.promote(creation.target, to: "7")
        let seven = ResourceIdentifier(type: "notes", id: "7")
        #expect(store[seven]?.attributes == ["text": "Later", "rank": 1])
        try queue.rollBack(try #require(queue[change.id]))
        #expect(store[seven]?.attributes == ["text": "Later", "rank": 1])
    }

    @Test("A local order of members stays when an id replaces a lid that they do not contain")
    func localOrderAfterPromotion() throws {
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        var article = try #require(store[one])
        article[relationship: "tags"] = RelationshipObject(data: .many(Array(tags.prefix(2))))
        try store.ingest(article)
        let creation = try queue.create(Note(lid: "n1", text: "Milk"))
        try queue.add([tags[2]], to: "tags", of: one)
        let reordered = [tags[2], tags[0], tags[1]]
        try store.apply(Patch<ResourceObject>(one).link("tags", to: reordered))
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#))
        try subtitleArrives()
        #expect(store[one]?[relationship: "tags"]?.data == .many(reordered))
    }

    // MARK: - Files

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = TestFolder.url.appendingPathComponent("layers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("A queued change of linkage is saved with only the members that it changes")
    func savedLinkage() throws {
        let tags = (1...100).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        var article = try #require(store[one])
        article[relationship: "tags"] = RelationshipObject(data: .many(tags))
        try store.ingest(article)
        for request in [
            try queue.add([ResourceIdentifier(type: "tags", id: "new")], to: "tags", of: one),
            try queue.remove([tags[7], tags[0]], from: "tags", of: one),
        ] {
            #expect(request.json.description.utf8.count < 1000)
            #expect(QueuedRequest(request.key, request.json)?.undo == request.undo)
        }
    }

    @Test("A request that an earlier version has saved with the whole relationship is rolled back")
    func earlierForm() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"}]}}}"#))
        let before = store[one]
        let request = try queue.add([ResourceIdentifier(type: "tags", id: "2")], to: "tags", of: one)
        var json = try #require(request.json.object)
        json["undo"] = ["edit": [["place": ["relationships", "tags"], "value": ["data": [["type": "tags", "id": "1"]]]]]]
        let earlier = try #require(QueuedRequest(request.key, .object(json)))
        try store.transaction { try $0.put(earlier) }
        let another = try queue.add([ResourceIdentifier(type: "tags", id: "3")], to: "tags", of: one)
        try subtitleArrives()
        #expect(store[one]?[relationship: "tags"]?.data.identifiers.count == 3)
        try queue.rollBack(try #require(queue[earlier.id]))
        #expect(store[one]?[relationship: "tags"]?.data.identifiers.map(\.id) == ["1", "3"])
        try queue.rollBack(another)
        #expect(store[one]?[relationship: "tags"] == before?[relationship: "tags"])
    }

    @Test("The file grows with the number of additions to one relationship, not with its square")
    func savedBytes() throws {
        func bytes(_ count: Int) throws -> Int {
            var size = 0
            try withFolder { folder in
                let store = ResourceStore()
                let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
                defer { file.close() }
                try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[]}}}"#))
                for number in 0..<count {
                    try RequestQueue(store).add([ResourceIdentifier(type: "tags", id: "\(number)")], to: "tags", of: one)
                }
                try file.save()
                size = file.byteCount
            }
            return size
        }
        #expect(try bytes(800) < 16 * bytes(100))
    }

    // MARK: - Cost

    @Test("The time of an arriving resource grows linearly with the requests that wait for it", arguments: [false, true])
    func arrival(isLinkage: Bool) throws {
        let growth = try TimeGrowth(from: 50) { count in
            let store = ResourceStore()
            let queue = RequestQueue(store)
            try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[]}}}"#))
            try store.transaction { _ in
                for number in 0..<count {
                    if isLinkage {
                        try queue.add([ResourceIdentifier(type: "tags", id: "\(number)")], to: "tags", of: one)
                    } else {
                        try queue.update(Patch<ResourceObject>(one).set("a\(number)", number))
                    }
                }
            }
            return try processorSeconds {
                for number in 0..<10 {
                    try store.ingest(ResourceObject(type: "articles", id: "1", attributes: ["x": .number(JSONNumber(number))]))
                }
                let stored = store[one]
                let shown = isLinkage ? stored?[relationship: "tags"]?.data.identifiers.count : stored?.attributes.map { $0.count - 1 }
                #expect(shown == count)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    // MARK: - Random orders

    /// What the store should show: the values of the server, and on top of them each change in order.
    private struct Expected {
        struct Change {
            /// Nil for an edit without a request, and after the request has left the queue.
            var request: UUID?
            var values: [String: Int]
        }

        var server = ["p": 0, "q": 0, "r": 0]
        var changes: [Change] = []

        var values: [String: Int] { changes.reduce(into: server) { $0.merge($1.values) { $1 } } }

        /// A change of one of the requests for which `isPossible` is true.
        func place(_ number: Int, where isPossible: (Change) -> Bool = { _ in true }) -> Int? {
            let places = changes.indices.filter { changes[$0].request != nil && isPossible(changes[$0]) }
            return places.isEmpty ? nil : places[number % places.count]
        }
    }

    @Test("In any order of calls, each field has the value of the last change that stays", arguments: 0..<200)
    func randomOrders(_ seed: Int) throws {
        var numbers = SeededRandom(seed: UInt64(seed))
        let numbered = ResourceIdentifier(type: "numbers", id: "1")
        func put(_ values: [String: Int]) throws -> Patch<ResourceObject> {
            values.sorted { $0.key < $1.key }.reduce(Patch<ResourceObject>(numbered)) { $0.set($1.key, $1.value) }
        }
        try store.ingest(object(#"{"type":"numbers","id":"1","attributes":{"p":0,"q":0,"r":0}}"#))
        var expected = Expected()
        for step in 1...60 {
            let choice = Int(numbers.next() % 1000)
            switch Int(numbers.next() % 8) {
            case 0, 1:
                let values = [["p": step], ["q": step], ["p": step, "q": step]][choice % 3]
                let request = try #require(try queue.update(put(values)))
                expected.changes.append(Expected.Change(request: request.id, values: values))
            case 2:
                try store.apply(put(["p": step]))
                expected.changes.append(Expected.Change(values: ["p": step]))
            case 3:
                // The server does not send the field that is edited without a request.
                let name = ["q", "r"][choice % 2]
                try store.ingest(ResourceObject(type: "numbers", id: "1", attributes: [name: .number(JSONNumber(step))]))
                expected.server[name] = step
            case 4:
                guard let place = expected.place(choice, where: { $0.values["q"] == nil }) else { continue }
                try queue.skip(try #require(expected.changes[place].request.flatMap { queue[$0] }))
                expected.changes[place].request = nil
            case 5, 6:
                guard let place = expected.place(choice) else { continue }
                try queue.rollBack(try #require(expected.changes[place].request.flatMap { queue[$0] }))
                expected.changes.remove(at: place)
            default:
                guard let request = try queue.next() else { continue }
                let place = try #require(expected.changes.firstIndex { $0.request == request.id })
                try queue.answer(request, status: 204)
                expected.changes[place].request = nil
                if let accepted = expected.changes[place].values.removeValue(forKey: "q") { expected.server["q"] = accepted }
            }
            let shown = try #require(store[numbered]?.attributes)
            #expect(expected.values.allSatisfy { shown[$0.key]?.int == $0.value }, "step \(step): \(shown), not \(expected.values)")
        }
    }
}
