import JSONText

/// What fields of one schema want of each other: names of their own, and places of their own.
enum FieldConflicts {
    /// The fields, of several with one name and one property the last, at the place of the first.
    ///
    /// Two fields that give one name to different properties both stay; that is `issue`.
    static func resolved<Root>(_ fields: [SchemaField<Root>]) -> (fields: [SchemaField<Root>], issue: MappingIssue?) {
        var positions: [ByteText: Int] = [:]
        var distinct: [SchemaField<Root>] = []
        var issue: MappingIssue?
        for field in fields {
            guard let position = positions[ByteText(field.name)] else {
                positions[ByteText(field.name)] = distinct.count
                distinct.append(field)
                continue
            }
            if areOfOneKind(distinct[position].steps.property, field.steps.property) {
                issue = issue ?? nameIssue(field.name, distinct[position].steps.property, field.steps.property)
                distinct.append(field)
            } else {
                distinct[position] = field
            }
        }
        return (distinct, issue)
    }

    /// Whether both lead to different properties of one type. A field of a subclass, or of the whole, may replace one of a superclass,
    /// or of a part.
    private static func areOfOneKind(_ a: [any AnyKeyPathHolder], _ b: [any AnyKeyPathHolder]) -> Bool {
        guard let first = a.first, let other = b.first, a.count == b.count, first.rootType == other.rootType else { return false }
        return !zip(a, b).allSatisfy { $0.anyPath == $1.anyPath }
    }

    private static func nameIssue(_ name: String, _ a: [any AnyKeyPathHolder], _ b: [any AnyKeyPathHolder]) -> MappingIssue {
        func text(_ paths: [any AnyKeyPathHolder]) -> String { paths.map { "\($0.anyPath)" }.joined(separator: " of ") }
        var issue = MappingIssue(
            .nameConflict, expected: "a name of its own for each field", found: "`\(name)` for both \(text(a)) and \(text(b))",
            advice: "give one of them another name: `MappingField(\\.property, \"itsName\", from: \"\(name)\")`")
        issue.propertyPath = [name]
        return issue
    }

    /// Whether one field is written at the place of another, or below it.
    ///
    /// - Complexity: O(n), n = names in all paths.
    static func sharePlaces<Root>(_ fields: [SchemaField<Root>]) -> Bool {
        var tree = PlaceTree()
        for field in fields {
            guard let path = field.paths.all.first else { continue }
            if !tree.insert(path.segments) { return true }
        }
        return false
    }
}

/// The places that fields are written at, name by name. Nodes are numbered, so that nothing recurses.
private struct PlaceTree {
    private var children: [[ByteText: Int]] = [[:]]
    private var isTaken = [false]

    /// False for a place that is taken, or is below or above one that is.
    mutating func insert(_ segments: [String]) -> Bool {
        var current = 0
        for segment in segments {
            if isTaken[current] { return false }
            if let next = children[current][ByteText(segment)] {
                current = next
            } else {
                children.append([:])
                isTaken.append(false)
                children[current][ByteText(segment)] = children.count - 1
                current = children.count - 1
            }
        }
        guard !isTaken[current], children[current].isEmpty else { return false }
        isTaken[current] = true
        return true
    }
}
