import JSONAPIRules
import JSONMapping
import JSONText

// Included resources: noting them while others are written, and writing them.

// MARK: - Meeting resources

extension EncodingSession {
    /// Returns the node of a relationship in the include tree; nil when its resources are not requested.
    @inline(__always)
    func node(through name: String) -> IncludeTree.Node? {
        guard resource.node != IncludeTree.nothing, let node = tree.step(name, from: resource.node) else { return nil }
        if node >= 0, let nameCheck { nameCheck.noteRelationship(name) }
        // Without linkage, nothing refers to the resource. It is then included only when the caller requests it by name.
        return node == IncludeTree.everything && !wants(name) ? nil : node
    }

    /// What to do with a value that a relationship refers to.
    struct Meeting {
        let number: Int
        /// Whether it is the first value with its identity.
        let isNew: Bool
        /// How it differs from the first value with its identity; nil when it is the same.
        var difference: Difference?
        /// Whether it has to be searched, because a longer path leads to it.
        var isSearched = false

        enum Difference {
            /// It may be different, and is compared as text.
            case doubtful
            /// It is equal, but may lead to other resources.
            case equal
            /// The first value is written, and this one does not matter.
            case ignored
        }

        /// Whether it is compared or searched as well as the first value.
        var isOther: Bool { difference == .doubtful || difference == .equal }
        /// Whether the value has to be kept.
        var needsValue: Bool { isNew || isOther || isSearched }
    }

    /// Looks up the identity of a related value, whose type was looked up.
    func meet(_ identifier: ResourceIdentifier, _ type: Int, _ node: IncludeTree.Node) -> Meeting {
        let (number, isUnknown) = included.enter(identifier, type: type)
        var meeting = Meeting(number: number, isNew: isUnknown || included.isRaw(number))
        if meeting.isNew {
            if node >= 0 { _ = included.visit(number, node) }
        } else {
            meeting.isSearched = tree.hasChildren(node) && included.visit(number, node)
        }
        return meeting
    }

    /// Keeps a related value.
    func note(_ meeting: Meeting, _ value: WaitingValue, _ node: IncludeTree.Node) {
        if meeting.isNew { included.set(value, for: meeting.number) }
        guard meeting.isNew || meeting.isSearched else { return }
        let searched = meeting.difference == nil ? value : included.value(meeting.number) ?? value
        included.append(searched, meeting.number, node, isWritten: !meeting.isNew)
    }

    /// Keeps a related value that is compared or searched as well as the first one.
    ///
    /// - Parameter origin: What gave the value; nil when that is not known.
    func noteOther(_ meeting: Meeting, _ value: WaitingValue, _ node: IncludeTree.Node, from origin: AnyObject?) {
        included.noteOther(
            meeting.number, value, isEqual: meeting.difference == .equal, tree.leadsOn(node) ? node : nil, from: origin, root: searchRoot)
    }

    /// Notes a related resource that was read, and the model with which the program reads it.
    ///
    /// It is written as it was read, unless the encoder writes another form, or clients must not see all of it: then its models write it. The
    /// first reference selects where it is read.
    func meet(
        _ identifier: ResourceIdentifier, through resolver: ReferenceResolver, as model: any ResourceRepresentable.Type,
        _ node: IncludeTree.Node
    ) {
        let writesForm = writesForm(of: resolver)
        if writesForm, nameCheck == nil, !included.hasModels { return meet(identifier, through: resolver, node) }
        guard let known = included.number(of: identifier) else {
            meet(identifier, through: resolver, node)
            if !writesForm, let number = included.number(of: identifier) { included.note(ReadingModel(type: model, resolver), of: number) }
            return
        }
        if let value = included.value(known), included.values(of: value).type != ObjectIdentifier(model) { nameCheck?.openAll(node) }
        guard included.isRaw(known) else { return meet(identifier, through: resolver, node) }
        guard let first = included.models(known)?.first?.resolver else {
            if writesForm { return meet(identifier, through: resolver, node) }
            return search(known, node)
        }
        guard included.note(ReadingModel(type: model, first, resolver), of: known) else { return search(known, node) }
        // The resource is written again with what only this model has.
        included.forgetVisit(known, node)
        search(known, node, always: true)
        included.replaceRead(known)
    }

