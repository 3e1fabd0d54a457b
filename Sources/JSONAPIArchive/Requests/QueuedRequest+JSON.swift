import Foundation
import JSONAPICodec
import JSONText

// The form of a request in a file:
//
//     {"operation": "update", "target": {"type": "articles", "id": "1"}, "state": "failed", "entityTag": "\"v1\"",
//      "document": {"data": …}, "error": {"status": 422, "document": {"errors": […]}},
//      "undo": {"edit": [{"place": ["attributes", "title"], "value": "Old"}, {"place": ["attributes", "subtitle"]}]}}
//
// `"hasUUID": true` is there if the ids of the model are UUIDs, and `"mayHaveArrived": true` if the server may have carried out the request
// before. `"unsent": {"attributes": …}` has the fields that are changed in the store alone. `"place": {"numbering": "…", "number": 8192}` is the
// place of a deleted resource in the list of its type, and `"leftOut": ["rank"]` are the fields that a creation does not have, because clients
// must not write them.
//
// A place of three names is a member of a relationship, such as its `data`.
// A deletion, and the creation of a resource that the store had, are undone by `{"resource": …}`. A creation is undone by `{"arrived": …}` if
// the server has sent the resource since then. Additions to a relationship and removals are undone by
//
//     {"linkage": {"added": [{"type": "tags", "id": "3"}], "count": 2, "order": 1234567,
//                  "removed": [{"member": {"type": "tags", "id": "2"}, "previous": {"type": "tags", "id": "1"}}]}}
//
// or, in files of earlier versions, by an edit of the whole relationship. The member "order" is a checksum. Earlier revisions wrote another
// one as "checksum", which did not depend on the order and is not read.

extension QueuedRequest {
    /// All properties except the place in the queue.
    package var json: JSON {
        var members: JSONObject = [
            "operation": .string(operation.description), "target": target.json, "state": .string(state.description),
        ]
        members["relationship"] = relationship.map(JSON.string)
        members["document"] = document?.json
        members["entityTag"] = entityTag.map(JSON.string)
        members["error"] = error.map(Self.json)
        members["unsent"] = unsent?.json
        members["place"] = place?.json
        if !leftOut.isEmpty { members["leftOut"] = .array(JSONArray(leftOut.map(JSON.string))) }
        if hasUUID { members["hasUUID"] = true }
        if mayHaveArrived { members["mayHaveArrived"] = true }
        members["undo"] = undo.json
        return .object(members)
    }

    /// Reads what `json` has written. Returns nil for anything else.
    package init?(_ key: RequestKey, _ json: JSON) {
        guard let operation = json["operation"]?.string, let target = json["target"].flatMap(ResourceIdentifier.init(json:)),
            let state = json["state"]?.string
        else { return nil }
        self.init(
            key, Operation(operation), target, relationship: json["relationship"]?.string,
            document: json["document"]?.object.map { DocumentObject(members: $0) }, entityTag: json["entityTag"]?.string,
            undo: Undo(json["undo"], target))
        self.state = State(state)
        unsent = json["unsent"]?.object.map { ResourceObject(members: $0) }
        place = json["place"].flatMap(ListPlace.init)
        leftOut = json["leftOut"]?.array?.compactMap(\.string) ?? []
        hasUUID = json["hasUUID"] == true
        mayHaveArrived = json["mayHaveArrived"] == true
        error = json["error"].map(Self.errorDocument)
    }

    private static func json(_ error: ErrorDocument) -> JSON {
        let document = DocumentObject(errors: error.errors, links: error.links, meta: error.meta, jsonapi: error.jsonapi)
        var members: JSONObject = ["document": document.json]
        members["status"] = error.httpStatus.map { .number(JSONNumber($0)) }
        return .object(members)
    }

    private static func errorDocument(_ json: JSON) -> ErrorDocument {
        let document = DocumentObject(members: json["document"]?.object ?? JSONObject())
        var error = ErrorDocument(errors: document.errors ?? [], meta: document.meta, links: document.links, jsonapi: document.jsonapi)
        error.httpStatus = json["status"]?.int
        return error
    }
}

extension QueuedRequest.Undo {
    fileprivate var json: JSON? {
        switch self {
        case .nothing: return nil
        case .resource(let object): return ["resource": object.json]
        case .arrived(let object): return ["arrived": object.json]
        case .edit(let edit):
            let fields = edit.values.map { place, value in
                var field: JSONObject = ["place": .array(JSONArray(place.tokens.map(JSON.string)))]
                field["value"] = value
                return JSON.object(field)
            }
            return ["edit": .array(JSONArray(fields))]
        case .linkage(let edit): return ["linkage": edit.json]
        }
    }

    fileprivate init(_ json: JSON?, _ target: ResourceIdentifier) {
        if let members = json?["resource"]?.object {
            self = .resource(ResourceObject(members: members))
        } else if let members = json?["arrived"]?.object {
            self = .arrived(ResourceObject(members: members))
        } else if let fields = json?["edit"]?.array {
            let values = fields.map { field in
                (place: JSONPointer(tokens: field["place"]?.array?.compactMap(\.string) ?? []), value: field["value"])
            }
            self = .edit(ResourceEdit(identifier: target, values: values.filter { (1...3).contains($0.place.tokens.count) }))
        } else if let edit = json?["linkage"] {
            self = .linkage(LinkageEdit(edit))
        } else {
            self = .nothing
        }
    }
}

extension LinkageEdit {
    fileprivate var json: JSON {
        let removals = removed.map { removal in
            var members: JSONObject = ["member": removal.member.json]
            members["previous"] = removal.previous?.json
            return JSON.object(members)
        }
        var members: JSONObject = ["added": .array(JSONArray(added.map(\.json))), "count": .number(JSONNumber(count))]
        members["order"] = checksum.map { .number(JSONNumber($0)) }
        if !removals.isEmpty { members["removed"] = .array(JSONArray(removals)) }
        return .object(members)
    }

    /// Leaves out what is not readable.
    fileprivate init(_ json: JSON) {
        added = json["added"]?.array?.compactMap(ResourceIdentifier.init(json:)) ?? []
        removed = (json["removed"]?.array ?? []).compactMap { removal in
            removal["member"].flatMap(ResourceIdentifier.init(json:)).map { member in
                Removal(member: member, previous: removal["previous"].flatMap(ResourceIdentifier.init(json:)))
            }
        }
        count = json["count"]?.int ?? 0
        checksum = json["order"]?.int.flatMap(UInt32.init(exactly:))
    }
}
