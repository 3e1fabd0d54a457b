import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

/// The request body that the arguments of `jsonapi build` describe.
struct BuildRequest {
    private enum Kind: String, CaseIterable {
        case create, update, relationship

        /// The operands that name the resource.
        var identity: [String] {
            switch self {
            case .create: ["TYPE"]
            case .update: ["TYPE", "ID"]
            case .relationship: []
            }
        }

        var identityCount: Int { identity.count }

        var document: ValidationContext.Kind {
            switch self {
            case .create: .create
            case .update: .update
            case .relationship: .relationship
            }
        }
    }

    private let kind: Kind
    private var object: ResourceObject
    private var linkage: Linkage = .absent

    /// Reads the arguments. Throws `UsageError`.
    init(_ arguments: Arguments) throws {
        let operands = arguments.operands
        guard let first = operands.first else { throw UsageError("build needs create, update or relationship", of: "build") }
        guard let kind = Kind(rawValue: first) else {
            throw UsageError.unknown("kind of body", first, known: Kind.allCases.map(\.rawValue), of: "build")
        }
        self.kind = kind
        object = try Self.identity(kind, operands, arguments)
        if kind == .relationship {
            linkage = try Self.linkage(arguments)
        } else {
            try takeFields(arguments)
            try checkID(arguments)
        }
    }

    /// Throws when the only field is in the place of the id, which would be an update of nothing.
    private func checkID(_ arguments: Arguments) throws {
        guard kind == .update, let id = object.id, id.utf8.contains(UInt8(ascii: "=")), !arguments.has("from"),
            object.attributes == nil, object.relationships == nil
        else { return }
        throw UsageError(
            "`\(ShortText.plain(id, limit: 60))` is in the place of the ID; the form is jsonapi build update TYPE ID [FIELD…]", of: "build")
    }

    /// Checks the text of the body. The extensions of the request are not known, so every namespace in the names counts as that of one,
    /// except for Atomic Operations, which defines no fields and has other documents.
    var validator: Validator {
        let fields = [object.attributes, object.relationships?.members].compactMap(\.self).flatMap { $0.map(\.name) }
        let namespaces = fields.compactMap { name in name.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(name[..<$0]) } }
        var validator = Validator(kind.document)
        validator.context.extensions = Set(namespaces).subtracting([ValidationContext.Extension.atomic.namespace]).map {
            ValidationContext.Extension(namespace: $0, uri: "")
        }
        validator.maximumReportBytes = .max
        return validator
    }

    /// Returns the body as text. Throws `EncodingError` if its types, ids and names are not those of a request.
    func encoded(by encoder: JSONAPIEncoder) throws -> Data {
        kind == .relationship ? try encoder.encode(linkage) : try encoder.encode(Create(object))
    }
}

// MARK: - Arguments

extension BuildRequest {
    private static func identity(_ kind: Kind, _ operands: [String], _ arguments: Arguments) throws -> ResourceObject {
        let count = kind.identityCount + 1
        guard kind == .relationship ? operands.count == count : operands.count >= count else {
            let form = (["build", kind.rawValue] + kind.identity).joined(separator: " ")
            throw UsageError("the form is jsonapi \(form)", of: "build")
        }
        let unusable = kind == .create ? [] : ["id", "lid"] + (kind == .relationship ? ["attribute", "from"] : [])
        if let option = unusable.first(where: arguments.has) {
            throw UsageError("--\(option) is not for build \(kind.rawValue)", of: "build")
        }
        let id = kind == .update ? operands[2] : arguments.values(of: "id").last
        let lid = arguments.values(of: "lid").last
        guard id == nil || lid == nil else { throw UsageError("--id and --lid exclude each other", of: "build") }
        return ResourceObject(type: operands.count > 1 ? operands[1] : "", id: id, lid: lid)
    }