    /// Lets a resource that models write be written as it is in a document that another resource of the document links to, because nothing
    /// shows what reads it there.
    private func prefer(_ known: Int, _ resolver: ReferenceResolver, _ node: IncludeTree.Node) {
        do {
            guard let located = try locate(included.identifier(known), through: resolver) else { return }
            included.prefer(located, for: known)
            included.forgetVisit(known, node)
            search(known, node, always: true)
            included.replaceRead(known)
        } catch {
            note(error)
        }
    }

    /// Searches a resource that was read for those that a path requests, or with `always` for those that a new model or document leads to.
    private func search(_ known: Int, _ node: IncludeTree.Node, always: Bool = false) {
        guard always || tree.hasChildren(node), included.visit(known, node) else { return }
        included.searchRead(known, node, isCounted: !always)
    }

    /// Notes a resource that a value embeds, if the value was read from a source to be written by its model, because the program cannot have
    /// changed it. Returns whether that is so.
    func meetRead(_ identifier: ResourceIdentifier, as model: any ResourceRepresentable.Type, _ node: IncludeTree.Node) -> Bool {
        guard let readingResolver else { return false }
        meet(identifier, through: readingResolver, as: model, node)
        return included.number(of: identifier) != nil
    }

    /// Notes a related resource that was read.
    func meet(_ identifier: ResourceIdentifier, through resolver: ReferenceResolver, _ node: IncludeTree.Node) {
        guard !isLeftOut(resolver, identifier) else { return }
        if let known = included.number(of: identifier) {
            if included.models(known) != nil, included.isRaw(known), writesForm(of: resolver) { return prefer(known, resolver, node) }
            if !tree.hasChildren(node) || !included.visit(known, node) { return }
        }
        do {
            guard let located = try locate(identifier, through: resolver) else { return }
            let (number, isNew) = included.enter(identifier)
            if isNew, node >= 0 { _ = included.visit(number, node) }
            included.append(located, number, node, isWritten: !isNew)
        } catch {
            note(error)
        }
    }
}

extension EncodingSession {
    /// Returns a resource as it was read; nil when it is not available.
    func locate(_ identifier: ResourceIdentifier, through resolver: ReferenceResolver) throws -> LocatedResource? {
        do { return try resolver.locate(identifier) } catch { throw unreadable(identifier, error) }
    }

    /// The error for a related resource that its source cannot read.
    private func unreadable(_ identifier: ResourceIdentifier, _ error: any Error) -> any Error {
        guard let failure = DecodingFailure.of(error) else { return error }
        return EncodingFailure(
            .documentStructure, at: failure.pointer, resource: identifier, expected: failure.expected, found: failure.found,
            advice: "give the archive or the store the options of the decoder that read the resource"
                + (failure.advice.map { ": \($0)" } ?? ""))
    }
}

// MARK: - Writing them

extension EncodingSession {
    /// Writes `included`: the noted resources, and those that are noted in the meantime.
    ///
    /// - Parameter order: A document whose order is kept. Resources that it does not contain come last.
    func writeIncluded(isRequired: Bool, order: ParsedDocument?) throws {
        guard isRequired || included.isWaiting else { return }
        let beginning = output.mark
        output.name("included")
        output.beginArray()
        let start = output.mark
        var written: [IncludedResources.Item] = []
        while included.isWaiting {
            try writeItems(&written)
            if included.hasReplaced {
                // What the value refers to may be missing, and what only the resource that was read refers to must not be included.
                output.reset(to: start)
                included.startAgain(at: tree.root)
                written = []
            } else {
                try compareDoubtful()
            }
        }
        if let order, tree.root == IncludeTree.everything, fieldsets.isEmpty {
            appendUnlinked(of: order)
            try writeItems(&written)
        }
        guard isRequired || !written.isEmpty else { return output.reset(to: beginning) }
        output.endArray()
        if let order { arrange(written, from: start.count, by: order) }
    }

