import JSONText

/// A member that differs, or that only one of two objects has.
package struct MemberChange {
    package let name: String
    package let old: JSON?
    package var new: JSON?

    package init(name: String, old: JSON?, new: JSON?) { (self.name, self.old, self.new) = (name, old, new) }
}

/// Compares two resource objects on a tape member by member. Only members that differ become trees.
package struct MemberComparison {
    private let view: TapeView
    private let old: Int
    private let new: Int

    /// The tape is an array of the old and the new object. It must outlive the comparison.
    package init(of view: TapeView) {
        self.view = view
        old = view.first(in: view.root)
        new = view.next(after: old)
    }

    /// Returns the change of a member of the resource object; nil if both have it with an equal value, and if neither has it.
    package func change(of name: StaticString) -> MemberChange? {
        change(name.description, view.member(name, of: old), view.member(name, of: new))
    }

    /// Returns the members that differ in a member of the resource object: first those of the new object in their order, then those that
    /// were removed. If an object repeats a name, which only raw resources do, the last one counts.
    ///
    /// - Complexity: O(n), n = size of the values.
    package func changes(in group: StaticString) -> [MemberChange] {
        let (old, new) = (object(group, of: old), object(group, of: new))
        if let old, let new, let changes = changesInOrder(old, new) { return changes }
        let (before, after) = (NamedMembers(old, of: view), NamedMembers(new, of: view))
        var changes: [MemberChange] = []
        after.forEach { name, value in
            if let change = change(name, before.value(name), value) { changes.append(change) }
        }
        before.forEach { name, value in
            if after.value(name) == nil { changes.append(MemberChange(name: name, old: view.json(at: value), new: nil)) }
        }
        return changes
    }

    /// Returns the object that is a member of a resource object. A raw resource can have another value in its place, which has no members.
    private func object(_ group: StaticString, of resource: Int) -> Int? {
        view.member(group, of: resource).flatMap { view.isObject($0) ? $0 : nil }
    }

    /// Returns the members that differ in two objects with the same names in the same order, as nearly always; nil for other objects.
    private func changesInOrder(_ old: Int, _ new: Int) -> [MemberChange]? {
        guard view.count(at: old) == view.count(at: new), !view.hasDuplicates(new) else { return nil }
        var changes: [MemberChange] = []
        var (before, after) = (view.first(in: old), view.first(in: new))
        let end = view.end(of: new)
        while after < end {
            guard view.string(at: before, equalsStringAt: after) else { return nil }
            let (oldValue, newValue) = (view.next(after: before), view.next(after: after))
            if let change = change(view.string(at: after), oldValue, newValue) { changes.append(change) }
            (before, after) = (view.next(after: oldValue), view.next(after: newValue))
        }
        return changes
    }

    private func change(_ name: @autoclosure () -> String, _ before: Int?, _ after: Int?) -> MemberChange? {
        if let before, let after, view.value(at: before, isWrittenLike: after) { return nil }
        let change = MemberChange(name: name(), old: before.map { view.json(at: $0) }, new: after.map { view.json(at: $0) })
        return change.old == change.new ? nil : change
    }
}

/// The members of an object on a tape, by name. There are none if there is no object.
private struct NamedMembers {
    private let object: Int?
    private let view: TapeView
    private let index: TapeNameIndex?

    init(_ object: Int?, of view: TapeView) {
        self.object = object
        self.view = view
        index = object.map { TapeNameIndex($0, of: view) }
    }

    func value(_ name: String) -> Int? { index?.value(name, in: view) }

    /// Calls `body` with each member that no later one of the same name replaces.
    func forEach(_ body: (_ name: String, _ value: Int) -> Void) {
        guard let object, let index else { return }
        let repeatsNames = view.hasDuplicates(object)
        view.forEachMember(of: object) { name, value in
            if !repeatsNames || index.isLast(nameAt: name, in: view) { body(view.string(at: name), value) }
        }
    }
}
