import JSONText

// Fields that a schema reads, but does not represent. No client knows them.

extension MappingSchema {
    /// The fields that are not represented, without those that only read the property of a represented field.
    var hiddenFields: [SchemaField<Root>] {
        guard let paths = representedPaths.map({ Set($0.map { ByteText($0) }) }) else { return [] }
        let properties = Set(representedFields.compactMap(\.steps.path))
        return fields.filter { !paths.contains($0.steps.place) && $0.steps.path.map(properties.contains) != true }
    }

    /// Adds an issue for each member of a client's object from which only hidden fields are read. Returns the fields that must not be read.
    func refuseHiddenMembers(
        of object: JSONObject, _ context: MappingContext, _ issues: inout IssueCollector
    ) -> Set<ObjectIdentifier> {
        guard context.run.hidden != .read, representedPaths != nil else { return [] }
        let hidden = hiddenFields
        let known = fields.filter { field in !hidden.contains { $0.steps === field.steps } }.flatMap(\.paths.all)
        for path in hidden.flatMap(\.paths.all) where path.value(in: object) != nil && !known.contains(where: { $0.begins(with: path) }) {
            if context.run.isResource, !context.isNested, path.segments == ["id"] { continue }
            context.run.refusalCount += 1
            issues.add(.hidden, at: path.pointer, property: [])
        }
        return context.run.hidden == .unread ? Set(hidden.map { ObjectIdentifier($0.steps) }) : []
    }
}

extension SchemaField {
    /// Adds an issue if hidden members were refused inside the value of a client's field, and none of its issues says so: another path was
    /// read, or a list without the element.
    func noteRefusals(
        since count: Int, in object: JSONObject, _ context: MappingContext, _ known: Int, _ issues: inout IssueCollector
    ) {
        guard context.run.refusalCount > count, !context.isNested,
            !issues.issues.dropFirst(known).contains(where: { $0.kind == .hiddenMember }),
            let path = paths.all.first(where: { $0.value(in: object) != nil })
        else { return }
        issues.add(.hidden, at: path.pointer, property: [])
    }
}

extension MappingIssue {
    /// The issue of a member that clients do not know.
    static let hidden = MappingIssue(.hiddenMember, expected: "only members that the resource has in responses", found: "another one")
}

extension MappingPath {
    /// Whether a path leads to the same place as another one, or to a place inside it.
    fileprivate func begins(with other: MappingPath) -> Bool {
        segments.count >= other.segments.count && zip(segments, other.segments).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }
}
