import JSONText

/// Finds conflicts between the fields of a schema: equal names, overlapping places, and constants that no initializer sets.
enum FieldConflicts {
    /// Returns the fields with replaced ones removed. If several fields have the same name, the last one takes the position of the first.
    ///
    /// Two fields with the same name for different properties are both kept, and are reported as `issue`.
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
            if areConflicting(distinct[position].steps.property, field.steps.property) {
                issue = issue ?? nameIssue(field.name, distinct[position].steps.property, field.steps.property)
                distinct.append(field)
            } else {
                distinct[position] = field
            }
        }
        return (distinct, issue)
    }

    /// Returns whether both lead to different properties of the same type. A field of a subclass can replace one of its superclass, and a
    /// field of a whole can replace one of its part.
    private static func areConflicting(_ a: [any AnyKeyPathHolder], _ b: [any AnyKeyPathHolder]) -> Bool {
        guard let first = a.first, let other = b.first, a.count == b.count, first.rootType == other.rootType else { return false }
        return !zip(a, b).allSatisfy { $0.anyPath == $1.anyPath }
    }

    private static func nameIssue(_ name: String, _ a: [any AnyKeyPathHolder], _ b: [any AnyKeyPathHolder]) -> MappingIssue {
        func text(_ paths: [any AnyKeyPathHolder]) -> String { paths.map { "\($0.anyPath)" }.joined(separator: " of ") }
        var issue = MappingIssue(
            .nameConflict, expected: "a different name for each field", found: "`\(name)` for both \(text(a)) and \(text(b))",
            advice: "rename one of them: `MappingField(\\.property, \"itsName\", from: \"\(name)\")`")
        issue.propertyPath = [name]
        return issue
    }

    /// Returns the issue of a required field whose property is a constant, for a schema without a `make` closure. Nil if there is none.
    static func constantIssue<Root>(_ fields: [SchemaField<Root>]) -> MappingIssue? {
        guard let field = fields.first(where: { $0.steps.needsMake }) else { return nil }
        var issue = MappingIssue(
            .initializationFailed, expected: "a property that can be set", found: "the constant of the required field `\(field.name)`",
            advice: "create the schema with `make:`, which passes the value to an initializer, or declare a variable")
        issue.propertyPath = [field.name]
        return issue
    }

    /// Returns whether a field is written at the place of another field, or below it.
    ///
    /// - Complexity: O(n), n = number of names in all paths.
    static func sharePlaces<Root>(_ fields: [SchemaField<Root>]) -> Bool {
        var tree = PlaceTree()
        for field in fields {
            guard let path = field.paths.all.first else { continue }
            if !tree.insert(path.segments) { return true }
        }
        return false
    }
}

/// A tree of the places at which fields are written. Nodes refer to each other by number, so that no method recurses.
private struct PlaceTree {
    private var children: [[ByteText: Int]] = [[:]]
    private var isTaken = [false]

    /// Inserts a place. Returns false if it is taken, or if it is above or below a taken place.
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
