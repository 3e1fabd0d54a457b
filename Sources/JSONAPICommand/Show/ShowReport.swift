import JSONAPICodec
import JSONText

/// A document as one JSON object for programs.
struct ShowReport {
    private let outline: DocumentOutline
    private let diagnostics: Diagnostics
    private let file: String?

    /// Creates the report; `file` is given for one of several documents.
    init(_ outline: DocumentOutline, _ diagnostics: Diagnostics, file: String? = nil) {
        self.outline = outline
        self.diagnostics = diagnostics
        self.file = file
    }

    /// The text of the object.
    var text: String {
        get throws {
            var writer = JSONWriter(style: .indented(spaces: 2))
            // Attributes are one level deeper here than in the document.
            writer.maximumDepth += 8
            return try writer.string(.object(members))
        }
    }

    private var members: JSONObject {
        let document = outline.document
        let isData = outline.subject == .resource || outline.subject == .collection
        var members: JSONObject = [
            "subject": .string(outline.subject.rawValue),
            "resources": .array(JSONArray(isData ? document.data.resources.map { .object(resource($0)) } : [])),
            "included": .number(JSONNumber(document.included?.count ?? 0)),
            "errors": .array(JSONArray(document.members.contains(name: "errors") ? outline.errors.map(\.json) : [])),
        ]
        if let file { members = JSONObject(members: [.init(name: "file", value: .string(file))] + Array(members)) }
        for name in ["atomic:operations", "atomic:results"] { members[String(name.dropFirst(7))] = document.members[name] }
        for name in ["links", "meta", "jsonapi"] { members[name] = document.members[name] }
        members["diagnostics"] = .array(JSONArray(diagnostics.map { .object(diagnostic($0)) }))
        if diagnostics.omittedCount > 0 { members["omittedDiagnostics"] = .object(omitted) }
        return members
    }

    /// How many diagnostics of each kind are left out.
    private var omitted: JSONObject {
        var kept: [Diagnostic.Kind: Int] = [:]
        for diagnostic in diagnostics { kept[diagnostic.kind, default: 0] += 1 }
        let counts = diagnostics.kinds.map { (name: $0.description, count: diagnostics.count(of: $0) - (kept[$0] ?? 0)) }
        return JSONObject(
            members: counts.filter { $0.count > 0 }.sorted { $0.name < $1.name }
                .map { .init(name: $0.name, value: .number(JSONNumber($0.count))) })
    }

    private func diagnostic(_ diagnostic: Diagnostic) -> JSONObject {
        [
            "kind": .string(diagnostic.kind.description), "pointer": .string(diagnostic.pointer.description),
            "message": .string(diagnostic.message),
        ]
    }

    private func resource(_ resource: ResourceObject) -> JSONObject {
        var members = identity(resource.type, resource.id, resource.lid)
        members["attributes"] = .object(resource.attributes ?? [:])
        members["relationships"] = .object(
            JSONObject(
                members: (resource.relationships?.members ?? [:]).map { member in
                    .init(name: member.name, value: .object(relationship(member.value)))
                }))
        for name in ["links", "meta"] { members[name] = resource.members[name] }
        return members
    }

    private func identity(_ type: String, _ id: String?, _ lid: String?) -> JSONObject {
        var members: JSONObject = ["type": .string(type)]
        if let id { members["id"] = .string(id) }
        if let lid { members["lid"] = .string(lid) }
        return members
    }

    private func relationship(_ json: JSON) -> JSONObject {
        let object = RelationshipObject(json: json)
        let data = object?.data ?? .absent
        var members: JSONObject = ["state": .string(state(of: object, data))]
        members["targets"] = .array(JSONArray(data.identifiers.map { .object(target($0)) }))
        for name in ["links", "meta"] { members[name] = object?.members[name] }
        return members
    }

    private func state(of object: RelationshipObject?, _ data: Linkage) -> String {
        guard let object else { return "unreadable" }
        switch data {
        case .absent: return object.members.contains(name: "data") ? "unreadable" : "notLoaded"
        case .null: return "none"
        case .one: return "loaded"
        case .many(let identifiers): return identifiers.isEmpty ? "empty" : "loaded"
        }
    }

    private func target(_ identifier: ResourceIdentifier) -> JSONObject {
        var members = identity(identifier.type, identifier.id, identifier.lid)
        let position = outline.catalog.position(of: identifier)
        let place = position.map { $0 < outline.catalog.primaryCount ? "primary" : "included" } ?? "no"
        members["found"] = .string(place)
        if let meta = identifier.meta { members["meta"] = .object(meta) }
        return members
    }
}
