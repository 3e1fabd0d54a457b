import Foundation
import JSONAPICodec
import JSONAPIRules
import JSONText

/// One operation in a request of the Atomic Operations extension, as a server reads it.
///
/// ```swift
/// switch (operation.code, operation.type, operation.relationship) {
/// case (.add, "articles", nil): try store.insert(operation.resource(Article.self))
/// case (.update, "articles", nil): try store.change(operation.changes(Article.self))
/// case (.remove, "articles", nil): try store.delete(operation.target?.id)
/// case (.add, "articles", "tags"): try store.tag(operation.target?.id, operation.linkage.identifiers)
/// default: throw ErrorDocument(errors: [ErrorObject(status: "403", title: "Not supported")])
/// }
/// ```
///
/// Specification: <https://jsonapi.org/ext/atomic/#operation-objects>
public struct ReceivedOperation: Sendable {
    /// The kind of an operation.
    public enum Code: String, Sendable, Hashable {
        /// Creates a resource, or adds resources to a to-many relationship.
        case add
        /// Changes a resource, or replaces the linkage of a relationship.
        case update
        /// Deletes a resource, or removes resources from a to-many relationship.
        case remove
    }

    /// The position among the operations, counted from 0.
    public let index: Int
    /// The kind of the operation.
    public let code: Code
    /// The operation as it was sent. The lids of resources that earlier operations created are replaced by ids.
    public private(set) var members: JSONObject

    /// The place of the operation in the request.
    private let place: [String]
    private let decoder: JSONAPIDecoder
    /// The lid of the resource that the operation creates.
    private(set) var made: ResourceIdentifier?

    init(_ json: JSON, at index: Int, _ decoder: JSONAPIDecoder) throws {
        self.index = index
        self.decoder = decoder
        place = ["atomic:operations", String(index)]
        guard case .object(let members) = json else {
            throw RequestRefusal.error(400, "Not an operation", "Expected an object.", at: place)
        }
        guard let code = members["op"]?.string.flatMap(Code.init) else {
            throw RequestRefusal.error(
                400, "Unknown operation", "Expected `op`: `add`, `update` or `remove`.", at: members["op"] == nil ? place : place + ["op"])
        }
        self.code = code
        self.members = members
        try check()
        if code == .add, relationship == nil, let new = members["data"], let type = new["type"]?.string, let lid = new["lid"]?.string {
            made = ResourceIdentifier(type: type, lid: lid)
        }
    }
}

// MARK: - Contents

extension ReceivedOperation {
    /// The address of the target; nil when `ref` or the data names it.
    public var href: String? { members["href"]?.string }

    /// The resource to change or delete, or the resource of the relationship to change. Nil when an address names it, and for a new
    /// resource.
    public var target: ResourceIdentifier? {
        if code == .add, relationship == nil { return nil }
        let name = code == .update && href == nil && members["ref"] == nil ? "data" : "ref"
        guard let target = members[name].flatMap(ResourceIdentifier.init(json:)) else { return nil }
        return ResourceIdentifier(type: target.type, id: target.id, lid: target.id == nil ? target.lid : nil, meta: nil)
    }

    /// The name of the relationship to change; nil for operations on resources, and when an address names it.
    public var relationship: String? { members["ref"]?["relationship"]?.string }

    /// The type of the target, or of the resource to be created. Nil when an address names the target: data such as `{"type": "people",
    /// "id": "9"}` may be the linkage of a relationship at that address.
    public var type: String? { target?.type ?? (code == .add || href == nil ? members["data"]?["type"]?.string : nil) }

    /// The data as a resource object; nil when it is not an object.
    public var object: ResourceObject? { members["data"]?.object.map { ResourceObject(members: $0) } }

    /// The data as linkage; `.absent` when it is not linkage, such as the resource object of an operation on a resource. The identifiers
    /// have only the members that the specification defines. Their types are not checked: compare them with those that the relationship
    /// accepts.
    public var linkage: Linkage {
        guard relationship != nil || href != nil, let data = members["data"] else { return .absent }
        // At an address, which can be that of a relationship, only an update takes a single identifier.
        if relationship == nil, data.object != nil, code != .update || !Self.isBareIdentity(data) { return .absent }
        return Linkage(json: data)?.withoutAdditionalMembers ?? .absent
    }

