import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIStore

/// A simple model of a store and its queue: the state of the server, and the requests in order.
private struct NaiveStore: Equatable {
    typealias Fields = [String: JSON]

    struct Request: Equatable {
        var operation: QueuedRequest.Operation
        var target: ResourceIdentifier
        var fields: Fields = [:]
        var state = QueuedRequest.State.waiting

        var links: [ResourceIdentifier] { fields.values.compactMap(ResourceIdentifier.init(json:)) }
        var mentioned: [ResourceIdentifier] { [target] + links }
    }

    var server: [ResourceIdentifier: Fields] = [:]
    var requests: [Request] = []
    var pages: [String: [ResourceIdentifier]] = [:]
    var values: [String: Int] = [:]

    /// The state that a user sees.
    var visible: [ResourceIdentifier: Fields] {
        requests.reduce(into: server) { resources, request in
            switch request.operation {
            case .create: resources[request.target] = request.fields
            case .delete: resources[request.target] = nil
            default: resources[request.target]?.merge(request.fields) { $1 }
            }
        }
    }

    /// The possible resources of requests.
    var named: [ResourceIdentifier] {
        let created = requests.filter { $0.operation == .create }.map(\.target)
        return visible.keys.filter { $0.id != nil || created.contains($0) }.sorted { $0.description < $1.description }
    }

    var next: Int? {
        requests.indices.first { index in
            let request = requests[index]
            return request.state == .waiting
                && !requests[..<index].contains { earlier in
                    request.mentioned.contains(earlier.target) || (request.operation == .delete && earlier.links.contains(request.target))
                }
        }
    }

    mutating func ingest(_ identifier: ResourceIdentifier, _ fields: Fields) { server[identifier, default: [:]].merge(fields) { $1 } }

    /// The server has confirmed it, or the program assumes that.
    mutating func finish(_ index: Int) {
        let request = requests.remove(at: index)
        var rest = self
        rest.requests = [request]
        server = rest.visible
    }

    mutating func rename(_ local: ResourceIdentifier, to identifier: ResourceIdentifier) {
        func renamed(_ fields: Fields) -> Fields { fields.mapValues { $0 == local.json ? identifier.json : $0 } }
        server = Dictionary(uniqueKeysWithValues: server.map { ($0 == local ? identifier : $0, renamed($1)) })
        for index in requests.indices {
            requests[index].fields = renamed(requests[index].fields)
            if requests[index].target == local { requests[index].target = identifier }
        }
    }

    func needs(_ index: Int) -> Bool {
        requests[index].operation == .create && requests[(index + 1)...].contains { $0.mentioned.contains(requests[index].target) }
    }

    mutating func rollBack(_ index: Int) {
        while needs(index), let last = requests.lastIndex(where: { $0.mentioned.contains(requests[index].target) }) { rollBack(last) }
        requests.remove(at: index)
    }
}

/// Applies the same operations to a store and to the simple model.
private final class Adversary {
    private var random: SeededRandom
    private var naive = NaiveStore()
    private var store = ResourceStore()
    private var file: StoreFile
    private let url: URL
    private var count = 0
    private(set) var log: [String] = []

    private struct Stop: Error {}

    private struct Item: Resource {
        static let type = "items"
        var id: String?
        var lid: LocalID?
        var a: Int?
        var b: Int?
        var next: ToOne<Item>?
    }

    init(seed: UInt64, _ url: URL) throws {
        random = SeededRandom(seed: seed)
        self.url = url
        file = try StoreFile(url, of: store)
    }

    private var queue: RequestQueue { RequestQueue(store) }

    private func identifier(_ number: Int) -> ResourceIdentifier { ResourceIdentifier(type: "items", id: "\(number)") }
    private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private func fields() -> NaiveStore.Fields {
        var fields: NaiveStore.Fields = [:]
        if number(3) > 0 { fields["a"] = .number(JSONNumber(number(100))) }
        if number(2) > 0 { fields["b"] = .number(JSONNumber(number(100))) }
        if number(4) == 0, let other = naive.named.randomElement(using: &random) { fields["next"] = other.json }
        return fields
    }

