import JSONText

/// Follows linkage from primary data with a list of work, never by recursion, and notes which resource objects it leads to.
///
///     data: book 7 ── author ──▶ included: person 3 ── city ──▶ included: city 1
///
/// Resource objects are numbers of the caller's, from 0: the caller reaches those that the walk begins with, and finds the resource
/// object that an identifier names.
///
/// <https://jsonapi.org/format/1.1/#document-compound-documents>
/// - Complexity: O(resources + identifiers).
package struct LinkageWalk {
    private let view: TapeView
    /// Resource objects with the identity of an earlier one, by that one: what leads to one leads to all.
    private let twins: [Int: [Int]]
    private var reached: [Bool]
    private var work: [Int] = []

    package init(_ view: TapeView, count: Int, twins: [Int: [Int]]) {
        self.view = view
        self.twins = twins
        reached = [Bool](repeating: false, count: count)
    }

    package func isReached(_ number: Int) -> Bool { reached[number] }

    package mutating func reach(_ number: Int) {
        guard !reached[number] else { return }
        reached[number] = true
        work.append(number)
        guard !twins.isEmpty, let others = twins[number] else { return }
        for other in others where !reached[other] {
            reached[other] = true
            work.append(other)
        }
    }

    /// Walks until nothing new is reached.
    ///
    /// - Parameters:
    ///   - relationships: The word of a resource object's relationships, which are an object; 0 for none.
    ///   - reachIdentified: Reaches what the identifier at a word names.
    package mutating func run(relationships: (Int) -> Int, reachIdentified: (inout LinkageWalk, Int) -> Void) {
        while let number = work.popLast() {
            let object = relationships(number)
            guard object != 0 else { continue }
            for (name, value) in Members(view, of: object) {
                guard view.isObject(value), !view.isAtMember(name), let data = view.member("data", of: value) else { continue }
                view.forEachIdentifier(inLinkage: data) { reachIdentified(&self, $0) }
            }
        }
    }
}

extension TapeView {
    /// Calls `body` with the word of each identifier in linkage; null, and what is no linkage, has none.
    package func forEachIdentifier(inLinkage data: Int, _ body: (Int) -> Void) {
        if isObject(data) { return body(data) }
        guard isArray(data) else { return }
        forEachElement(of: data) { element, _ in if isObject(element) { body(element) } }
    }

    /// Whether a name is that of an @-member, which counts for nothing.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names-at-members>
    package func isAtMember(_ name: Int) -> Bool {
        if isEscaped(name) { return string(at: name).utf8.first == UInt8(ascii: "@") }
        return withBytes(at: name) { !$0.isEmpty && $0[0] == UInt8(ascii: "@") }
    }
}
