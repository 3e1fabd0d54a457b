import JSONText

/// The templates, collections and resources of a legacy document.
///
/// ```
/// {"links": {"posts.author": …},     templates of posts
///  "posts": [{…}, {…}],              collection 0: resources 0 and 1
///  "linked": {"people": {…}}}        collection 1, linked: resource 2
/// ```
struct LegacyOutline {
    let members: JSONObject
    /// Whether there is an entry of the form `collection.relation`.
    private(set) var hasTemplates = false
    /// The templates by collection, in order.
    private(set) var templates: [ByteText: [LegacyTemplate]] = [:]
    /// The entries of the top-level `links` that are not templates.
    private(set) var otherLinks = JSONObject()
    /// The collections that templates name, or all collections. Those at the top level come first.
    private(set) var collections: [Collection] = []
    private(set) var resources: [Resource] = []
    private(set) var problems: [ExpansionError.Problem] = []
    /// The positions of resources by collection and id.
    private var positions: [ByteText: [ByteText: Int]] = [:]

    struct Collection {
        let name: String
        let isLinked: Bool
        /// Whether the collection is an array. Otherwise it is a single resource.
        let isList: Bool
        var resources: Range<Int>
        let templates: [LegacyTemplate]
        /// The relations of the templates.
        let relations: Set<ByteText>

        var pointer: JSONPointer { isLinked ? JSONPointer("linked", name) : JSONPointer(name) }
    }

    struct Resource {
        let collection: Int
        /// The position in the collection.
        let place: Int
        let members: JSONObject
        /// The member `links`, if it is an object.
        let links: JSONObject?
    }

    /// Reads the top level. Throws if it is not an object, and adds other problems to `problems`.
    ///
    /// Collections are those that templates name. With `takesAll`, any other array of objects and any object with an id is a collection,
    /// too.
    init(_ json: JSON, takesAll: Bool = false) throws(ExpansionError) {
        guard case .object(let members) = json else {
            throw ExpansionError(.notAnObject, at: .root, "expected an object, found \(json.kindName)")
        }
        self.members = members
        let names = readTemplates()
        readCollections(members, isLinked: false) { names.contains($0) ? .named : takesAll ? .other : .none }
        if let linked = members["linked"]?.object {
            readCollections(linked, isLinked: true) { names.contains($0) ? .named : takesAll ? .other : .none }
        }
    }
}

// MARK: - Look-up

extension LegacyOutline {
    /// Returns the first resource of a collection with an id. Resources at the top level come first.
    func resource(_ type: String, id: String) -> Int? { positions[ByteText(type)]?[ByteText(id)] }

    func templates(of resource: Resource) -> [LegacyTemplate] { collections[resource.collection].templates }

    func pointer(to resource: Resource) -> JSONPointer {
        let collection = collections[resource.collection]
        return collection.isList ? collection.pointer.appending(resource.place) : collection.pointer
    }

    /// Returns the problem of a relation with the name of another member of its resource.
    func conflict(_ relation: String, of resource: Resource) -> ExpansionError.Problem {
        .init(
            .nameConflict, at: pointer(to: resource).appending(relation),
            "a template adds a relation with the name of this member; rename one of them")
    }

    /// Returns an id: the text of a string or number.
    static func id(_ json: JSON?) -> String? {
        switch json {
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
    }
}

// MARK: - Reading

extension LegacyOutline {
    /// Reads the top-level `links`, and returns the names of all collections in it.
    private mutating func readTemplates() -> Set<ByteText> {
        guard let links = members["links"]?.object else { return [] }
        var names: Set<ByteText> = []
        for member in links.effectiveMembers {
            guard let name = LegacyTemplate.Name(member.name), !member.value.isNull else {
                otherLinks.append(name: member.name, value: member.value)
                continue
            }
            hasTemplates = true
            var found: [ExpansionError.Problem] = []
            let template = LegacyTemplate(member.value, relation: name.relation, at: JSONPointer("links", member.name), &found)
            templates[ByteText(name.collection), default: []].append(template)
            names.insert(ByteText(name.collection))
            if let type = template.type { names.insert(ByteText(type)) }
            // The template of a missing collection is not used, so its problems do not matter.
            if isPresent(name.collection) { problems += found }
        }
        names.subtract(LegacyTemplate.Name.reserved.map { ByteText($0) })
        return names
    }

    private func isPresent(_ collection: String) -> Bool {
        members.contains(name: collection) || members["linked"]?[collection] != nil
    }

    private enum Interest { case none, named, other }

    private mutating func readCollections(_ members: JSONObject, isLinked: Bool, _ interest: (ByteText) -> Interest) {
        for member in members.effectiveMembers where isLinked || !LegacyTemplate.Name.reserved.contains(member.name) {
            switch interest(ByteText(member.name)) {
            case .none: break
            case .named: read(member, isLinked: isLinked)
            case .other: if Self.isCollection(member) { read(member, isLinked: isLinked) }
            }
        }
    }

    /// Returns whether a value that no template names looks like a collection.
    private static func isCollection(_ member: JSONObject.Member) -> Bool {
        switch member.value {
        case _ where member.name == "errors": false
        case .array(let array): array.allSatisfy { $0.object != nil }
        case .object(let members): id(members["id"]) != nil
        default: false
        }
    }

    private mutating func read(_ member: JSONObject.Member, isLinked: Bool) {
        let start = resources.count
        let name = ByteText(member.name)
        let templates = templates[name] ?? []
        var collection = Collection(
            name: member.name, isLinked: isLinked, isList: member.value.array != nil, resources: start..<start, templates: templates,
            relations: Set(templates.map { ByteText($0.relation) }))
        switch member.value {
        case .null: break
        case .object(let members): add(members, place: 0)
        case .array(let array):
            for (place, json) in array.enumerated() {
                if case .object(let members) = json {
                    add(members, place: place)
                } else {
                    problems.append(.mismatch("a resource: an object", json, at: collection.pointer.appending(place)))
                }
            }
        default: problems.append(.mismatch("resources: an array or an object", member.value, at: collection.pointer))
        }
        collection.resources = start..<resources.count
        collections.append(collection)
        var positions = positions[name] ?? [:]
        for position in collection.resources {
            guard let id = Self.id(resources[position].members["id"]) else { continue }
            let identity = ByteText(id)
            if positions[identity] == nil { positions[identity] = position }
        }
        self.positions[name] = positions
    }

    private mutating func add(_ members: JSONObject, place: Int) {
        resources.append(Resource(collection: collections.count, place: place, members: members, links: members["links"]?.object))
    }
}
