import JSONAPICodec
import JSONText

/// The changes from one document to another, by resource and member.
package struct DocumentComparison: Sendable {
    /// The changes of the document as a whole.
    package private(set) var document: [Change] = []
    /// The changes of its resources: first changed and removed ones in the order of the first document, then added ones in the order of the
    /// second.
    package private(set) var resources: [ChangedResource] = []

    package var areEqual: Bool { document.isEmpty && resources.isEmpty }

    /// Compares two documents. `countsOrder` says whether the order of a collection and of linkage matters. The order of `included` never
    /// does.
    ///
    /// - Complexity: O(n), n = size of both. No recursion.
    package init(_ old: DocumentObject, _ new: DocumentObject, countsOrder: Bool) {
        let former = Listing(old)
        let latter = Listing(new)
        compareDocuments(old, new)
        let primary = (former.primaryKeys, latter.primaryKeys)
        if countsOrder, DocumentComparison.isReordered(primary.0, primary.1) { document.append(Change(path: ["data"], kind: .reordered)) }
        compareResources(former, latter, countsOrder: countsOrder)
    }

    /// Whether the keys that both lists contain, each once, are in different orders.
    static func isReordered(_ old: [ResourceKey], _ new: [ResourceKey]) -> Bool {
        let (oldOnes, newOnes) = (Set(old), Set(new))
        return old.filter(newOnes.contains) != new.filter(oldOnes.contains)
    }
}

// MARK: - Resources

extension DocumentComparison {
    /// The resources of a document, by key.
    private struct Listing {
        var entries: [(key: ResourceKey, resource: ResourceObject, place: ChangedResource.Place)] = []
        var positions: [ResourceKey: Int] = [:]
        let primaryKeys: [ResourceKey]

        init(_ document: DocumentObject) {
            let primary = document.data.resources
            let included = document.included ?? []
            let resources = primary + included
            let keys = ResourceKey.numbered(resources.lazy.map { ResourceKey($0) })
            for (position, resource) in resources.enumerated() {
                entries.append((keys[position], resource, position < primary.count ? .data : .included))
                positions[keys[position]] = position
            }
            primaryKeys = Array(keys.prefix(primary.count))
        }
    }

    private mutating func compareResources(_ former: Listing, _ latter: Listing, countsOrder: Bool) {
        for old in former.entries {
            guard let position = latter.positions[old.key] else {
                resources.append(ChangedResource(kind: .removed, resource: old.resource, place: old.place))
                continue
            }
            let new = latter.entries[position]
            let changes = ResourceComparison.changes(old.resource, new.resource, countsOrder: countsOrder)
            guard !changes.isEmpty || old.place != new.place else { continue }
            resources.append(
                ChangedResource(
                    kind: .changed, resource: new.resource, place: new.place, formerPlace: old.place == new.place ? nil : old.place,
                    changes: changes))
        }
        for new in latter.entries where former.positions[new.key] == nil {
            resources.append(ChangedResource(kind: .added, resource: new.resource, place: new.place))
        }
    }
}

// MARK: - The rest of a document

extension DocumentComparison {
    private mutating func compareDocuments(_ old: DocumentObject, _ new: DocumentObject) {
        for pair in MemberPairs(old.members, new.members) {
            let isAboutResources =
                switch pair.name {
                case "data": PrimaryData(json: pair.left) != nil && PrimaryData(json: pair.right) != nil
                case "included": (pair.left == nil || old.included != nil) && (pair.right == nil || new.included != nil)
                default: false
                }
            if isAboutResources {
                compareShapes(DocumentComparison.shape(of: pair.left), DocumentComparison.shape(of: pair.right), pair.name)
            } else {
                var values = ValueComparison()
                values.compareSection(pair.left, pair.right, at: [pair.name])
                document += values.changes
            }
        }
    }

    /// Compares the forms of resources. Resources themselves are compared separately; this reports when they become a list or disappear
    /// altogether. An empty `included` shows that related resources were requested, an absent one that they were not.
    private mutating func compareShapes(_ old: Change.Shape, _ new: Change.Shape, _ name: String) {
        if old != new { document.append(Change(path: [name], kind: .reshaped(from: old, to: new))) }
    }

    private static func shape(of json: JSON?) -> Change.Shape {
        switch json {
        case nil: .absent
        case .null?: .null
        case .array?: .many
        default: .one
        }
    }
}