    /// Information that the specification does not define.
    public var meta: JSONObject? { members["meta"]?.object }

    /// Returns the resource to be created, as a model.
    ///
    /// Throws what `JSONAPIDecoder.decodeNew(_:from:encoder:ignoringUnknownNames:)` throws.
    public func resource<Model: Resource>(
        _ type: Model.Type, encoder: JSONAPIEncoder? = nil, ignoringUnknownNames: Bool = false
    ) throws -> Model {
        try reader.decodeNew(type, from: text, encoder: encoder, ignoringUnknownNames: ignoringUnknownNames)
    }

    /// Returns the changes to a resource.
    ///
    /// Throws what `Changes.init(_:for:decoder:)` throws for a document with this data, and `ErrorDocument` with status 409 when `ref` names
    /// another resource than the data.
    public func changes<Model: Resource>(_ type: Model.Type) throws -> Changes<Model> {
        guard let object else {
            throw RequestRefusal.error(400, "No resource", "Expected `data`, a resource object.", at: [])
        }
        if let type = members["ref"]?["type"]?.string, !UTF8Bytes.areEqual(type, object.type) {
            throw RequestRefusal.error(409, "Another type", "Expected the type that `ref` names.", at: ["data", "type"])
        }
        return try Changes(text, forText: members["ref"]?["id"]?.string, decoder: reader)
    }

    /// A document with the data of the operation.
    private var text: Data {
        get throws { Data(try JSONWriter.unlimited.write(["data": members["data"] ?? .null])) }
    }

    /// A decoder for `text`, whose lines and columns are not those of the request.
    private var reader: JSONAPIDecoder {
        var reader = decoder
        reader.reportsPositions = false
        return reader
    }

    /// Returns an error of this operation as a document. Pointers into the operation's data become pointers into the whole request. A
    /// source with a parameter, a header, or a text that is not a JSON Pointer stays as it is.
    public func errorDocument(_ error: any Error) -> ErrorDocument {
        var document = ErrorDocument(error)
        for position in document.errors.indices {
            var source = document.errors[position].source ?? ErrorSource()
            guard source.parameter == nil, source.header == nil, source.pointer != nil || source.pointerText == nil else { continue }
            let tokens = source.pointer?.tokens ?? []
            guard tokens.first != "atomic:operations" else { continue }
            source.pointer = JSONPointer(tokens: place + tokens)
            document.errors[position].source = source
        }
        return document
    }
}

// MARK: - Checks

extension ReceivedOperation {
    /// Throws 400 when the specification does not allow the operation.
    private func check() throws {
        let (ref, href) = (members["ref"], members["href"])
        if ref != nil, href != nil { throw refusal("Two targets", "Expected `ref` or `href`, not both.") }
        if let href {
            guard let text = href.string, decoder.mode != .strict || URIText(text).isReference else {
                throw refusal("No address", "Expected a string, a URI reference.", at: "href")
            }
        }
        if let meta = members["meta"], meta.object == nil { throw refusal("No meta", "Expected an object.", at: "meta") }
        try checkNames(of: members, ["op", "ref", "href", "data", "meta"])
        if let ref { try check(ref) }
        let data = members["data"]
        if relationship != nil {
            try checkLinkage(data)
        } else if ref != nil || href == nil {
            try checkResource(data, hasTarget: ref != nil)
        } else {
            try checkData(data)
        }
    }

    /// Checks the data for an address, which can be that of a resource or of a relationship.
    private func checkData(_ data: JSON?) throws {
        switch data {
        case nil where code == .remove: return
        case nil: throw refusal("No data", "Expected `data`, a resource object or linkage.")
        case .null? where code == .add: throw refusal("No data", "Expected a resource object, or an array of identifiers.", at: "data")
        case .array?: try checkLinkage(data)
        case .null?: return
        case _? where code == .remove: throw refusal("No linkage", "Expected no `data`, or an array of identifiers.", at: "data")
        case let data? where code == .update && Self.isBareIdentity(data): try checkLinkage(data)
        case let data?: try checkObject(data)
        }
    }

