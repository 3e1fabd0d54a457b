import JSONAPIArchive
import JSONText

// The lists of a table: the resources of the file, with those that the file does not have yet in their places.

extension ResourceTable {
    /// The number of resources, in memory or in the file.
    var count: Int {
        guard let backing else { return heldCount }
        return max(0, backing.archive.count + backing.differences.values.reduce(0, +))
    }

    /// Returns the number of resources of a type. If the directory of the file is damaged, counts only those in memory.
    func count(ofType type: String) -> Int { (try? wholeCount(ofType: type)) ?? lists.count(ofType: type) }

    /// Throws `ArchiveError` if the directory of the file is damaged.
    private func wholeCount(ofType type: String) throws -> Int {
        guard let backing else { return lists.count(ofType: type) }
        return max(0, try backing.archive.count(ofType: type) + (backing.differences[ByteText(type)] ?? 0))
    }

    /// The types that have resources. Those of the file come first, then the others in the order of arrival. If the directory of the file
    /// is damaged, a type that cannot be counted is included, so that listing it throws.
    var typeNames: [String] {
        guard let backing else { return lists.names }
        let filed = backing.archive.types
        let known = Set(filed.map(ByteText.init))
        return (filed + lists.names.filter { !known.contains(ByteText($0)) }).filter { (try? wholeCount(ofType: $0)) != 0 }
    }

    /// The resources that the table holds in memory, grouped by type. Those that the file does not have are in the order of arrival.
    var heldIdentities: [StoredIdentity] { lists.names.flatMap(heldIdentities(ofType:)) }

    private func heldIdentities(ofType type: String) -> [StoredIdentity] {
        lists.slots(ofType: type).compactMap { slots[$0]?.identity }
    }

    /// All resources, grouped by type. If the directory of the file is damaged, those of a type that cannot be listed are only those in
    /// memory.
    var identities: [StoredIdentity] { typeNames.flatMap { identities(ofType: $0) } }

    /// Returns the resources of a type, in the order of arrival. If the directory of the file is damaged, calls `onError` and returns only
    /// those in memory.
    func identities(ofType type: String, _ onError: ((any Error) -> Void)? = nil) -> [StoredIdentity] {
        do { return try listed(ofType: type) } catch {
            onError?(error)
            return heldIdentities(ofType: type)
        }
    }

    /// Returns all resources, grouped by type. Throws `ArchiveError` if the directory of the file is damaged.
    ///
    /// - Complexity: O(n log n), n = number of resources.
    func listed() throws -> [StoredIdentity] { try typeNames.flatMap(listed(ofType:)) }

    /// Returns the resources of a type. Throws `ArchiveError` if the directory of the file is damaged.
    ///
    /// - Complexity: O(n), n = number of resources of the type. O(n log n) for the first list of a type after the file was opened or saved.
    ///   Each resource that is not at the end and that the file does not have yet adds O(log² n).
    func listed(ofType type: String) throws -> [StoredIdentity] {
        guard let backing else { return heldIdentities(ofType: type) }
        let filed = try backing.archive.identities(ofType: type)
        let present = backing.removed.isEmpty ? filed : filed.filter { backing.removed[$0] == nil }
        let new = lists.slots(ofType: type) { slots[$0]?.isFiled == false }
            .compactMap { slot in slots[slot].map { (identity: $0.identity, number: lists[slot]) } }
        let early = new.prefix { $0.number < backing.archive.placesEnd }
        return Self.merged(Array(early), into: present, filedNumber) + new.dropFirst(early.count).map(\.identity)
    }

    /// Returns resources of a file, and new ones in their places between them.
    ///
    /// - Parameters:
    ///   - new: the new ones in the order of their numbers.
    ///   - place: returns the place of a resource of the file.
    static func merged(
        _ new: [(identity: StoredIdentity, number: Int)], into filed: [StoredIdentity], _ place: (StoredIdentity) -> Int?
    ) -> [StoredIdentity] {
        guard !new.isEmpty else { return filed }
        var list: [StoredIdentity] = []
        var rest = filed[...]
        for (identity, number) in new {
            let index = rest.indices.partitioningIndex { place(rest[$0]) ?? .max > number }
            list += rest[..<index]
            list.append(identity)
            rest = rest[index...]
        }
        return list + rest
    }

    /// Returns the resources that do not have the same text as in another table, and those that only one of the two has. A resource that is
    /// damaged in the file of this table is not among them if the other one has an intact text.
    ///
    /// Throws `ArchiveError` if the directory of a file is damaged.
    ///
    /// - Complexity: O(bytes of the resources).
    func differences(from other: ResourceTable) throws -> [StoredIdentity] {
        let changed = try listed().filter { identity in
            let known = try? other.place(of: identity).text()
            guard let text = try? place(of: identity).text() else { return known == nil }
            return known != text
        }
        return try changed + other.listed().filter { !mayHave($0) }
    }
}

// MARK: - Places

extension ResourceTable {
    /// Returns the number of a resource that the file does not have yet in the list of its type.
    func unfiledNumber(of identity: StoredIdentity) -> Int? {
        slot(of: identity).flatMap { slots[$0]?.isFiled == false ? lists[$0] : nil }
    }

    /// Returns the number of a resource of the file, which is its place there. Returns nil if the file is damaged there.
    func filedNumber(_ identity: StoredIdentity) -> Int? { (try? backing?.archive.place(of: identity)) ?? nil }

    /// Returns the number of a resource in the list of its type; nil if there is no such resource, or if its file is damaged there.
    func number(of identity: StoredIdentity) -> Int? {
        if let number = unfiledNumber(of: identity) { return number }
        guard mayHave(identity) else { return nil }
        return filedNumber(identity)
    }

    /// Returns the place of a resource in the list of its type, which it can have again after its removal.
    func listPlace(of identity: StoredIdentity) -> ListPlace? { number(of: identity).map(lists.place) }

    /// Returns the place that a resource will have in its list when the table reads through another file that does not have it.
    func listPlace(of identity: StoredIdentity, in archive: ArchiveImage) -> ListPlace? {
        let start = archive.numbering == lists.numbering ? 0 : archive.placesEnd
        return number(of: identity).map { ListPlace(numbering: archive.numbering, number: start + $0) }
    }

    /// Returns the number of an earlier place; nil if the numbers have changed since then.
    func number(at place: ListPlace) -> Int? { lists.number(at: place) }
}
