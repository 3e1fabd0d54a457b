import JSONText

extension LegacyOutline {
    /// Returns the collections to remove, because their resources are embedded where they are linked.
    ///
    /// These are the collections that a template of another collection names as its `type`. If this applies to all collections with
    /// templates at the top level, the primary collection is unknown and all of them stay. A template of a collection that the document does
    /// not have counts only if no collection at the top level has templates. `primary` names the collections that stay.
    /// A server can send the templates of all its types with each response. So if no list would be left at the top level, the targets are
    /// the data of the response, and stay too.
    ///
    /// Collections in `linked` follow the same rules, with two differences. They are never primary, so their templates do not help to
    /// determine the primary collection. If a collection is both at the top level and in `linked`, its linked part is removed even if only
    /// the collection itself links to it.
    func consumedCollections(primary: [String]?) -> Set<Int> {
        let names = TargetNames(self)
        let onTop = Set(collections.filter { !$0.isLinked }.map { ByteText($0.name) })
        let linked = Set(collections.filter(\.isLinked).map { ByteText($0.name) })
        let chosen = primary.map { Set($0.map { ByteText($0) }) }
        let templated = templates.keys.filter { onTop.contains($0) }
        let candidates = templated.isEmpty ? templates.keys.filter { !linked.contains($0) } : templated
        if chosen == nil, onTop.isEmpty { return [] }
        let isNoneLeft = onTop.isSubset(of: names.byOthers) && !hasOtherLists(than: onTop)
        let areAllTargets = chosen == nil && (isNoneLeft || candidates.allSatisfy { names.byOthers.contains($0) })

        return Set(
            collections.indices.filter { position in
                let name = ByteText(collections[position].name)
                if collections[position].isLinked && onTop.contains(name) { return names.byAny.contains(name) }
                if chosen?.contains(name) ?? false { return false }
                if areAllTargets && !collections[position].isLinked { return false }
                return names.byOthers.contains(name)
            })
    }

    /// Whether the top level has a list that no template mentions.
    private func hasOtherLists(than names: Set<ByteText>) -> Bool {
        members.effectiveMembers.contains { $0.value.array != nil && !names.contains(ByteText($0.name)) }
    }

    /// The names in the `type` of templates.
    private struct TargetNames {
        var byAny: Set<ByteText> = []
        var byOthers: Set<ByteText> = []

        init(_ outline: LegacyOutline) {
            for (collection, templates) in outline.templates {
                for type in templates.compactMap(\.type).map({ ByteText($0) }) {
                    byAny.insert(type)
                    if type != collection { byOthers.insert(type) }
                }
            }
        }
    }
}

// MARK: - Results

extension LegacyOutline {
    /// Returns the top level with the given trees in place of resources, and without templates and consumed collections.
    func members(replacing trees: [Int: JSON], without consumed: Set<Int>) -> JSONObject {
        var known: [Bool: [ByteText: Int]] = [:]
        for (position, collection) in collections.enumerated() {
            known[collection.isLinked, default: [:]][ByteText(collection.name)] = position
        }
        func rest(_ members: JSONObject, isLinked: Bool) -> JSONObject {
            var rest = JSONObject()
            for member in members.effectiveMembers {
                guard let position = known[isLinked]?[ByteText(member.name)] else {
                    rest.append(name: member.name, value: member.value)
                    continue
                }
                guard !consumed.contains(position) else { continue }
                rest.append(name: member.name, value: value(of: collections[position], trees))
            }
            return rest
        }
        var members = rest(self.members, isLinked: false)
        if members["links"]?.object != nil { Self.set("links", otherLinks, in: &members) }
        if let linked = members["linked"]?.object { Self.set("linked", rest(linked, isLinked: true), in: &members) }
        return members
    }

    /// Replaces a member, or removes it if the new value is empty.
    private static func set(_ name: String, _ rest: JSONObject, in members: inout JSONObject) {
        if rest.isEmpty { members.removeValue(forName: name) } else { members[name] = .object(rest) }
    }

    private func value(of collection: Collection, _ trees: [Int: JSON]) -> JSON {
        let values = collection.resources.map { trees[$0] ?? .null }
        return collection.isList ? .array(JSONArray(values)) : values.first ?? .null
    }
}
