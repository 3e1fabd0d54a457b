import JSONText

/// Applies the difference between two values to the JSON that the first one was read from. Parts that neither of the values has stay.
///
/// ```
/// read [{"name": "a", "x": 1}]    from [{"name": "a"}]    to [{"name": "a"}, {"name": "b"}]
/// → [{"name": "a", "x": 1}, {"name": "b"}]
/// ```
package struct JSONMerge {
    private let resource: ResourceIdentifier
    /// The name of the attribute; nil for the resource's meta.
    private let name: String?
    /// The number of bytes that must remain on the stack for one level.
    private static let reserve: UInt = 160 * 1024

    package init(resource: ResourceIdentifier, name: String?) {
        self.resource = resource
        self.name = name
    }

    /// Returns `base` with the changes from one value to another. A member or element that is equal in both stays as it is in `base`, absent
    /// or present. Throws when an array was read in part, or when it is unknown which element has the parts that the values do not have.
    ///
    /// Recurses only where `base` has parts that the old value does not have. Throws when the stack has no room for that.
    ///
    /// - Complexity: O(n), n = size of the values, when `base` is the old value. Otherwise O(n · d), d = their depth.
    package func merged(_ base: JSON?, from old: JSON?, to new: JSON) throws -> JSON? {
        if old == new { return base }
        if let base, let old, base.isIdentical(to: old) { return new }
        guard StackRoom.isLeft(Self.reserve) else { throw tooDeep }
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
        let unmoved = Self.unmoved(sources, base, old, new)
        var isUnknown = false
        let result = try new.indices.map { index in
            if let source = sources[index] { return base[source] }
            if unmoved.contains(index), !used.contains(index) {
                return try merged(base[index], from: old[index], to: new[index]) ?? new[index]
            }
            isUnknown = true
            return new[index]
        }
        if isUnknown, old.indices.contains(where: { !used.contains($0) && Self.compared([base[$0]], [old[$0]]).hides }) {
            throw failure("elements that were changed or added, and no unique id or text that says which old ones they are")
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

    /// Returns the indices of the changed elements that are the old ones at their places, and not new ones in their place. A member that both
    /// have in common does not show that: it must identify the element. Elements of which everything was read need no proof.
    ///
    /// - Complexity: O(n), n = members of the elements.
    private static func unmoved(_ sources: [Int?], _ base: [JSON], _ old: [JSON], _ new: [JSON]) -> Set<Int> {
        guard old.count == new.count else { return [] }
        let changed = sources.indices.filter { sources[$0] == nil }
        if changed.isEmpty { return [] }
        let identities = ElementIdentities(old, new)
        return Set(
            changed.filter { index in
                switch (old[index], new[index]) {
                case (.object(let old), .object(let new)) where identities.identify(old, new): true
                // The elements of an array inside an array are told apart themselves.
                case (.array, .array) where changed.count == 1: true
                default: !compared([base[index]], [old[index]]).hides
                }
            })
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
    package static func agree(_ base: JSON, _ value: JSON) -> Bool { compared([base], [value]).agrees }

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
            advice: "let the element's type keep all members, for example as JSON"
                + (name.map { "; or set the whole attribute by set(\"\($0)\", …)" } ?? ""))
    }
}

/// Finds out which elements of two arrays are the same, by members that no other element has.
private struct ElementIdentities {
    private struct Member: Hashable {
        let name: ByteText
        let value: JSON
    }

    /// The names of members that identify an element, whatever their values are.
    private static let names = ["id", "key"]

    /// The number of elements of each array that have a member.
    private var counts: [Member: (old: Int, new: Int)] = [:]

    init(_ old: [JSON], _ new: [JSON]) {
        for element in old { for member in Self.members(element) { counts[member, default: (0, 0)].old += 1 } }
        for element in new { for member in Self.members(element) { counts[member, default: (0, 0)].new += 1 } }
    }

    /// The members that can identify an element: an id, a key, and texts.
    private static func members(_ element: JSON) -> [Member] {
        (element.object ?? JSONObject()).compactMap { member in
            let isText = member.value.string.map { !$0.isEmpty } ?? false
            let isID = member.value != .null && names.contains { UTF8Bytes.areEqual($0, member.name) }
            return isText || isID ? Member(name: ByteText(member.name), value: member.value) : nil
        }
    }

    /// Whether both are the same element: the id or the key is unchanged, or a text that no other element has.
    func identify(_ old: JSONObject, _ new: JSONObject) -> Bool {
        for name in Self.names {
            guard let value = old[name], let other = new[name], value != .null, other != .null else { continue }
            if value != other { return false }
            if isUnique(Member(name: ByteText(name), value: value)) { return true }
        }
        return Self.members(.object(new)).contains { old[$0.name.text] == $0.value && isUnique($0) }
    }

    private func isUnique(_ member: Member) -> Bool { counts[member].map { $0 == (1, 1) } ?? false }
}
