import JSONAPICodec
import JSONText

/// What all sample resources of one type have in common.
struct ResourceShape {
    let type: String
    /// The number of resource objects; 0 if there were only identifiers.
    private(set) var count = 0
    private(set) var attributes = ObjectShape()
    private(set) var meta = ObjectShape()
    private(set) var hasLinks = false
    private(set) var lacksID = false
    private(set) var hasLID = false
    private(set) var relationships: [RelationshipShape] = []
    private var positions: [ByteText: Int] = [:]

    init(type: String) { self.type = type }

    /// Adds one resource. `isThere` says whether the document has the resource of an identifier.
    mutating func add(_ resource: ResourceObject, _ reading: ValueShape.Reading, isThere: (ResourceIdentifier) -> Bool) {
        count += 1
        lacksID = lacksID || resource.id == nil
        hasLID = hasLID || resource.lid != nil
        hasLinks = hasLinks || resource.members["links"]?.object != nil
        // The specification tells readers to ignore @-members.
        let isKept = { (name: String) in name.utf8.first != UInt8(ascii: "@") }
        attributes.add(resource.attributes ?? [:], reading, level: 0, isKept: isKept)
        if let object = resource.meta { meta.add(object, reading, level: 0) }
        for member in resource.members["relationships"]?.object ?? [:] where isKept(member.name) {
            guard let object = RelationshipObject(json: member.value) else { continue }
            relationships[position(of: member.name)].add(object, inResource: count, isThere: isThere)
        }
    }

    private mutating func position(of name: String) -> Int {
        let key = ByteText(name)
        if let position = positions[key] { return position }
        positions[key] = relationships.count
        relationships.append(RelationshipShape(name: name))
        return relationships.count - 1
    }
}

/// What the samples say about one relationship.
struct RelationshipShape {
    let name: String
    /// The number of resources that have it.
    private(set) var count = 0
    private(set) var isToOne = false
    private(set) var isToMany = false
    /// Whether `data` is not linkage in a sample.
    private(set) var isMalformed = false
    /// Whether a related resource is in the same document in a sample.
    private(set) var isIncludedSomewhere = false
    /// The types of the related resources, in the order of their first appearance.
    private(set) var targets: [String] = []
    private var known: Set<ByteText> = []
    private var lastResource = 0

    init(name: String) { self.name = name }

    mutating func add(_ object: RelationshipObject, inResource ordinal: Int, isThere: (ResourceIdentifier) -> Bool) {
        if lastResource != ordinal { count += 1 }
        lastResource = ordinal
        switch object.data {
        case .absent: isMalformed = isMalformed || object.members.contains(name: "data")
        case .null: isToOne = true
        case .one(let identifier):
            isToOne = true
            add(identifier, isThere)
        case .many(let identifiers):
            isToMany = true
            for identifier in identifiers { add(identifier, isThere) }
        }
    }

    private mutating func add(_ identifier: ResourceIdentifier, _ isThere: (ResourceIdentifier) -> Bool) {
        isIncludedSomewhere = isIncludedSomewhere || isThere(identifier)
        if known.insert(ByteText(identifier.type)).inserted { targets.append(identifier.type) }
    }

    /// Whether the samples show if the relationship is to-one or to-many.
    var hasCardinality: Bool { isToOne != isToMany && !isMalformed }
}
