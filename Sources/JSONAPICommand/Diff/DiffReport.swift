import JSONAPICodec
import JSONAPIComparison
import JSONText

/// The difference of two documents as one JSON object for programs.
struct DiffReport {
    private let comparison: DocumentComparison

    init(_ comparison: DocumentComparison) { self.comparison = comparison }

    /// The text of the object.
    var text: String {
        get throws {
            var writer = JSONWriter(style: .indented(spaces: 2))
            // Values lie some levels deeper here than in the documents.
            writer.maximumDepth += 8
            return try writer.string([
                "equal": .bool(comparison.areEqual),
                "document": .array(JSONArray(comparison.document.map { .object(object($0)) })),
                "resources": .array(JSONArray(comparison.resources.map { .object(object($0)) })),
            ])
        }
    }

    private func object(_ change: ChangedResource) -> JSONObject {
        let resource = change.resource
        var members: JSONObject = ["change": .string(DiffReport.name(of: change.kind)), "type": .string(resource.type)]
        if let id = resource.id { members["id"] = .string(id) }
        if let lid = resource.lid { members["lid"] = .string(lid) }
        members["place"] = .string(change.place.rawValue)
        if let place = change.formerPlace { members["formerPlace"] = .string(place.rawValue) }
        switch change.kind {
        case .added, .removed: members["resource"] = resource.json
        case .changed: members["changes"] = .array(JSONArray(change.changes.map { .object(object($0)) }))
        }
        return members
    }

    private static func name(of kind: ChangedResource.Kind) -> String {
        switch kind {
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        }
    }

    private func object(_ change: Change) -> JSONObject {
        let pointer = JSON.string(JSONPointer(tokens: change.path).description)
        switch change.kind {
        case .added(let value): return ["change": "added", "pointer": pointer, "new": value]
        case .removed(let value): return ["change": "removed", "pointer": pointer, "old": value]
        case .changed(let old, let new): return ["change": "changed", "pointer": pointer, "old": old, "new": new]
        case .relinked(let added, let removed):
            return [
                "change": "relinked", "pointer": pointer, "added": .array(JSONArray(added.map(\.json))),
                "removed": .array(JSONArray(removed.map(\.json))),
            ]
        case .reordered: return ["change": "reordered", "pointer": pointer]
        case .reshaped(let old, let new):
            return ["change": "reshaped", "pointer": pointer, "old": .string(old.rawValue), "new": .string(new.rawValue)]
        }
    }
}
