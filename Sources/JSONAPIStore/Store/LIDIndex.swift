import JSONAPIArchive

/// Finds the elements that mention a lid.
struct LIDIndex<Element: Hashable & Sendable>: Sendable {
    private var lids: [Element: Set<StoredIdentity>] = [:]
    private var byLID: [StoredIdentity: Set<Element>] = [:]

    /// Returns the elements that mention a lid, in no particular order.
    func elements(mentioning lid: StoredIdentity) -> Set<Element> { byLID[lid] ?? [] }

    /// Sets the lids that an element mentions.
    ///
    /// - Complexity: O(n), n = number of these lids, and of those before.
    mutating func set(_ new: Set<StoredIdentity>, of element: Element) {
        let earlier = lids[element] ?? []
        guard new != earlier else { return }
        lids[element] = new.isEmpty ? nil : new
        for lid in earlier.subtracting(new) {
            var rest = byLID.removeValue(forKey: lid) ?? []
            rest.remove(element)
            if !rest.isEmpty { byLID[lid] = rest }
        }
        for lid in new.subtracting(earlier) { byLID[lid, default: []].insert(element) }
    }
}

/// The slots of a table by the lids that their texts mention.
///
/// A text is not searched when it is stored, but when an id replaces a lid. A store without new resources therefore never searches a text.
struct SlotLIDs: Sendable {
    private var index = LIDIndex<Int>()
    /// The slots whose texts were not searched yet.
    private var unsearched = Chain()
    private var links: [Chain.Link] = []

    mutating func addSlot() { links.append(Chain.Link()) }

    /// Notes that a slot has a new text.
    mutating func noteText(in slot: Int) {
        if !links[slot].isLinked { unsearched.append(slot, &links) }
    }

    mutating func remove(_ slot: Int) {
        unsearched.remove(slot, &links)
        index.set([], of: slot)
    }

    /// Searches up to `count` new texts. Returns whether there are more.
    mutating func search(_ count: Int, _ text: (Int) -> [UInt8]?) -> Bool {
        for _ in 0..<count {
            guard let slot = unsearched.first else { return false }
            unsearched.remove(slot, &links)
            index.set(text(slot).map { StoredText.lids(in: $0) } ?? [], of: slot)
        }
        return unsearched.first != nil
    }

    /// Returns the slots whose texts mention a lid, in order. To be called when all texts are searched.
    func slots(mentioning lid: StoredIdentity) -> [Int] { index.elements(mentioning: lid).sorted() }
}