    private func object(_ identifier: ResourceIdentifier, _ fields: NaiveStore.Fields) -> ResourceObject {
        var object = ResourceObject(identifier)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            if let other = ResourceIdentifier(json: value) {
                object[relationship: name] = RelationshipObject(data: .one(other))
            } else {
                object[attribute: name] = value
            }
        }
        return object
    }

    func step() throws {
        let choice = number(100)
        switch choice {
        case ..<18: try ingest()
        case ..<28: try create()
        case ..<45: try update()
        case ..<52: try delete()
        case ..<56: try removeDirectly()
        case ..<75: try send()
        case ..<80: try decide(among: .failed)
        case ..<84: try decide(among: .sent)
        case ..<88: try decide(among: .waiting)
        case ..<91: try keep()
        case ..<94: try rollBackTransaction()
        case ..<97: try reopen()
        default: try draft()
        }
        try check()
    }

    private func ingest() throws {
        let number = number(12)
        // The server has no lids.
        let fields = fields().filter { ResourceIdentifier(json: $0.value)?.lid == nil }
        log.append("ingest \(number) \(fields)")
        let object = object(identifier(number), fields)
        if naive.visible[identifier(number)] != nil, self.number(2) == 0 {
            let document = DocumentObject(data: .one(object))
            _ = try store.decode(ResourceObject.self, from: Data(document.json.description.utf8))
        } else {
            try store.ingest(object)
        }
        naive.ingest(identifier(number), fields)
    }

    private func create() throws {
        count += 1
        let fields = fields()
        let local = ResourceIdentifier(type: "items", lid: "l\(count)")
        log.append("create \(local) \(fields)")
        var item = Item(lid: LocalID("l\(count)"), a: fields["a"]?.int, b: fields["b"]?.int)
        item.next = fields["next"].flatMap(ResourceIdentifier.init(json:)).map { ToOne($0) }
        try queue.create(item)
        naive.requests.append(NaiveStore.Request(operation: .create, target: local, fields: fields))
    }

    private func update() throws {
        guard let target = naive.named.randomElement(using: &random) else { return }
        let fields = fields()
        log.append("update \(target) \(fields)")
        var patch = Patch<Item>(target)
        for (name, value) in fields {
            patch = ResourceIdentifier(json: value).map { patch.link(name, to: $0) } ?? patch.set(name, value)
        }
        let request = try queue.update(patch)
        try same(request == nil, fields.isEmpty, "no update")
        if !fields.isEmpty { naive.requests.append(NaiveStore.Request(operation: .update, target: target, fields: fields)) }
    }

    private func draft() throws {
        guard let target = naive.named.randomElement(using: &random) else { return }
        let value = number(100)
        log.append("draft \(target) \(value)")
        var draft = try store.draft(Item.self, target)
        let isNew = draft.value.a != value
        draft.value.a = value
        try queue.update(&draft)
        if isNew {
            naive.requests.append(NaiveStore.Request(operation: .update, target: target, fields: ["a": .number(JSONNumber(value))]))
        }
    }

    private func delete() throws {
        guard let target = naive.named.randomElement(using: &random) else { return }
        log.append("delete \(target)")
        let request = try queue.delete(target)
        if let creation = naive.requests.firstIndex(where: { $0.operation == .create && $0.target == target && $0.state != .sent }) {
            try same(request == nil, true, "no deletion")
            naive.rollBack(creation)
        } else {
            naive.requests.append(NaiveStore.Request(operation: .delete, target: target))
        }
    }

    private func removeDirectly() throws {
        let target = identifier(number(12))
        guard !naive.requests.contains(where: { $0.target == target }) else { return }
        log.append("remove \(target)")
        store.remove(target)
        naive.server[target] = nil
    }

    private func send() throws {
        let request = try queue.next()
        let index = naive.next
        log.append("next \(request.map(\.description) ?? "none")")
        try same(request?.target, index.map { naive.requests[$0].target }, "next")
        try same(request?.operation, index.map { naive.requests[$0].operation }, "next")
        guard let request, let index else { return }
        naive.requests[index].state = .sent
        try same(request.body.map { String(decoding: $0, as: UTF8.self).contains("\"lid\"") } ?? false, false, "a lid is sent")
        if number(4) > 0 { try answer(request, index) }
    }

    private func answer(_ request: QueuedRequest, _ index: Int) throws {
        if number(4) == 0 {
            log.append("failed")
            try queue.answer(request, status: 422, body: Data(#"{"errors":[{"title":"No"}]}"#.utf8))
            naive.requests[index].state = .failed
            return
        }
        var target = request.target
        if request.operation == .create {
            count += 1
            target = identifier(1000 + count)
            naive.rename(request.target, to: target)
        }
        naive.finish(index)
        guard request.operation == .create || number(2) == 0 else {
            log.append("done")
            try queue.answer(request, status: 204)
            return
        }
        // The server's version.
        let fields = fields().filter { ResourceIdentifier(json: $0.value)?.lid == nil }
        log.append("answered \(target) \(fields)")
        if request.operation == .delete {
            try queue.answer(request, status: 200, body: Data(#"{"meta":{}}"#.utf8))
        } else {
            let document = DocumentObject(data: .one(object(target, fields)))
            try queue.answer(request, status: 200, body: Data(document.json.description.utf8))
            naive.ingest(target, fields)
        }
    }

    private func decide(among state: QueuedRequest.State) throws {
        let indices = naive.requests.indices.filter { naive.requests[$0].state == state }
        guard let index = indices.randomElement(using: &random) else { return }
        let request = queue.requests[index]
        // The result of a skipped request can only be checked if it is the first one about its resource.
        let isFirst = !naive.requests[..<index].contains { $0.target == request.target }
        switch number(3) {
        case 0 where state != .waiting:
            log.append("retry \(request)")
            try queue.retry(request)
            naive.requests[index].state = .waiting
        case 1 where isFirst && !naive.needs(index) && request.operation != .create:
            log.append("skip \(request)")
            try queue.skip(request)
            naive.finish(index)
        default:
            log.append("roll back \(request)")
            try queue.rollBack(request)
            naive.rollBack(index)
        }
    }

    private func keep() throws {
        let ids = (0..<number(5)).map { _ in identifier(number(12)) }
        let name = "page \(number(3))"
        log.append("keep \(name) \(ids)")
        let data = ids.map { object($0, ["b": .number(JSONNumber(number(100)))]) }
        try store.keep(DocumentObject(data: .many(data)), for: name)
        // Of resources with one identity in a document, the first one counts.
        for object in data.reversed() {
            if let identifier = object.identifier { naive.ingest(identifier, ["b": object[attribute: "b"] ?? .null]) }
        }
        naive.pages[name] = ids
        try store.keep(number(9), forKey: name)
        naive.values[name] = try store.kept(Int.self, forKey: name)
    }

    /// A transaction with several steps that throws at the end, and a nested one.
    private func rollBackTransaction() throws {
        let before = naive
        log.append("transaction")
        do {
            try store.transaction { _ in
                try ingest()
                try create()
                try update()
                let middle = naive
                do {
                    try store.transaction { _ in
                        try update()
                        try delete()
                        throw Stop()
                    }
                } catch is Stop { naive = middle }
                try keepInside()
                throw Stop()
            }
        } catch is Stop {}
        log.append("rolled back")
        naive = before
    }

    private func keepInside() throws {
        try store.keep(DocumentObject(data: .many([])), for: "page 1")
        try store.keep(-1, forKey: "page 1")
    }

    private func reopen() throws {
        log.append("reopen")
        try file.save()
        file.close()
        store = ResourceStore()
        file = try StoreFile(url, of: store)
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    private func same<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
        if found != expected { throw Mismatch(description: "\(what): \(found), expected \(expected)") }
    }

    private func check() throws {
        let visible = naive.visible
        try same(Set(store.identifiers), Set(visible.keys), "resources")
        for (identifier, fields) in visible {
            let found = store[identifier]
            let expected = object(identifier, fields)
            try same(found?.attributes ?? [:], expected.attributes ?? [:], "attributes of \(identifier)")
            try same(
                found?[relationship: "next"]?.data ?? .absent, expected[relationship: "next"]?.data ?? .absent, "linkage of \(identifier)")
        }
        try same(queue.requests.map(\.target), naive.requests.map(\.target), "targets")
        try same(queue.requests.map(\.state), naive.requests.map(\.state), "states")
        for (name, ids) in naive.pages {
            let kept = try store.keptDocument([ResourceObject].self, for: name)
            try same(kept?.data.map(\.id), ids.filter { visible[$0] != nil }.map(\.id), name)
        }
        for (name, value) in naive.values { try same(store.kept(Int.self, forKey: name), value, "value of \(name)") }
    }

    func finish() { file.close() }
}

@Suite("A store equals a simple model under random operations")
struct RandomStoreTests {
    /// `STORE_SEEDS=1000` tries more seeds.
    private static let seeds = 0..<(ProcessInfo.processInfo.environment["STORE_SEEDS"].flatMap(UInt64.init) ?? 5)

    @Test("Ingesting, editing, queueing, sending, and saving", arguments: seeds)
    func operations(_ seed: UInt64) throws {
        try withFolder { folder in
            let adversary = try Adversary(seed: seed, folder.appendingPathComponent("store"))
            defer { adversary.finish() }
            for _ in 0..<150 {
                do {
                    try adversary.step()
                } catch {
                    Issue.record("\(error)\n\(adversary.log.suffix(40).joined(separator: "\n"))")
                    return
                }
            }
        }
    }
}
