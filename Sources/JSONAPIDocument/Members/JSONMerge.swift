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
    /// The values inside this one that are nil, although the objects around them stay.
    private var nested: [NestedPart]
    /// Whether the old value is known to be what a model reads of the base. Otherwise, the base may be newer.
    private let isOfBase: Bool
    /// Whether two texts are dates that differ by less than a number of seconds, or by nothing, in whatever form.
    private let areSameDates: (String, String, Double) -> Bool
    /// The number of bytes that must remain on the stack for one level.
    private static let reserve: UInt = 160 * 1024

    package init(
        resource: ResourceIdentifier, name: String?, nested: [NestedPart] = [], isOfBase: Bool = true,
        sameDates areSameDates: @escaping (String, String, Double) -> Bool = { _, _, _ in false }
    ) {
        self.resource = resource
        self.name = name
        self.isOfBase = isOfBase
        self.areSameDates = areSameDates
        self.nested = (name.map { ["attributes", $0] } ?? ["meta"]).reduce(nested) { nested, step in nested.compactMap { $0.inside(step) } }
    }

    /// The same for a member or an element of the new value.
    private func inside(_ step: String) -> JSONMerge {
        if nested.isEmpty { return self }
        var inner = self
        inner.nested = nested.compactMap { $0.inside(step) }
        return inner
    }

    /// Returns `base` with the changes from one value to another. A member or element that is equal in both stays as it is in `base`, absent
    /// or present. Throws when an array was read in part, or when it is unknown which element has the parts that the values do not have.
    ///
    /// Where `base` has null or nothing and the values have objects, the new object is taken, without the nulls that the old one has as well.
    /// A model writes these for the parts that it names.
    ///
    /// Recurses only where `base` and the old value have other parts. Throws when the stack has no room for that.
    ///
    /// - Complexity: O(n), n = size of the values, when `base` is the old value. Otherwise O(n · d), d = their depth.
    package func merged(_ base: JSON, from old: JSON?, to new: JSON) throws -> JSON {
        if old == new { return base }
        if let old, base.isIdentical(to: old) { return new }
        try checkRoom()
        switch (base, new) {
        case (.object(let base), .object(let new)): return .object(try merged(base, from: old?.object ?? JSONObject(), to: new))
        case (.null, .object(let new)): return .object(try merged(nil, from: old?.object ?? JSONObject(), to: new))
        case (.array(let base), .array(let new)):
            guard let old = old?.array else { return .array(new) }
            return .array(JSONArray(try merged(Array(base), from: Array(old), to: Array(new))))
        default: return new
        }
    }

    /// - Parameter base: Nil when there was no object.
    private func merged(_ base: JSONObject?, from old: JSONObject, to new: JSONObject) throws -> JSONObject {
        var result = base ?? JSONObject()
        let new = nested.isEmpty ? new : clearing(base, from: old, to: new)
        for member in new {
            let earlier = old[member.name]
            if let read = base?[member.name] {
                result[member.name] = try inside(member.name).merged(read, from: earlier, to: member.value)
            } else if earlier?.object != nil, earlier != member.value {
                result[member.name] = try merged(.null, from: earlier, to: member.value)
            } else if earlier != member.value || base == nil && !Self.isOnlyNulls(member.value) {
                result[member.name] = member.value
            }
        }
        let removed = Set(old.lazy.filter { !new.contains(name: $0.name) }.map { ByteText($0.name) })
        return removed.isEmpty ? result : JSONObject(members: result.filter { !removed.contains(ByteText($0.name)) })
    }

    /// Returns the new members with null in the place of each nested value that was removed, if `base` has other parts around it.
    private func clearing(_ base: JSONObject?, from old: JSONObject, to new: JSONObject) -> JSONObject {
        nested.reduce(new) { new, part in
            guard part.object.isEmpty, let name = part.path.first, new[name] ?? .null == .null, let read = base?[name],
                read.object != nil, read != old[name], AttributeParts.value(at: part.path, in: .object(old)) != nil
            else { return new }
            let empty = AttributeParts.replacing(.object(JSONObject()), at: part.path.dropFirst(), with: .null)
            return AttributeParts.replaced(new, at: [name], by: .object([name: empty]))
        }
    }

    /// Whether a value is null, or an object with no other members.
    private static func isOnlyNulls(_ value: JSON) -> Bool {
        var values = [value]
        while let value = values.popLast() {
            if value == .null { continue }
            guard let members = value.object, !members.isEmpty else { return false }
            values += members.map(\.value)
        }
        return true
    }

    /// Returns what was read, as far as another value has its parts: what a model writes of it, if that is not known better.
    ///
    /// ```
    /// read {"lat": 1, "alt": 3}    on {"lat": 10, "lon": 2}    → {"lat": 1}
    /// ```
    ///
    /// Nil when there is no other value. That value itself for an array whose parts agree with it, because its elements are found by what the
    /// model writes, such as the default of a member; and for arrays with another number of elements. Throws when the stack has no room.
    ///
    /// - Complexity: O(n · d), n = size of the values, d = depth of arrays in arrays.
    package func projected(_ read: JSON, on value: JSON?) throws -> JSON? {
        guard let value else { return nil }
        try checkRoom()
        switch (read, value) {
        case (.object(let read), .object(let value)):
            var result = JSONObject()
            for member in read {
                guard let part = try projected(member.value, on: value[member.name]) else { continue }
                result.append(name: member.name, value: part)
            }
            return .object(result)
        case (.array(let read), .array(let other)):
            guard read.count == other.count, !Self.compared(Array(read), Array(other)).agrees else { return value }
            return .array(JSONArray(try zip(read, other).map { try projected($0, on: $1) ?? $0 }))
        // A model may keep less of a scalar: whole seconds, or the digits of a `Float`.
        default: return areSame(read, value, coarsely: true) ? value : read
        }
    }

    /// Whether another reading of `read` differs from an older value where that value is still what was read.
    ///
    /// - Complexity: O(n), n = size of the values. Does not recurse.
    package static func contradicts(_ again: JSON, _ read: JSON, _ value: JSON?) -> Bool {
        guard let value else { return false }
        var triples: [(again: JSON?, read: JSON, value: JSON)] = [(again, read, value)]
        while let (again, read, value) = triples.popLast() {
            switch (read, value) {
            case (.object(let read), .object(let value)):
                for member in read {
                    if let other = value[member.name] { triples.append((again?[member.name], member.value, other)) }
                }
            case (.array(let read), .array(let value)) where read.count == value.count:
                guard let again = again?.array, again.count == read.count else { return true }
                for index in read.indices { triples.append((again[index], read[index], value[index])) }
            case (.array, .array): break
            default: if read == value, again != read { return true }
            }
        }
        return false
    }

    /// Whether a value that was read has parts that another one does not have.
    ///
    /// - Complexity: O(n), n = size of the values. Does not recurse.
    package static func hasMore(_ read: JSON, than value: JSON) -> Bool { compared([read], [value]).hides }

    private func checkRoom() throws { guard StackRoom.isLeft(Self.reserve) else { throw tooDeep } }

    // MARK: - Arrays

    private func merged(_ base: [JSON], from old: [JSON], to new: [JSON]) throws -> [JSON] {
        guard base.count == old.count else { throw failure("elements that were not read") }
        let (hides, agrees) = Self.compared(base, old)
        var base = base
        if !agrees {
            if !hides { return new }
            // A set may have been read in another order.
            if let order = ElementIdentities(base, old).order(of: old) { base = order.map { base[$0] } }
            guard correspond(base, old) else { throw failure("elements in another form or order than those that were read") }
        }
        if Self.areMixed(base, old, new) {
            throw failure("elements that the values do not tell apart, some of which were removed or added")
        }
        let sources = Self.sources(of: new, in: old)
        let edited = Self.edited(sources, base, old, new)
        var isUnknown = false
        let result = try new.indices.map { index in
            if let source = sources[index] { return base[source] }
            if let source = edited[index] { return try inside(String(index)).merged(base[source], from: old[source], to: new[index]) }
            isUnknown = true
            return new[index]
        }
        let used = Set(sources.compactMap(\.self)).union(edited.values)
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

    /// Returns for the changed elements that are old ones, and not new ones in their place, the indices of those. A member that both have in
    /// common does not show that: it must identify the element. An id or a key does so at any index. Elements of which everything was read
    /// need no proof.
    ///
    /// - Complexity: O(n), n = members of the elements.
    private static func edited(_ sources: [Int?], _ base: [JSON], _ old: [JSON], _ new: [JSON]) -> [Int: Int] {
        let changed = sources.indices.filter { sources[$0] == nil }
        if changed.isEmpty { return [:] }
        let identities = ElementIdentities(old, new)
        var used = Set(sources.compactMap(\.self))
        var edited: [Int: Int] = [:]
        for index in changed {
            guard let source = identities.position(of: new[index], in: old), used.insert(source).inserted else { continue }
            edited[index] = source
        }
        guard old.count == new.count else { return edited }
        for index in changed where edited[index] == nil && !used.contains(index) {
            let isSame =
                switch (old[index], new[index]) {
                case (.object(let old), .object(let new)) where identities.identify(old, new): true
                // The elements of an array inside an array are told apart themselves.
                case (.array, .array) where changed.count == 1: true
                default: !compared([base[index]], [old[index]]).hides
                }
            if isSame { edited[index] = index }
        }
        return edited
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

    /// Whether each element that was read is the old one at its index, although parts of it have another form, such as a date with another
    /// zone. If the order could be another one, as that of a set, an element must have the same id, key or unique text.
    private func correspond(_ base: [JSON], _ old: [JSON]) -> Bool {
        if isOfBase, base.count == 1 { return true }
        let identities = ElementIdentities(base, old)
        return zip(base, old).allSatisfy { base, old in
            Self.compared([base], [old], areEqual: { areSame($0, $1) }).agrees || identities.share(base, old)
        }
    }

    /// Whether two scalars are the same value in any of the forms that servers give it: UUIDs in upper and lower case, dates, and numbers
    /// that are texts. Compared coarsely, dates of the same second are the same as well, and so is a number rounded to a `Double` or `Float`.
    private func areSame(_ base: JSON, _ value: JSON, coarsely: Bool = false) -> Bool {
        switch (base, value) {
        case (.string(let base), .string(let value)):
            UTF8Bytes.areEqual(base, value) || base.utf8.count == 36 && UTF8Bytes.areEqual(base.lowercased(), value.lowercased())
                || areSameDates(base, value, coarsely ? 1 : 0)
        case (.number(let base), .number(let value)) where coarsely:
            base == value || Double(base.text).map { (try? JSONNumber($0)) == value || (try? JSONNumber(Float($0))) == value } ?? false
        case (.string(let text), .number), (.number, .string(let text)):
            (try? JSON(parsing: text)).map { $0 == base || $0 == value } ?? false
        default: base == value
        }
    }

    /// Compares values that were read with others: whether they have parts that the others do not have, and whether all parts that both
    /// have are equal.
    ///
    /// - Complexity: O(n), n = size of the values. Does not recurse.
    private static func compared(
        _ base: [JSON], _ values: [JSON], areEqual: (JSON, JSON) -> Bool = { $0 == $1 }
    ) -> (hides: Bool, agrees: Bool) {
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
            case let (base, value): if !areEqual(base, value) { result.agrees = false }
            }
        }
        return result
    }

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
                + (name.map {
                    "; or set the whole attribute by set(\"\($0)\", …), which also replaces the parts that the type does not have"
                } ?? ""))
    }
}