    /// Writes the noted resources, and appends them to `written`.
    private func writeItems(_ written: inout [IncludedResources.Item]) throws {
        while let item = included.nextItem() {
            let mark = output.mark
            try checkSearch(item)
            if item.isInstead, case .value = item.content { nameCheck?.openAll(item.node) }
            try write(item.content, as: item.number, at: ObjectPlace("included", index: written.count), node: item.node)
            let range = output.range(from: mark)
            if item.isWritten {
                // One more model can read what the first one could not.
                if !range.isEmpty, item.isRaw { included.replaceUnwritten(item.number) }
                if item.isCounted { included.noteSearch(range.count) }
                output.reset(to: mark)
            } else if !range.isEmpty {
                included.set(range, for: item.number)
                written.append(item)
            }
        }
    }

    /// Throws when paths lead through the same resources too often. Otherwise a short path could cost its length times all resources.
    package func checkSearch(_ item: IncludedResources.Item) throws {
        guard item.isWritten, item.isCounted, !included.maySearch() else { return }
        throw EncodingFailure(
            .includeLimit, at: .root, resource: included.identifier(item.number),
            expected: "include paths that lead to each resource a few times", found: "paths that lead through the same resources too often",
            advice: "shorten the include paths, or reject such paths before encoding")
    }

    /// Appends included resources that nothing referred to when the document was read, because a sparse fieldset may have removed the
    /// linkage.
    private func appendUnlinked(of document: ParsedDocument) {
        let index = document.index
        guard let resolver else { return }
        let noted = included.ordinals(in: document)
        let others = index.includedOrdinals.filter { !noted.contains($0) }
        guard !others.isEmpty else { return }
        let walk = LinkageWalk(document)
        for target in others where !walk.isReached(target) {
            guard let identifier = index.entries[target].identity(document.view) else { continue }
            let (number, isNew) = included.enter(identifier)
            guard isNew else { continue }
            let located = LocatedResource(document: document, ordinal: target, resolver: resolver)
            included.append(located, number, IncludeTree.everything, isWritten: false)
        }
    }

    /// Writes a value, or a resource that was read.
    package func write(_ content: IncludedResources.Content, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        switch content {
        case .value(let value): try write(value, as: number, at: place, node: node)
        case .raw(let index):
            let located = included.preferred(number) ?? included.located(index)
            if included.models(number) == nil { return try writeRaw(located, at: place, node: node) }
            try writeRead(located, as: number, at: place, node: node)
        }
    }

    /// Writes a waiting value.
    func write(_ value: WaitingValue, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        try included.values(of: value).write(value.index, self, as: number, at: place, node: node)
    }

    /// Writes a resource of a source by the models with which the program reads it: what any of them represents. What none of them can read
    /// is left out if it can have hidden fields.
    private func writeRead(_ located: LocatedResource, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        let mark = output.mark
        var texts: [[UInt8]] = []
        var count = 0
        // A resource that refers to itself can get one more model.
        while let models = included.models(number), count < models.count {
            count += 1
            if try write(by: models[count - 1], as: number, at: place, node: node) {
                texts.append(output.bytes(in: output.range(from: mark)))
                output.reset(to: mark)
            } else {
                // The path may lead through what this model would read.
                nameCheck?.openAll(node, included.identifier(number).type)
            }
        }
        if texts.isEmpty, !hasHiddenFields(located.resolver) { return try writeRaw(located, at: place, node: IncludeTree.nothing) }
        let objects = try texts.map { ResourceObject(members: try json($0).object ?? JSONObject()) }
        guard let first = objects.first else { return }
        let whole = objects.dropFirst().reduce(first) { $0.completed(by: $1) }
        try writeTree(.object(whole.members), into: output, at: [])
    }