    /// `NAME=TEXT`, or `NAME:=JSON`.
    private mutating func takeField(_ text: String) throws {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw UsageError(
                "the field `\(ShortText.plain(text, limit: 60))` does not have the form NAME=TEXT or NAME:=JSON", of: "build")
        }
        let (name, value) = (text[..<equals], text[text.utf8.index(after: equals)...])
        guard name.utf8.last == UInt8(ascii: ":") else {
            object[attribute: String(name)] = .string(String(value))
            return
        }
        do throws(JSONSyntaxError) {
            object[attribute: String(name.dropLast())] = try JSON(parsing: String(value))
        } catch {
            throw UsageError(
                "the value of `\(ShortText.plain(String(name), limit: 60))=` is not JSON: \(error.reason)", of: "build")
        }
    }

    /// Takes the fields in the order in which they are given, so that the last value of a name counts.
    private mutating func takeFields(_ arguments: Arguments) throws {
        var identity = kind.identityCount + 1
        for item in arguments.items {
            switch item.option {
            case nil where identity > 0: identity -= 1
            case nil: try takeField(item.value)
            case let option?: try takeOption(option, item.value)
            }
        }
    }

    private mutating func takeOption(_ option: String, _ text: String) throws {
        switch option {
        case "attribute":
            let (name, value) = try Self.assignment(text, option, "NAME=JSON")
            object[attribute: name] = (try? JSON(parsing: value)) ?? .string(value)
        case "to-one":
            let (name, value) = try Self.assignment(text, option, "NAME=TYPE:ID or NAME=null")
            object[relationship: name] = RelationshipObject(data: try Self.toOne(value))
        case "to-many":
            let (name, value) = try Self.assignment(text, option, "NAME=TYPE:ID,ID,…")
            object[relationship: name] = RelationshipObject(data: try Self.toMany(value))
        default: break
        }
    }

    private static func linkage(_ arguments: Arguments) throws -> Linkage {
        switch (arguments.values(of: "to-one").last, arguments.values(of: "to-many").last) {
        case (let one?, nil): return try toOne(one)
        case (nil, let many?): return try toMany(many)
        case (nil, nil): throw UsageError("build relationship needs --to-one or --to-many", of: "build")
        default: throw UsageError("build relationship takes --to-one or --to-many, not both", of: "build")
        }
    }

    private static func assignment(_ text: String, _ option: String, _ form: String) throws -> (name: String, value: String) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw UsageError("--\(option) `\(ShortText.plain(text, limit: 60))` does not have the form \(form)", of: "build")
        }
        return (String(text[..<equals]), String(text[text.utf8.index(after: equals)...]))
    }

    /// `TYPE:ID`, or `null`.
    private static func toOne(_ text: String) throws -> Linkage {
        guard text != "null" else { return .null }
        let (type, id) = try typeAndIDs(text)
        return .one(ResourceIdentifier(type: type, id: id))
    }

    /// `TYPE:ID,ID,…`, nothing, or a JSON array of resource identifiers. A type cannot begin with a bracket.
    private static func toMany(_ text: String) throws -> Linkage {
        guard !text.isEmpty else { return .many([]) }
        let shown = ShortText.plain(text, limit: 60)
        if text.utf8.first == UInt8(ascii: "[") {
            guard let json = try? JSON(parsing: text), let linkage = Linkage(json: json) else {
                throw UsageError("`\(shown)` is not a JSON array of resource identifiers", of: "build")
            }
            return linkage
        }
        let (type, list) = try typeAndIDs(text)
        let ids = list.split(separator: ",", omittingEmptySubsequences: false)
        // A colon after the first id is most likely the end of a type.
        guard !ids.dropFirst().contains(where: { $0.utf8.contains(UInt8(ascii: ":")) }) else {
            throw UsageError(
                "`\(shown)` has a colon after its first id; write several types, or ids with colons, as a JSON array", of: "build")
        }
        return .many(ids.map { ResourceIdentifier(type: type, id: String($0)) })
    }

    /// The type ends at the first colon, because a type cannot contain one.
    private static func typeAndIDs(_ text: String) throws -> (type: String, ids: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw UsageError("`\(ShortText.plain(text, limit: 60))` does not have the form TYPE:ID", of: "build")
        }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }
}

// MARK: - A flat object

extension BuildRequest {
    /// Adds the members of a flat JSON object that no argument gives. Throws `Fault`.
    mutating func takeFields(from file: String, _ text: Data) throws {
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: text) } catch { throw Fault(error, in: text, file: file) }
        guard case .object(let members) = json else {
            throw Fault(file: file, pointer: .root, kind: "wrongType", message: "expected a flat JSON object")
        }
        let given = object
        object = ResourceObject(type: given.type, id: given.id, lid: given.lid)
        for name in ["type", "id", "lid"] {
            if let value = members[name] { try takeIdentity(name, value, file, isGiven: given.id != nil || given.lid != nil) }
        }
        for member in members where !["type", "id", "lid"].contains(member.name) { takeField(member.name, member.value) }
        for member in given.attributes ?? JSONObject() {
            if object[relationship: member.name] != nil { object[relationship: member.name] = nil }
            object[attribute: member.name] = member.value
        }
        for (name, relationship) in given.relationships ?? Relationships(members: JSONObject()) {
            // An attribute of that name in the arguments stays, and is an error.
            if given[attribute: name] == nil { object[attribute: name] = nil }
            object[relationship: name] = relationship
        }
    }

    /// Takes a member of the identity, unless an option gives the identity.
    private mutating func takeIdentity(_ name: String, _ value: JSON, _ file: String, isGiven: Bool) throws {
        guard let text = value.string else {
            throw Fault(file: file, pointer: JSONPointer(name), kind: "wrongType", message: "expected a string: the \(name)")
        }
        if name == "type", text != object.type {
            throw Fault(file: file, pointer: JSONPointer("type"), kind: "unexpectedType", message: "expected the type `\(object.type)`")
        }
        guard name != "type", !isGiven else { return }
        guard name == "id" || object.id == nil else {
            throw Fault(file: file, pointer: JSONPointer("lid"), kind: "documentStructure", message: "`id` and `lid` exclude each other")
        }
        if name == "id" { object.id = text } else { object.lid = text }
    }

    private mutating func takeField(_ name: String, _ value: JSON) {
        if let linkage = Self.linkage(value) {
            object[relationship: name] = RelationshipObject(data: linkage)
        } else {
            object[attribute: name] = value
        }
    }

    /// The linkage of an identifier object or an array of them; nil for any other value.
    private static func linkage(_ value: JSON) -> Linkage? {
        func isIdentifier(_ json: JSON) -> Bool {
            guard case .object(let members) = json, members.count == 2, members["type"]?.string != nil else { return false }
            return members["id"]?.string != nil || members["lid"]?.string != nil
        }
        switch value {
        case .object where isIdentifier(value): return Linkage(json: value)
        case .array(let array) where !array.isEmpty && array.allSatisfy(isIdentifier): return Linkage(json: value)
        default: return nil
        }
    }
}