    private func check(_ ref: JSON) throws {
        if ref["id"] != nil, ref["lid"] != nil { throw refusal("Two targets", "Expected either `id` or `lid`, not both.", at: "ref") }
        guard ref["type"] != nil, (ref["id"] == nil) != (ref["lid"] == nil) else {
            throw refusal("No target", "Expected an object with `type` and either `id` or `lid`.", at: "ref")
        }
        for name in ["type", "id", "lid"] where ref[name] != nil && ref[name]?.string == nil {
            throw refusal("No target", "Expected a string.", at: "ref", name)
        }
        if decoder.mode == .strict, let type = ref["type"]?.string, !MemberName.isLegal(type) {
            throw refusal("No type", "Expected a member name.", at: "ref", "type")
        }
        try checkNames(of: ref.object ?? JSONObject(), ["type", "id", "lid", "relationship"], at: "ref")
        guard let relationship = ref["relationship"] else { return }
        guard let name = relationship.string else { throw refusal("No relationship", "Expected a string.", at: "ref", "relationship") }
        // It follows the rules for a relationship of this name.
        try checkRules(of: ["type": "any", "relationships": [name: ["data": nil]]]) { _ in ["ref", "relationship"] }
    }

    /// In strict mode, throws for a member that the specification does not define. @-members and members of extensions are accepted.
    private func checkNames(of members: JSONObject, _ defined: [String], at path: String...) throws {
        guard decoder.mode == .strict else { return }
        for name in members.names where !defined.contains(where: { UTF8Bytes.areEqual($0, name) }) {
            let kind = MemberName(name)
            if kind == .at || kind == .ofExtension { continue }
            throw RequestRefusal.error(400, "Unknown member", "Expected no other members.", at: place + path + [name])
        }
    }

    private func checkLinkage(_ data: JSON?) throws {
        guard let data else { throw refusal("No linkage", "Expected `data`, the linkage of the relationship.") }
        try checkRules(of: ["type": "linkage", "relationships": ["linkage": ["data": data]]]) { ["data"] + $0.dropFirst(4) }
        guard let linkage = Linkage(json: data) else {
            let index = data.array?.firstIndex { ResourceIdentifier(json: $0) == nil }
            let path = ["data"] + (index.map { [String($0)] } ?? [])
            throw RequestRefusal.error(400, "No linkage", "Expected the linkage of the relationship.", at: place + path)
        }
        if code != .update, data.array == nil {
            throw refusal("No linkage", "Expected an array, because only a to-many relationship has members.", at: "data")
        }
        let objects = data.array.map(Array.init) ?? [data]
        for (index, (object, identifier)) in zip(objects, linkage.identifiers).enumerated() {
            guard Self.isIdentified(object, identifier) else {
                let path = data.array == nil ? ["data"] : ["data", String(index)]
                throw RequestRefusal.error(400, "No identity", "Expected `id` or `lid`.", at: place + path)
            }
        }
    }

    /// Throws for a resource object that the decoder refuses in the data of a request. `path` returns the path in the operation for one in a
    /// document of the resource.
    private func checkRules(of resource: JSON, _ path: ([String]) -> [String]) throws {
        do { try decoder.check(resource) } catch { throw RequestRefusal.moved(error) { place + path($0) } }
    }

    /// Whether an object has nothing that only resource objects have, and may be an identifier.
    private static func isBareIdentity(_ data: JSON) -> Bool {
        ["attributes", "relationships", "links"].allSatisfy { data[$0] == nil }
    }

    private func checkResource(_ data: JSON?, hasTarget: Bool) throws {
        switch code {
        case .remove where hasTarget:
            if data ?? .null == .null { return }
            throw refusal("No relationship", "Expected no `data`, or a `relationship` in `ref` to remove members of it.", at: "ref")
        case .remove: throw refusal("No target", "Expected `ref` or `href`.")
        case .add, .update:
            if hasTarget, data?.array != nil {
                throw refusal("No relationship", "Expected a resource object as `data`, or a `relationship` in `ref`.", at: "ref")
            }
            guard let data else { throw refusal("No resource", "Expected `data`, a resource object with a `type`.") }
            try checkObject(data)
        }
    }

