import JSONText

/// Follows linkage from primary data and records the resource objects that it reaches. It uses a work list instead of recursion.
///
///     data: book 7 ── author ──▶ included: person 3 ── city ──▶ included: city 1
///
/// The caller numbers the resource objects from 0. It calls `reach(_:)` for those at which the walk begins, and finds the resource
/// object for an identifier.
///
/// <https://jsonapi.org/format/1.1/#document-compound-documents>
/// - Complexity: O(n + m), n = number of resource objects, m = number of identifiers.
package struct LinkageWalk {
    private let view: TapeView
    /// Resource objects that repeat an identity, by the first object with this identity. Linkage to one of them reaches all of them.
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

    /// Continues until no more resource objects are reached.
    ///
    /// - Parameters:
    ///   - relationships: Returns the index of a resource object's `relationships` object, or 0 if there is none.
    ///   - reachIdentified: Reaches the resource object that an identifier refers to.
    package mutating func run(relationships: (Int) -> Int, reachIdentified: (inout LinkageWalk, Int) -> Void) {
        while let number = work.popLast() {
            let object = relationships(number)
            guard object != 0 else { continue }
            for (name, value) in Members(view, of: object) {
                guard view.isObject(value), MemberName(view, name) != .at, let data = view.member("data", of: value) else { continue }
                view.forEachIdentifier(inLinkage: data) { reachIdentified(&self, $0) }
            }
        }
    }
}

extension TapeView {
    /// Calls `body` with the index of each identifier in linkage. Null, and values that are not linkage, have none.
    package func forEachIdentifier(inLinkage data: Int, _ body: (Int) -> Void) {
        if isObject(data) { return body(data) }
        guard isArray(data) else { return }
        forEachElement(of: data) { element, _ in if isObject(element) { body(element) } }
    }
}
