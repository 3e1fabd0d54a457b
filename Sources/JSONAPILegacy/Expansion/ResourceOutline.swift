import JSONAPICodec
import JSONText

/// The resources of a JSON:API 1.1 document, with an index by identity. The resources in `data` come first.
struct ResourceOutline {
    private let members: JSONObject
    private(set) var resources: [Resource] = []
    private(set) var problems: [ExpansionError.Problem] = []
    private var primaryCount = 0
    private var positions: [IdentityText: Int] = [:]

    struct Resource {
        let object: ResourceObject
        /// The position in `data` or `included`, or nil if `data` is a single resource.
        let place: Int?
        let isIncluded: Bool

        var pointer: JSONPointer {
            let pointer = JSONPointer(isIncluded ? "included" : "data")
            return place.map { pointer.appending($0) } ?? pointer
        }
    }

    /// Reads the top level, and adds to `problems`.
    init(_ document: DocumentObject) {
        members = document.members
        readData()
        primaryCount = resources.count
        readIncluded()
        for position in resources.indices { index(position) }
    }

    /// Returns the resource to which an identifier refers, or nil if it is not in the document.
    func resource(_ identifier: ResourceIdentifier) -> Int? {
        Self.identity(identifier).flatMap { positions[$0] }
    }

    /// The resources in `data`. For bare identifiers, as in the document of a relationship, these are the resources to which they refer.
    var roots: [Int] {
        (0..<primaryCount).map { position in
            let object = resources[position].object
            guard object.isIdentifier, let found = object.identifier.flatMap(resource), !resources[found].object.isIdentifier else {
                return position
            }
            return found
        }
    }

    /// Returns the top level with the given trees as `data`, and without `included`.
    func members(replacing trees: [JSON]) -> JSONObject {
        var members = JSONObject()
        for member in self.members.effectiveMembers where !UTF8Bytes.areEqual(member.name, "included") {
            var value = member.value
            if UTF8Bytes.areEqual(member.name, "data") {
                switch value {
                case .array: value = .array(JSONArray(trees))
                case .object: value = trees.first ?? .null
                default: break
                }
            }
            members.append(name: member.name, value: value)
        }
        return members
    }
}

// MARK: - Reading

extension ResourceOutline {
    private mutating func readData() {
        switch members["data"] {
        case nil, .null: break
        case .object(let object): resources.append(Resource(object: .init(members: object), place: nil, isIncluded: false))
        case .array(let array): read(array, isIncluded: false)
        case let json?: problems.append(.mismatch("a resource, an array of resources or null", json, at: JSONPointer("data")))
        }
    }

    private mutating func readIncluded() {
        switch members["included"] {
        case nil, .null: break
        case .array(let array): read(array, isIncluded: true)
        case let json?: problems.append(.mismatch("an array of resources", json, at: JSONPointer("included")))
        }
    }

    private mutating func read(_ array: JSONArray, isIncluded: Bool) {
        for (place, json) in array.enumerated() {
            if case .object(let object) = json {
                resources.append(Resource(object: .init(members: object), place: place, isIncluded: isIncluded))
            } else {
                let pointer = JSONPointer(isIncluded ? "included" : "data").appending(place)
                problems.append(.mismatch("a resource: an object", json, at: pointer))
            }
        }
    }

    /// Adds a resource to the index. If several resources have the same identity, the first one is used, but a bare identifier in `data`
    /// never hides a resource.
    private mutating func index(_ position: Int) {
        let object = resources[position].object
        guard let identity = object.identifier.flatMap(Self.identity) else { return }
        guard let known = positions[identity] else {
            positions[identity] = position
            return
        }
        if known < primaryCount, resources[known].object.isIdentifier, !object.isIdentifier { positions[identity] = position }
    }

    private static func identity(_ identifier: ResourceIdentifier) -> IdentityText? {
        if let id = identifier.id { return IdentityText(type: identifier.type, id: id) }
        return identifier.lid.map { IdentityText(type: identifier.type, id: $0, isLocal: true) }
    }
}