    /// Checks a resource object to be created or changed.
    private func checkObject(_ data: JSON) throws {
        guard let identifier = ResourceIdentifier(json: data) else {
            throw refusal("No resource", "Expected a resource object with a `type`.", at: "data")
        }
        try checkRules(of: data) { $0 }
        guard code == .add || Self.isIdentified(data, identifier) else {
            throw refusal("No id", "Expected the id of the resource to change.", at: "data")
        }
    }

    /// Whether an object has an id or a lid, and none that cannot be read. A lid beside such an id would not be resolved.
    private static func isIdentified(_ object: JSON, _ identifier: ResourceIdentifier) -> Bool {
        if object["id"] != nil, identifier.id == nil { return false }
        if object["lid"] != nil, identifier.lid == nil { return false }
        return identifier.id != nil || identifier.lid != nil
    }

    /// Returns an error with status 400 at the given place in the operation.
    func refusal(_ title: String, _ detail: String, at path: String...) -> ErrorDocument {
        RequestRefusal.error(400, title, detail, at: place + path)
    }
}

// MARK: - Local ids

extension ReceivedOperation {
    /// Returns the operation with ids in place of lids. Throws 400 for a lid that no earlier operation created, and 500 if its result had no
    /// id.
    func resolved(_ ids: [ResourceIdentifier: String?]) throws -> ReceivedOperation {
        var copy = self
        if let ref = members["ref"] { copy.members["ref"] = try Self.resolved(ref, ids, at: place + ["ref"]) }
        switch members["data"] {
        case .object(let data)? where relationship == nil: copy.members["data"] = try resolved(resource: data, ids, at: place + ["data"])
        case let data?: copy.members["data"] = try resolved(linkage: data, ids, at: place + ["data"])
        case nil: break
        }
        return copy
    }

    private func resolved(resource: JSONObject, _ ids: [ResourceIdentifier: String?], at place: [String]) throws -> JSON {
        var object = ResourceObject(members: try Self.resolved(.object(resource), ids, keeping: made, at: place).object ?? resource)
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) {
            guard let data = relationship.members["data"] else { continue }
            object[relationship: name]?.members["data"] = try resolved(linkage: data, ids, at: place + ["relationships", name, "data"])
        }
        return object.json
    }

    private func resolved(linkage: JSON, _ ids: [ResourceIdentifier: String?], at place: [String]) throws -> JSON {
        guard let array = linkage.array else { return try Self.resolved(linkage, ids, keeping: made, at: place) }
        return .array(JSONArray(try array.enumerated().map { try Self.resolved($1, ids, keeping: made, at: place + [String($0)]) }))
    }

    /// Returns an object that identifies a resource, with the id in place of a lid. The resource to be created, `made`, keeps its lid.
    private static func resolved(
        _ json: JSON, _ ids: [ResourceIdentifier: String?], keeping made: ResourceIdentifier? = nil, at place: [String]
    ) throws -> JSON {
        guard let members = json.object, members["id"] == nil, let lid = members["lid"]?.string, let type = members["type"]?.string
        else { return json }
        let identifier = ResourceIdentifier(type: type, lid: lid)
        if identifier == made { return json }
        guard let known = ids[identifier] else {
            throw RequestRefusal.error(400, "Unknown lid", "No earlier operation creates a resource with this lid.", at: place + ["lid"])
        }
        guard let id = known else {
            throw RequestRefusal.error(
                500, "Unknown id", "The server created the resource with this lid, but its result has no id.", at: place + ["lid"])
        }
        // In the same position, so that the order of the members stays.
        return .object(
            JSONObject(members: members.map { UTF8Bytes.areEqual($0.name, "lid") ? .init(name: "id", value: .string(id)) : $0 }))
    }
}
