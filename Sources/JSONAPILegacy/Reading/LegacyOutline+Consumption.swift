import JSONText

extension LegacyOutline {
    /// The collections that leave the top level, because what links to them embeds their resources.
    ///
    /// They are those that a template of another collection names as its `type`. When that is so for each collection at the top
    /// level that has templates, nothing tells which is primary, and all stay. `primary` says it instead.
    ///
    /// Under `linked` the same holds, but for two things: there nothing is primary, so a collection with templates there does not
    /// answer the question; and the linked part of a collection that is at the top level too leaves even when only that links to it.
    func consumedCollections(primary: [String]?) -> Set<Int> {
        let names = TargetNames(self)
        let onTop = Set(collections.filter { !$0.isLinked }.map { ByteText($0.name) })
        let linked = Set(collections.filter(\.isLinked).map { ByteText($0.name) })
        let chosen = primary.map { Set($0.map { ByteText($0) }) }
        let candidates = templates.keys.filter { onTop.contains($0) || !linked.contains($0) }
        let areAllTargets = chosen == nil && candidates.allSatisfy { names.byOthers.contains($0) }

        return Set(
            collections.indices.filter { position in
                let name = ByteText(collections[position].name)
                if collections[position].isLinked && onTop.contains(name) { return names.byAny.contains(name) }
                if chosen?.contains(name) ?? false { return false }
                if areAllTargets && !collections[position].isLinked { return false }
                return names.byOthers.contains(name)
            })
    }

    /// What templates name as their `type`.
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

// MARK: - Putting together

extension LegacyOutline {
    /// The top level with those resources in place of their own, without the templates and some collections.
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

    /// Replaces a member, or removes it where nothing is left of it.
    private static func set(_ name: String, _ rest: JSONObject, in members: inout JSONObject) {
        if rest.isEmpty { members.removeValue(forName: name) } else { members[name] = .object(rest) }
    }

    private func value(of collection: Collection, _ trees: [Int: JSON]) -> JSON {
        let values = collection.resources.map { trees[$0] ?? .null }
        return collection.isList ? .array(JSONArray(values)) : values.first ?? .null
    }
}
