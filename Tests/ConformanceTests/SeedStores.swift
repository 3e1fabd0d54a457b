import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText

/// Cases of `store-script`, `observed-cache-script`, `same-identity` and `top-level`.
enum SeedStores {
    static func checkStore(_ seed: SeedCase, _ report: inout Report) throws {
        var script = StoreScript(store: ResourceStore(), policy: try policy(seed.config["merge"]))
        try check(seed, &report) { try script.run($0) }
    }

    static func checkCache(_ seed: SeedCase, _ report: inout Report) throws {
        var script = CacheScript(store: ResourceStore(), policy: try policy(seed.config["merge"] ?? "replace"))
        try check(seed, &report) { try script.run($0) }
    }

    static func checkIdentity(_ seed: SeedCase, _ report: inout Report) throws {
        let resources = (seed.input.array ?? []).map { ResourceObject(members: $0.object ?? JSONObject()) }
        let results = try (seed.config["pairs"]?.array ?? []).map { pair -> JSON in
            guard let first = pair[0]?.int, let second = pair[1]?.int, max(first, second) < resources.count else {
                throw CaseFolder.Unusable("pair: \(pair)")
            }
            guard let one = resources[first].identifier, let other = resources[second].identifier else { return false }
            return .bool(one.isSameResource(as: other))
        }
        report.expect(seed, .array(JSONArray(results)), equals: seed.expected["results"])
    }

    static func checkTopLevel(_ seed: SeedCase, _ report: inout Report) throws {
        let text = try JSONWriter().write(seed.input)
        let document = try JSONAPIDecoder(mode: .lenient).decode(DocumentObject.self, from: Data(text))
        var found = JSONObject()
        if let errors = document.errors { found["errors"] = .array(JSONArray(errors.map(\.readAll))) }
        if let meta = document.meta { found["meta"] = .object(meta) }
        if let links = document.links { found["links"] = Links(links.map { $0 }).json }
        if let jsonapi = document.jsonapi {
            found["jsonapi"] = JSONAPIObject(version: jsonapi.version, ext: jsonapi.ext, profile: jsonapi.profile, meta: jsonapi.meta).json
        }
        report.expect(seed, .object(found), equals: seed.expected["value"])
    }

    private static func check(_ seed: SeedCase, _ report: inout Report, _ run: (JSONObject) throws -> JSON) throws {
        let results = try (seed.config["steps"]?.array ?? []).map { try run($0.object ?? JSONObject()) }
        report.expect(seed, .array(JSONArray(results)), equals: seed.expected["results"])
    }

    static func policy(_ json: JSON?) throws -> MergePolicy {
        switch json?.string {
        case nil, "fields": return .fields
        case "replace": return .replace
        case let name?: throw CaseFolder.Unusable("merge: \(name)")
        }
    }

    static func identifiers(_ json: JSON) throws -> [ResourceIdentifier] {
        guard let linkage = Linkage(json: json) else { throw CaseFolder.Unusable("identifiers: \(json)") }
        return linkage.identifiers
    }
}

/// Documents that are ingested into a store.
private struct StoreScript {
    let store: ResourceStore
    let policy: MergePolicy
    private var saved = Data()

    init(store: ResourceStore, policy: MergePolicy) {
        self.store = store
        self.policy = policy
    }

    mutating func run(_ step: JSONObject) throws -> JSON {
        if let document = step["load"] { return try load(document, isStrict: step["strict"]?.bool ?? false) }
        if let document = step["decodeDetached"] { return try decodeDetached(document) }
        if let identifiers = step["resolve"] { return try resolve(identifiers) }
        if let identifiers = step["remove"] {
            store.remove(try SeedStores.identifiers(identifiers))
            return ["ok": true]
        }
        if step.contains(name: "clear") {
            try store.removeAll()
            return ["ok": true]
        }
        if step.contains(name: "save") {
            saved = try JSONAPIEncoder().encode(store.document)
            return ["ok": true]
        }
        if step.contains(name: "restore") {
            try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: saved), merging: policy)
            return ["ok": true]
        }
        guard step.contains(name: "contents") else { throw CaseFolder.Unusable("step: \(step)") }
        let types = store.types.map { type in
            let ids = store.identifiers(ofType: type).map { JSON.string($0.id ?? "") }
            return JSONObject.Member(name: type, value: .array(JSONArray(ids)))
        }
        return ["ok": .object(JSONObject(members: types))]
    }

    private func load(_ document: JSON, isStrict: Bool) throws -> JSON {
        guard isStrict else {
            try store.ingest(DocumentObject(members: document.object ?? JSONObject()), merging: policy)
            return ["ok": true]
        }
        do {
            let text = Data(try JSONWriter().write(document))
            let read = try JSONAPIDecoder(mode: .strict).decodeWithDiagnostics(DocumentObject.self, from: text)
            if read.diagnostics.count(of: .duplicateResource) > 0 { return ["error": "duplicate-resource"] }
            try store.ingest(read.document, merging: policy)
            return ["ok": true]
        } catch let error as DecodingError {
            guard let failure = error.failure else { throw error }
            return ["error": .string(StrictRule.name(of: failure, in: document))]
        }
    }

    private func decodeDetached(_ document: JSON) throws -> JSON {
        let text = Data(try JSONWriter().write(document))
        if document["data"]?.array != nil {
            return ["ok": try store.decode([ResourceObject].self, from: text, keeping: .included, merging: policy).json]
        }
        return ["ok": try store.decode(ResourceObject?.self, from: text, keeping: .included, merging: policy)?.json ?? .null]
    }

    private func resolve(_ json: JSON) throws -> JSON {
        do {
            let found = try SeedStores.identifiers(json).map { try store.resolve(ResourceObject.self, $0) }
            return ["ok": json.array != nil ? found.json : found.first?.json ?? .null]
        } catch let error as StoreError where error.kind == .unresolved {
            return ["error": "unresolved"]
        }
    }
}