/// A value inside an object, at the end of a path. Nil is written as no member at all, although the objects on the path have other parts.
package struct NestedPart: Sendable {
    /// The steps to the object that has the first name of the path.
    fileprivate let object: ArraySlice<String>
    fileprivate let path: ArraySlice<String>

    private init(object: ArraySlice<String>, path: ArraySlice<String>) { (self.object, self.path) = (object, path) }

    /// - Parameters:
    ///   - place: The steps from the resource object to the member.
    ///   - path: The names from there to the value.
    package init(_ place: [String], _ path: [String]) { self.init(object: place.dropLast(), path: place.suffix(1) + path) }

    /// The same part as it is seen from a member or an element; nil if it is not in there.
    fileprivate func inside(_ step: String) -> NestedPart? {
        guard let first = object.first, UTF8Bytes.areEqual(first, step) else { return nil }
        return NestedPart(object: object.dropFirst(), path: path)
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
    /// The index of an old element that has the member.
    private var positions: [Member: Int] = [:]

    init(_ old: [JSON], _ new: [JSON]) {
        for (index, element) in old.enumerated() {
            for member in Self.members(element) {
                counts[member, default: (0, 0)].old += 1
                positions[member] = index
            }
        }
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

    /// The id and the key of an element.
    private static func keys(_ element: JSON) -> [Member] {
        names.compactMap { name in
            guard let value = element[name], value != .null else { return nil }
            return Member(name: ByteText(name), value: value)
        }
    }

    /// Returns the index of the old element with the id or key of a new one; nil if none, or more than one, of either array has it.
    func position(of element: JSON, in old: [JSON]) -> Int? {
        for key in Self.keys(element) {
            guard isUnique(key), let position = positions[key], let known = old[position].object, let new = element.object,
                identify(known, new)
            else { continue }
            return position
        }
        return nil
    }

    /// Returns for each new element the index of the old one with its id or key; or, if it has neither, with its texts. Nil if that is not
    /// exactly one for each.
    func order(of new: [JSON]) -> [Int]? {
        let order = new.compactMap { element in
            let keys = Self.keys(element)
            let found = Set((keys.isEmpty ? Self.members(element) : keys).filter(isUnique).compactMap { positions[$0] })
            return found.count == 1 ? found.first : nil
        }
        return Set(order).count == new.count ? order : nil
    }

    /// Whether both are the same element: the id or the key is unchanged; or a text that no other element has, and no text was replaced.
    func identify(_ old: JSONObject, _ new: JSONObject) -> Bool {
        for name in Self.names {
            guard let value = old[name], let other = new[name], value != .null, other != .null else { continue }
            if value != other { return false }
            if isUnique(Member(name: ByteText(name), value: value)) { return true }
        }
        let hasOtherText = old.contains { member in
            guard let text = member.value.string, !text.isEmpty, let other = new[member.name]?.string else { return false }
            return !UTF8Bytes.areEqual(text, other)
        }
        return !hasOtherText && Self.members(.object(new)).contains { old[$0.name.text] == $0.value && isUnique($0) }
    }

    /// Whether both have an id, a key or a text that no other element has.
    func share(_ old: JSON, _ new: JSON) -> Bool {
        Self.members(old).contains { new[$0.name.text] == $0.value && isUnique($0) }
    }

    private func isUnique(_ member: Member) -> Bool { counts[member].map { $0 == (1, 1) } ?? false }
}