    /// Writes the resource as a model reads it now. Returns false if the model cannot read it.
    private func write(by model: ReadingModel, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws -> Bool {
        func write<Model: ResourceRepresentable>(_ type: Model.Type) throws -> Bool {
            let identifier = included.identifier(number)
            for resolver in model.resolvers {
                guard let value = (try? resolver.newValue(type, identifier)) ?? (try? resolver.value(type, identifier)) else { continue }
                readingResolver = resolver
                defer { readingResolver = nil }
                try elementWriter(for: type).writeObject(value, self, as: number, at: place, node: node)
                return true
            }
            return false
        }
        return try write(model.type)
    }

    /// Sorts the objects of an array, whose first object begins at `start`, into the order of `document`. A resource without an id, which only
    /// its place identifies, keeps that place.
    private func arrange(_ written: [IncludedResources.Item], from start: Int, by document: ParsedDocument) {
        let positions = written.map { item in
            if case .raw(let index) = item.content, included.located(index).document === document { return included.located(index).ordinal }
            return document.index.ordinal(of: included.identifier(item.number), document.view) ?? .max
        }
        guard zip(positions, positions.dropFirst()).contains(where: { $0 > $1 }) else { return }
        let sorted = written.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        let bytes = output.bytes
        let objects = sorted.map { bytes[included[written[$0].number].range] }
        output.replace(from: start, with: Array(objects.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")])
    }

    /// Writes each value that shares an identity with another once more, notes what it leads to, and compares the texts.
    func compareDoubtful() throws {
        for other in included.takeOthers() {
            let range = included[other.number].range
            guard !range.isEmpty else { continue }
            let mark = output.mark
            if isCreation { omitted = included.values(of: other.value).restrictedFields(other.value.index) }
            defer { omitted = [] }
            try write(other)
            let isSame = try other.isEqual || isSame(range, output.range(from: mark))
            output.reset(to: mark)
            if !isSame { throw conflict(included.identifier(other.number)) }
        }
    }

    /// Writes a value that shares its identity with another, and notes what it leads to.
    package func write(_ other: OtherValue) throws {
        searchRoot = other.root
        defer { searchRoot = nil }
        try write(other.value, as: other.number, at: ObjectPlace("included"), node: other.node ?? IncludeTree.nothing)
    }

    /// Whether two objects in the text are the same JSON value, with members in any order.
    private func isSame(_ first: Range<Int>, _ second: Range<Int>) throws -> Bool {
        try output.areEqual(first, second) || json(output.bytes(in: first)) == json(output.bytes(in: second))
    }

    package func conflict(_ identifier: ResourceIdentifier) -> EncodingFailure {
        EncodingFailure(
            .duplicateResource, at: .root, resource: identifier, expected: "one resource for each type and id",
            found: "two different resources, both \(identifier.type) \(identifier.id ?? identifier.lid ?? "")",
            advice: "give both the same values, refer to one of them by ToOne or ToMany, or set conflictingResources to keepFirst")
    }
}

extension ResourceObject {
    /// Returns the resource with what only another object of it has: fields, and at any depth parts of attributes and meta.
    fileprivate func completed(by other: ResourceObject) -> ResourceObject {
        var members = members
        for member in other.members {
            let isLinked = UTF8Bytes.areEqual(member.name, "relationships")
            // Linkage stays as it is, although it is at any depth.
            members[member.name] = members[member.name]?.completed(by: member.value, isLinked ? 2 : JSON.maximumCompletion) ?? member.value
        }
        return ResourceObject(members: members)
    }
}

extension JSON {
    /// The stack has room for far fewer values of models.
    fileprivate static let maximumCompletion = 1_000

    /// Returns the value with what only another one has, down to a number of levels.
    fileprivate func completed(by other: JSON, _ levels: Int) -> JSON {
        guard levels > 0 else { return self }
        switch (self, other) {
        case (.object(var object), .object(let rest)):
            for member in rest { object[member.name] = object[member.name]?.completed(by: member.value, levels - 1) ?? member.value }
            return .object(object)
        case (.array(let array), .array(let rest)) where array.count == rest.count:
            return .array(JSONArray(zip(array, rest).map { $0.completed(by: $1, levels - 1) }))
        default: return self
        }
    }
}
