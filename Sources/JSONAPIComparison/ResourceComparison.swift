import JSONAPICodec
import JSONText

/// Finds the differences of two resource objects.
struct ResourceComparison {
    /// Whether the order of identifiers matters.
    let countsOrder: Bool
    private var values = ValueComparison()
    private var linkage: [Change] = []

    /// Returns the differences of two resources, in the order of their members, with linkage last.
    ///
    /// - Complexity: O(n), n = size of both.
    static func changes(_ left: ResourceObject, _ right: ResourceObject, countsOrder: Bool) -> [Change] {
        var comparison = ResourceComparison(countsOrder: countsOrder)
        comparison.compare(left.members, right.members)
        return comparison.values.changes + comparison.linkage
    }

    private init(countsOrder: Bool) { self.countsOrder = countsOrder }

    private mutating func compare(_ left: JSONObject, _ right: JSONObject) {
        for pair in MemberPairs(left, right) {
            guard UTF8Bytes.areEqual(pair.name, "relationships") else {
                values.compareSection(pair.left, pair.right, at: [pair.name])
                continue
            }
            compareRelationships(pair.left, pair.right)
        }
    }

    private mutating func compareRelationships(_ left: JSON?, _ right: JSON?) {
        let objects = (left.map(\.object) ?? [:], right.map(\.object) ?? [:])
        guard case (let left?, let right?) = objects, !(left.isEmpty && right.isEmpty) else {
            values.compare(left, right, at: ["relationships"])
            return
        }
        for pair in MemberPairs(left, right) {
            let path = ["relationships", pair.name]
            let isShort = pair.name.utf8.count <= ValueComparison.maximumPathBytes
            guard isShort, case .object(let old)? = pair.left, case .object(let new)? = pair.right else {
                values.compare(pair.left, pair.right, at: path)
                continue
            }
            for member in MemberPairs(old, new) {
                let path = path + [member.name]
                let isLinkage = UTF8Bytes.areEqual(member.name, "data")
                if isLinkage, compareLinkage(member.left, member.right, path) { continue }
                values.compareSection(member.left, member.right, at: path)
            }
        }
    }
}

// MARK: - Linkage

extension ResourceComparison {
    /// Compares two to-many linkages, or two identifiers. Returns whether the values were of these kinds.
    private mutating func compareLinkage(_ left: JSON?, _ right: JSON?, _ path: [String]) -> Bool {
        guard let left, let right, let old = Linkage(json: left), let new = Linkage(json: right) else { return false }
        switch (old, new) {
        case (.many(let old), .many(let new)):
            compareLists(old, new, left, right, path)
            return true
        case (.one(let old), .one(let new)) where ResourceKey(old) != ResourceKey(new):
            // A different resource, not a change of its id.
            linkage.append(Change(path: path, kind: .changed(from: left, to: right)))
            return true
        default:
            return false
        }
    }

    private mutating func compareLists(
        _ old: [ResourceIdentifier], _ new: [ResourceIdentifier], _ left: JSON, _ right: JSON, _ path: [String]
    ) {
        let oldKeys = ResourceKey.numbered(old.lazy.map { ResourceKey($0) })
        let newKeys = ResourceKey.numbered(new.lazy.map { ResourceKey($0) })
        let positions = Dictionary(zip(oldKeys, oldKeys.indices)) { first, _ in first }
        let newOnes = Set(newKeys)
        let added = zip(new, newKeys).filter { positions[$1] == nil }.map(\.0)
        let removed = zip(old, oldKeys).filter { !newOnes.contains($1) }.map(\.0)
        if !added.isEmpty || !removed.isEmpty { linkage.append(Change(path: path, kind: .relinked(added: added, removed: removed))) }
        if countsOrder, DocumentComparison.isReordered(oldKeys, newKeys) { linkage.append(Change(path: path, kind: .reordered)) }
        for (position, key) in newKeys.enumerated() {
            // Compares the JSON as written, because an id may be a number in one of them.
            guard let former = positions[key] else { continue }
            values.compare(left[former], right[position], at: path + ["\(position)"])
        }
    }
}
