import JSONAPICodec
import JSONMapping
import JSONText

/// The fields of a model that a schema reads, but does not represent: its own schema, or that of a value in an attribute. No client knows
/// them, so a request keeps them and cannot set them.
struct HiddenFields {
    /// The places in the attributes.
    private var attributes = HiddenMembers()
    /// The names of relationships.
    private let relationships: Set<ByteText>
    /// The paths into attributes at which the model itself has such a field, each beginning with the name of the attribute.
    private let parts: [[String]]

    /// Finds the fields by comparing what the encoder writes with and without them. Nil if a request cannot reach any, because the model has
    /// no schema and the attributes of the request no members.
    ///
    /// - Parameter known: The fields that clients know.
    /// - Complexity: O(size of the model).
    init?(of model: some Resource, for sent: SentResource, _ known: ModelFields, _ encoder: JSONAPIEncoder) throws {
        let hasMembers = sent.object.attributes?.contains { $0.value.object != nil || $0.value.array != nil } == true
        guard hasMembers || model is any SchemaResource else { return nil }
        var whole = encoder
        SchemaSet.write(.places, in: &whole.userInfo)
        let all = try whole.fields(of: model)
        relationships = Set(all.object.relationships?.names.map { ByteText($0) } ?? [])
            .subtracting(known.object.relationships?.names.map { ByteText($0) } ?? [])
        parts = all.parts.filter { !known.parts.contains($0) }
        for member in all.object.attributes ?? JSONObject() {
            let represented = known.object.attributes?[member.name]
            if represented == member.value { continue }
            for path in HiddenPath.all(represented, member.value, at: member.name) { attributes.insert(path[...]) }
        }
        // What is read from another attribute is hidden in it as well.
        for property in all.alternatives { attributes.share(property.name, with: property.fields) }
    }

    /// Throws 422 for each of the fields that a resource of a request has. The model would read it.
    func check(_ sent: SentResource) throws {
        let inAttributes = attributes.found(in: sent.object.attributes.map { .object($0) }).map { ["attributes"] + $0 }
        let linked = sent.object.relationships?.names.filter { relationships.contains(ByteText($0)) } ?? []
        let problems = inAttributes + linked.map { ["relationships", $0] }
        if problems.isEmpty { return }
        throw ErrorDocument(
            errors: ErrorDocument.errors(of: problems) {
                RequestRefusal.object(422, "Unknown field", "The resource has no field of this name here.", at: sent.place(of: $0))
            })
    }

    /// Returns the new value of an attribute with the old values of the fields in it. In an array they are not kept, because nothing shows
    /// which of the new elements is which of the old ones.
    func kept(from old: JSON?, in attribute: JSONObject.Member) -> JSON {
        let new = attribute.value
        guard let old, new.object != nil || new == .null else { return new }
        let whole = attributes.member(attribute.name)?.kept(from: old, in: new) ?? new
        // Null replaces a value with its fields, but not a field of the model itself.
        return AttributeParts.keeping(parts, of: attribute.name, from: old, in: whole) ?? whole
    }
}

/// The places of hidden members in a value.
private struct HiddenMembers {
    /// Whether the value itself is hidden.
    private var isHidden = false
    private var members: [ByteText: HiddenMembers] = [:]
    /// By the number of the element of an array.
    private var elements: [Int: HiddenMembers] = [:]
    /// The number of elements that the array has.
    private var count = 0

    func member(_ name: String) -> HiddenMembers? { members[ByteText(name)] }

    /// Adds a place. Recurses along it.
    mutating func insert(_ path: ArraySlice<HiddenPath.Step>) {
        switch path.first {
        case nil: isHidden = true
        case .member(let name)?: members[ByteText(name), default: HiddenMembers()].insert(path.dropFirst())
        case .element(let number, let count)?:
            self.count = count
            elements[number, default: HiddenMembers()].insert(path.dropFirst())
        }
    }

    /// Adds the places in a member to other members.
    mutating func share(_ name: String, with others: [String]) {
        guard let places = member(name) else { return }
        for other in others where member(other) == nil { members[ByteText(other)] = places }
    }

    /// Returns the paths of the hidden values in a value of a request. Recurses along the places.
    ///
    /// An array can have been read without some of its elements. Then it must not have the places of any of them.
    func found(in value: JSON?) -> [[String]] {
        guard let value else { return [] }
        if isHidden { return [[]] }
        if let array = value.array {
            if elements.isEmpty { return [] }
            let any = array.count == count ? nil : elements.values.reduce(HiddenMembers()) { $0.union($1) }
            return array.enumerated().flatMap { number, element in
                ((any ?? elements[number])?.found(in: element) ?? []).map { [String(number)] + $0 }
            }
        }
        guard let object = value.object else { return [] }
        return object.flatMap { member in (self.member(member.name)?.found(in: member.value) ?? []).map { [member.name] + $0 } }
    }

    private func union(_ other: HiddenMembers) -> HiddenMembers {
        var union = self
        union.isHidden = isHidden || other.isHidden
        union.members.merge(other.members) { $0.union($1) }
        union.elements.merge(other.elements) { $0.union($1) }
        // The arrays can have different numbers of elements.
        if count != other.count { union.count = count == 0 ? other.count : other.count == 0 ? count : -1 }
        return union
    }

    /// Returns a new value with the hidden members of the old one. Recurses along the places, through objects only.
    func kept(from old: JSON, in new: JSON) -> JSON {
        guard let known = old.object, var object = new.object else { return new }
        for (name, places) in members {
            guard let value = known[name.text] else { continue }
            guard let next = object[name.text] else {
                if places.isHidden { object[name.text] = value }
                continue
            }
            object[name.text] = places.kept(from: value, in: next)
        }
        return .object(object)
    }
}

/// The path of a hidden value.
private enum HiddenPath {
    enum Step {
        case member(String)
        /// An element of an array with a number of elements.
        case element(Int, of: Int)
    }

    /// Returns the paths of the members that only `all` has, from the object around it.
    ///
    /// - Parameter known: The same value without hidden members.
    static func all(_ known: JSON?, _ all: JSON, at name: String) -> [[Step]] {
        var found: [[Step]] = []
        // Each value with the number of the one around it. Does not recurse, because a value can be deep.
        var steps: [(around: Int, step: Step)] = []
        var rest: [(known: JSON?, all: JSON, around: Int, step: Step)] = [(known, all, -1, .member(name))]
        while let next = rest.popLast() {
            let number = steps.count
            steps.append((next.around, next.step))
            guard let known = next.known else {
                let path = sequence(first: number) { steps[$0].around < 0 ? nil : steps[$0].around }.map { steps[$0].step }
                found.append(path.reversed())
                continue
            }
            // Where clients know only members that are all nil, there is null.
            if let all = next.all.object, let known = known.isNull ? JSONObject() : known.object {
                for member in all { rest.append((known[member.name], member.value, number, .member(member.name))) }
            } else if let all = next.all.array, let known = known.array, all.count == known.count {
                for (index, pair) in zip(known, all).enumerated() where pair.1.object != nil || pair.1.array != nil {
                    rest.append((pair.0, pair.1, number, .element(index, of: all.count)))
                }
            }
        }
        return found
    }
}