/// Objects that are added to a cache one by one.
private struct CacheScript {
    let store: ResourceStore
    let policy: MergePolicy
    private var observers: [String: Observer] = [:]
    private let notified = Notified()

    init(store: ResourceStore, policy: MergePolicy) {
        self.store = store
        self.policy = policy
    }

    private final class Observer: Sendable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// Only one thread is used here.
    private final class Notified: @unchecked Sendable {
        var names: [String] = []
        /// The contents of the store at the last notification.
        var seen: JSON?
    }

    mutating func run(_ step: JSONObject) throws -> JSON {
        if let get = step["get"] {
            guard let identifier = ResourceIdentifier(json: get) else { return ["ok": .null] }
            return ["ok": store[identifier].map(Self.flat) ?? .null]
        }
        if let put = step["put"]?.object {
            let names = JSON.array(JSONArray(try announce(put).map(JSON.string)))
            guard step["readInCallback"]?.bool == true else { return ["notified": names] }
            return ["notified": names, "seen": notified.seen ?? .null]
        }
        if let name = step["observe"]?.string { return observe(name, step) }
        if let name = step["release"]?.string {
            observers[name] = nil
            return ["ok": true]
        }
        guard let name = (step["unobserve"] ?? step["removeObserver"])?.string else { throw CaseFolder.Unusable("step: \(step)") }
        if let observer = observers[name] {
            if !step.contains(name: "id") { store.removeObserver(observer) }
            if let identifier = ResourceIdentifier(members: step), identifier.id != nil { store.removeObserver(observer, of: identifier) }
        }
        return ["ok": true]
    }

    private mutating func observe(_ name: String, _ step: JSONObject) -> JSON {
        let observer = observers[name] ?? Observer(name)
        observers[name] = observer
        if let type = step["type"]?.string, let id = step["id"]?.string {
            let identifier = ResourceIdentifier(type: type, id: id)
            store.observe(identifier, owner: observer) { [notified, store] observer, _ in
                notified.names.append(observer.name)
                notified.seen = store[identifier].map(Self.flat)
            }
        }
        return ["ok": true]
    }

    private func announce(_ members: JSONObject) throws -> [String] {
        notified.names = []
        let attributes = JSONObject(members: members.filter { $0.name != "type" && $0.name != "id" })
        var object = ResourceObject(members: JSONObject(members: members.filter { $0.name == "type" || $0.name == "id" }))
        object.attributes = attributes
        guard object.identifier != nil else { return [] }
        try store.ingest(object, merging: policy)
        return notified.names.sorted()
    }

    /// The attributes except type and id, as they were added.
    private static func flat(_ object: ResourceObject) -> JSON {
        var members = JSONObject()
        for name in ["type", "id"] { members[name] = object.members[name] }
        for member in object.attributes ?? JSONObject() { members[member.name] = member.value }
        return .object(members)
    }
}

/// The rule of the older system for a failure of strict reading.
private enum StrictRule {
    static func name(of failure: DecodingFailure, in document: JSON) -> String {
        let tokens = failure.pointer.tokens
        let isInRelationship = tokens.contains("relationships")
        switch failure.kind {
        case .duplicateResource: return "duplicate-resource"
        case .missingMember:
            if tokens.isEmpty { return "no-top-level-member" }
            if tokens.first == "errors" { return "error-empty" }
            if tokens.dropLast().last == "relationships" { return "relationship-empty" }
            return isInRelationship ? "linkage-missing-identity" : "resource-missing-identity"
        case .documentStructure:
            if document["data"] != nil, document["errors"] != nil { return "data-and-errors" }
            if tokens.first == "included" { return "included-without-data" }
            return "no-top-level-member"
        default:
            if tokens.first == "errors" { return "errors-not-array" }
            return isInRelationship ? "linkage-invalid" : "data-invalid"
        }
    }
}

extension ErrorObject {
    /// All values of the typed properties.
    fileprivate var readAll: JSON {
        ErrorObject(
            id: id, links: links, status: status, code: code, title: title, detail: detail, source: source, meta: meta
        ).json
    }
}

extension [ResourceObject] {
    fileprivate var json: JSON { .array(JSONArray(map(\.json))) }
}
