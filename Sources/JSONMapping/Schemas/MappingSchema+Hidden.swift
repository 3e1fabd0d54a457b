import JSONText

// Fields that a schema reads, but does not represent. No client knows them.

extension MappingSchema {
    /// The fields that are not represented, without those that only read the property of a represented field.
    var hiddenFields: [SchemaField<Root>] {
        guard let paths = representedPaths.map({ Set($0.map { ByteText($0) }) }) else { return [] }
        let properties = Set(representedFields.compactMap(\.steps.path))
        return fields.filter { !paths.contains($0.steps.place) && $0.steps.path.map(properties.contains) != true }
    }

    /// The hidden fields that are written to and read from the shadow of an object. The id and the relationships of a resource stay where
    /// they are: a client knows the id, and whether it may send a relationship is checked for the whole resource.
    func shadowedFields(_ context: MappingContext) -> [SchemaField<Root>] {
        guard !context.isNested, let names = context.run.namesOfResource else { return hiddenFields }
        return hiddenFields.filter { field in
            guard let first = field.paths.all.first?.segments.first else { return true }
            return !names.contains { UTF8Bytes.areEqual($0, first) }
        }
    }

    /// Returns where the fields of an object are read.
    func source(_ object: JSONObject, _ context: MappingContext) -> ObjectSource<Root> {
        guard let shadow = context.run.shadow else { return ObjectSource(visible: object) }
        var visible = object
        let members = visible.removeValue(forName: shadow.name)?.object
        if members == nil, shadow.isTrusted { return ObjectSource(visible: visible) }
        let hidden = shadowedFields(context)
        guard !hidden.isEmpty else { return ObjectSource(visible: visible) }
        let known = fields.filter { field in !hidden.contains { $0.steps === field.steps } }.flatMap(\.paths.all)
        func isRefused(_ path: MappingPath) -> Bool {
            !shadow.isTrusted && path.value(in: visible) != nil && !known.contains { $0.begins(with: path) || path.begins(with: $0) }
        }
        let refused = hidden.flatMap { field in field.paths.all.filter(isRefused).map { (ObjectIdentifier(field.steps), $0) } }
        return ObjectSource(
            visible: visible, shadow: members ?? JSONObject(), hidden: Set(hidden.map { ObjectIdentifier($0.steps) }), refused: refused)
    }

    /// Returns the flat object of a resource with the values of hidden fields that the program has supplied, and the client has not sent, in
    /// the shadow.
    package func trusting(_ flat: JSONObject, unless sent: JSONObject, _ shadow: Shadow, names: [String]) -> JSONObject {
        var (flat, members) = (flat, JSONObject())
        let context = MappingContext(shadow: shadow, namesOfResource: names)
        for path in shadowedFields(context).flatMap(\.paths.all) where path.value(in: sent) == nil {
            guard let value = path.value(in: flat), members.place(value, at: path.segments) else { continue }
            if path.segments.count == 1 { flat.removeValue(forName: path.segments[0]) }
        }
        if !members.isEmpty { flat[shadow.name] = .object(members) }
        return flat
    }
}

/// Where the fields of an object are read.
struct ObjectSource<Root> {
    /// The object as clients know it.
    let visible: JSONObject
    /// The values of the hidden fields.
    var shadow = JSONObject()
    /// The steps of the hidden fields.
    var hidden: Set<ObjectIdentifier> = []
    /// The hidden fields at whose paths the client has sent something.
    var refused: [(field: ObjectIdentifier, path: MappingPath)] = []

    /// All members, for code of the program.
    var whole: JSONObject {
        if hidden.isEmpty { return visible }
        var whole = visible
        for (_, path) in refused where path.segments.count == 1 { whole.removeValue(forName: path.segments[0]) }
        for member in shadow { _ = whole.place(member.value, at: [member.name]) }
        return whole
    }

    /// Returns what a field reads.
    ///
    /// - Parameter position: That of the next member, if members have the order of the fields.
    @inline(__always)
    func input(_ steps: FieldSteps<Root>, _ position: inout Int) -> FieldInput {
        guard !hidden.isEmpty, hidden.contains(ObjectIdentifier(steps)) else {
            return FieldInput(object: visible, json: steps.member.flatMap { visible.value(ofName: $0, expectedAt: &position) })
        }
        return FieldInput(object: shadow, json: steps.member.flatMap { shadow[$0] })
    }

    /// Whether there is an issue in place of the field's value.
    @inline(__always)
    func isRefused(_ steps: FieldSteps<Root>) -> Bool { !refused.isEmpty && refused.contains { $0.field == ObjectIdentifier(steps) } }

    /// Adds an issue for each member that the client has sent for a hidden field.
    func refuse(_ context: MappingContext, _ issues: inout IssueCollector) {
        for (_, path) in refused {
            context.run.refusals.insert(path.pointer)
            context.run.refusalCount += 1
            issues.add(.hidden, at: path.pointer, property: [])
        }
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
            let path = paths.all.first(where: { $0.value(in: object).map { !$0.isNull } ?? false })
        else { return }
        issues.add(.hidden, at: path.pointer, property: [])
    }
}

extension MappingIssue {
    /// The issue of a member that clients do not know.
    static let hidden = MappingIssue(.hiddenMember, expected: "only members that the resource has in responses", found: "another one")

    /// Whether an error is only about members that clients do not know.
    static func isHidden(_ error: any Error) -> Bool {
        let issues = (error as? ValidationError)?.issues ?? (error as? MappingIssue).map { [$0] } ?? []
        return !issues.isEmpty && issues.allSatisfy { $0.kind == .hiddenMember }
    }
}

extension MappingPath {
    /// Whether a path leads to the same place as another one, or to a place inside it.
    fileprivate func begins(with other: MappingPath) -> Bool {
        segments.count >= other.segments.count && zip(segments, other.segments).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }
}
