import JSONAPICodec
import JSONText

/// The facts that a reader finds in a document, in the form of `expect` in an index.
struct DocumentFacts {
    private(set) var facts = JSONObject()
    private var links = JSONObject()

    init(_ document: DocumentObject) {
        switch document.data {
        case .absent: facts["primary"] = "absent"
        case .null: facts["primary"] = "null"
        case .one: facts["primary"] = "object"
        case .many(let resources):
            facts["primary"] = "array"
            facts["count"] = count(resources)
        }
        facts["data"] = data(document.data, JSONPointer("data"))
        if let included = document.included {
            facts["included_count"] = count(included)
            facts["included"] = list(included.enumerated().map { resource($1, JSONPointer("included").appending($0)) })
        }
        add(document.links, JSONPointer())
        facts["meta"] = document.meta.map(names)
        facts["jsonapi"] = document.jsonapi.map(jsonapi)
        if let errors = document.errors {
            facts["errors"] = list(errors.enumerated().map { error($1, JSONPointer("errors").appending($0)) })
        }
        for part in ["operations", "results"] {
            guard let array = document[member: "atomic:" + part]?.array else { continue }
            let place = JSONPointer("atomic:" + part)
            facts[part] = list(array.enumerated().map { step($1, place.appending($0)) })
        }
        if !links.isEmpty { facts["links"] = .object(links) }
    }

    /// Returns the facts of a part of a document; nil for an unknown part.
    init?(_ json: JSON, asFragment part: String) {
        switch part {
        case "document":
            guard let document = DocumentObject(json: json) else { return nil }
            self = DocumentFacts(document)
        case "resource":
            guard let object = ResourceObject(json: json) else { return nil }
            facts["resource"] = resource(object, JSONPointer())
            if !links.isEmpty { facts["links"] = .object(links) }
        case "data":
            guard let primary = PrimaryData(json: json) else { return nil }
            facts["data"] = data(primary, JSONPointer())
        case "links":
            guard let all = Links(json: json) else { return nil }
            facts["links"] = .object(JSONObject(members: all.map { .init(name: $0.name, value: address($0.link)) }))
        case "error":
            guard let object = ErrorObject(json: json) else { return nil }
            facts["status"] = text(object.status)
            facts["source"] = object.source?.json
            facts["meta"] = object.meta.map { .object($0) }
        default: return nil
        }
    }

    /// One line for each fact that differs, is missing, or is unexpected.
    func differences(from expected: JSONObject) -> [String] {
        // Remarks are only for people.
        let all = Set(expected.names).union(facts.names).subtracting(["remarks"])
        return all.sorted().compactMap { name in
            let wanted = expected[name].map(Self.inOrder)
            let found = facts[name].map(Self.inOrder)
            if wanted == found { return nil }
            return "\(name): expected \(wanted.map { "\($0)" } ?? "nothing"), found \(found.map { "\($0)" } ?? "nothing")"
        }
    }

    /// Lists of texts are compared as sets: names, and the URIs of `jsonapi`.
    private static func inOrder(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            return .object(JSONObject(members: object.map { .init(name: $0.name, value: inOrder($0.value)) }))
        case .array(let array):
            let texts = array.compactMap(\.string)
            if texts.count == array.count { return .array(JSONArray(texts.sorted().map { .string($0) })) }
            return .array(JSONArray(array.map(inOrder)))
        default: return json
        }
    }

    // MARK: - Resources

    private mutating func data(_ data: PrimaryData, _ place: JSONPointer) -> JSON? {
        switch data {
        case .absent, .null: nil
        case .one(let object): resource(object, place)
        case .many(let objects): list(objects.enumerated().map { resource($1, place.appending($0)) })
        }
    }

    private mutating func resource(_ object: ResourceObject, _ place: JSONPointer) -> JSON {
        var found = JSONObject()
        found["type"] = object.members["type"]
        found["id"] = text(object.id)
        found["lid"] = text(object.lid)
        found["attributes"] = object.attributes.map(names)
        found["meta"] = object.meta.map(names)
        add(object.links, place)
        if let relationships = object.relationships {
            var all = JSONObject()
            for (name, relationship) in relationships {
                all.append(name: name, value: linkage(relationship.data))
                add(relationship.links, place.appending("relationships").appending(name))
            }
            found["relationships"] = .object(all)
        }
        return .object(found)
    }

    private func linkage(_ linkage: Linkage) -> JSON {
        var found = JSONObject()
        switch linkage {
        case .absent: found["linkage"] = "absent"
        case .null, .one: found["linkage"] = "to-one"
        case .many: found["linkage"] = "to-many"
        }
        if linkage != .absent { found["ids"] = list(linkage.identifiers.map(identity)) }
        return .object(found)
    }

    private func identity(_ identifier: ResourceIdentifier) -> JSON {
        var found = JSONObject()
        found["type"] = .string(identifier.type)
        found["id"] = text(identifier.id)
        found["lid"] = text(identifier.lid)
        return .object(found)
    }

    // MARK: - The rest

    private func jsonapi(_ object: JSONAPIObject) -> JSON {
        var found = JSONObject()
        found["version"] = text(object.version)
        found["ext"] = object.ext.map { list($0.map { .string($0) }) }
        found["profile"] = object.profile.map { list($0.map { .string($0) }) }
        return .object(found)
    }

    private mutating func error(_ object: ErrorObject, _ place: JSONPointer) -> JSON {
        add(object.links, place)
        var found = JSONObject()
        found["id"] = text(object.id)
        found["status"] = text(object.status)
        found["code"] = text(object.code)
        found["source.pointer"] = text(object.source?.pointerText)
        found["source.parameter"] = text(object.source?.parameter)
        found["source.header"] = text(object.source?.header)
        return .object(found)
    }

    /// An operation or a result of the Atomic Operations extension.
    private mutating func step(_ json: JSON, _ place: JSONPointer) -> JSON {
        var found = JSONObject()
        for name in ["op", "ref", "href"] { found[name] = json[name] }
        if let primary = PrimaryData(json: json["data"]) {
            found["data"] = primary == .null ? "null" : data(primary, place.appending("data"))
        }
        return .object(found)
    }

    private mutating func add(_ found: Links?, _ place: JSONPointer) {
        for (name, link) in found ?? [:] {
            let pointer = place.appending("links").appending(name)
            links.append(name: "\(pointer)", value: address(link))
        }
    }

    private func address(_ link: DocumentLink) -> JSON { link.href.map { .string($0) } ?? .null }

    private func names(_ object: JSONObject) -> JSON {
        list(object.names.filter { !$0.hasPrefix("@") && !$0.contains(":") }.map { .string($0) })
    }

    private func text(_ text: String?) -> JSON? { text.map { .string($0) } }

    private func count(_ resources: [ResourceObject]) -> JSON { .number(JSONNumber(resources.count)) }

    private func list(_ elements: [JSON]) -> JSON { .array(JSONArray(elements)) }
}
