import JSONText

/// Applies the difference between two values to the JSON that the first one was read from. Parts that neither of the values has stay.
///
/// ```
/// read [{"name": "a", "x": 1}]    from [{"name": "a"}]    to [{"name": "a"}, {"name": "b"}]
/// → [{"name": "a", "x": 1}, {"name": "b"}]
/// ```
struct JSONMerge {
    let resource: ResourceIdentifier
    /// The name of the attribute; nil for the resource's meta.
    let name: String?
    private let stackFloor = StackGuard.lowestAddress

    init(resource: ResourceIdentifier, name: String?) {
        self.resource = resource
        self.name = name
    }

    /// Returns `base` with the changes from one value to another. A member or element that is equal in both stays as it is in `base`, absent
    /// or present. Throws when an array was read in part, or when it is unknown which element has the parts that the values do not have.
    ///
    /// Recurses only where `base` has parts that the old value does not have. Throws when the stack has no room for that.
    ///
    /// - Complexity: O(n), n = size of the values, when `base` is the old value. Otherwise O(n · d), d = their depth.
    func merged(_ base: JSON?, from old: JSON?, to new: JSON) throws -> JSON? {
        if old == new { return base }
        if let base, let old, base.isIdentical(to: old) { return new }
        guard StackGuard.hasRoom(above: stackFloor) else { throw tooDeep }
        switch (base, new) {
        case (.object(let base), .object(let new)): return .object(try merged(base, from: old?.object ?? JSONObject(), to: new))
        case (.array(let base), .array(let new)):
            guard let old = old?.array else { return .array(new) }
            return .array(JSONArray(try merged(Array(base), from: Array(old), to: Array(new))))
        default: return new
        }
    }

    private func merged(_ base: JSONObject, from old: JSONObject, to new: JSONObject) throws -> JSONObject {
        var result = base
        for member in new { result[member.name] = try merged(result[member.name], from: old[member.name], to: member.value) }
        let removed = Set(old.lazy.filter { !new.contains(name: $0.name) }.map { ByteText($0.name) })
        return removed.isEmpty ? result : JSONObject(members: result.filter { !removed.contains(ByteText($0.name)) })
    }

    // MARK: - Arrays

    private func merged(_ base: [JSON], from old: [JSON], to new: [JSON]) throws -> [JSON] {
        guard base.count == old.count else { throw failure("elements that were not read") }
        let (hides, agrees) = Self.compared(base, old)
        guard agrees else {
            if hides { throw failure("elements in another form or order than those that were read") }
            return new
        }
        if Self.areMixed(base, old, new) {
            throw failure("elements that the values do not tell apart, some of which were removed or added")
        }
        let sources = Self.sources(of: new, in: old)
        let used = Set(sources.compactMap(\.self))
        let isInPlace = Self.isInPlace(sources, old, new)
        var isUnknown = false
        let result = try new.indices.map { index in
            if let source = sources[index] { return base[source] }
            if isInPlace, !used.contains(index) { return try merged(base[index], from: old[index], to: new[index]) ?? new[index] }
            isUnknown = true
            return new[index]
        }
        if isUnknown, old.indices.contains(where: { !used.contains($0) && Self.compared([base[$0]], [old[$0]]).hides }) {
            throw failure("elements of which some were removed and others added or changed")
        }
        return result
    }

    /// Returns for each new element the index of the equal old one, each index once. Prefers the same index.
    ///
    /// - Complexity: O(old + new).
    private static func sources(of new: [JSON], in old: [JSON]) -> [Int?] {
        var sources = new.indices.map { $0 < old.count && old[$0] == new[$0] ? $0 : nil as Int? }
        let used = Set(sources.compactMap(\.self))
        var free: [JSON: [Int]] = [:]
        for index in old.indices.reversed() where !used.contains(index) { free[old[index], default: []].append(index) }
        for index in new.indices where sources[index] == nil { sources[index] = free[new[index]]?.popLast() }
        return sources
    }

    /// Whether the elements without an equal old one are the old ones at their places, with changes: a single one that has a member in
    /// common with the old one, or had no more than one; or several, when no other element moved, and each has a member in common with the
    /// old one at its place that no other changed one had.
    private static func isInPlace(_ sources: [Int?], _ old: [JSON], _ new: [JSON]) -> Bool {
        guard old.count == new.count else { return false }
        let changed = sources.indices.filter { sources[$0] == nil }
        if changed.isEmpty { return true }
        if changed.count == 1, (old[changed[0]].object?.count ?? 0) <= 1 { return true }
        let haveMoved = sources.enumerated().contains { $0.element.map { [index = $0.offset] in $0 != index } ?? false }
        if haveMoved, changed.count > 1 { return false }
        var places: [JSON: Int] = [:]
        let several = -1
        for index in changed {
            for member in old[index].object ?? JSONObject() {
                let key: JSON = [.string(member.name), member.value]
                places[key] = places[key] == nil ? index : several
            }
        }
        return changed.allSatisfy { index in
            let known = (new[index].object ?? JSONObject()).compactMap { places[[.string($0.name), $0.value]] }
            return Set(known).subtracting([several]) == [index]
        }
    }

    /// Whether there are equal elements that were read with different parts, and not all of them are left, or more of them.
    private static func areMixed(_ base: [JSON], _ old: [JSON], _ new: [JSON]) -> Bool {
        var groups: [JSON: (base: JSON, isMixed: Bool, balance: Int)] = [:]
        for (base, old) in zip(base, old) {
            var group = groups[old] ?? (base, false, 0)
            group.isMixed = group.isMixed || group.base != base
            group.balance += 1
            groups[old] = group
        }
        guard groups.values.contains(where: { $0.isMixed }) else { return false }
        for value in new { groups[value]?.balance -= 1 }
        return groups.values.contains { $0.isMixed && $0.balance != 0 }
    }

    /// Compares values that were read with others: whether they have parts that the others do not have, and whether all parts that both
    /// have are equal.
    ///
    /// - Complexity: O(n), n = size of the values. Does not recurse.
    private static func compared(_ base: [JSON], _ values: [JSON]) -> (hides: Bool, agrees: Bool) {
        var result = (hides: false, agrees: true)
        var pairs = Array(zip(base, values))
        while let pair = pairs.popLast() {
            switch pair {
            case (.object(let base), .object(let value)):
                for member in base {
                    // A null without a value says no more than its absence.
                    if let other = value[member.name] {
                        pairs.append((member.value, other))
                    } else if member.value != .null {
                        result.hides = true
                    }
                }
            case (.array(let base), .array(let value)) where base.count == value.count: pairs += zip(base, value)
            case (.array, .array): result = (true, false)
            case let (base, value): if base != value { result.agrees = false }
            }
        }
        return result
    }

    /// Whether all parts that both values have are equal.
    static func agree(_ base: JSON, _ value: JSON) -> Bool { compared([base], [value]).agrees }

    private var place: JSONPointer { name.map { JSONPointer("data", "attributes", $0) } ?? JSONPointer("data", "meta") }

    private var tooDeep: EncodingFailure {
        EncodingFailure(
            .nestingLimit, at: place, resource: resource, expected: "values that the stack of this thread has room for",
            found: "values that are nested too deeply to be completed",
            advice: "encode on a thread with a larger stack, or make the values nest less deeply")
    }

    private func failure(_ found: String) -> EncodingFailure {
        EncodingFailure(
            .wrongPlace, at: place, resource: resource,
            expected: "an array whose elements are known as a whole", found: found,
            advice: name.map {
                """
                let the element's type keep all members, for example as JSON; or set the whole attribute by set("\($0)", …)
                """
            })
    }
}
