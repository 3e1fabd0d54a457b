import JSONText

// Relationships: linkage here, the resources into `included`.

/// `var author: ToOne<Person>`.
final class ToOneWriter<Target: ResourceRepresentable>: PropertyWriter<ToOne<Target>> {
    override var writesAttributes: Bool { false }
    private let elements: ElementWriter<Target>

    init(_ elements: ElementWriter<Target>) { self.elements = elements }

    override func write(_ value: ToOne<Target>, _ session: EncodingSession, as name: KnownName) throws {
        if case .notLoaded = value.linkage, value.details == nil || session.isRequest { return }
        try session.writeRelationship(name, value.details?.members) { output in
            switch value.linkage {
            case .notLoaded: return
            case .empty:
                output.name(plain: "data")
                output.null()
            case .identifier(let identifier):
                output.name(plain: "data")
                try session.write(identifier, into: output, at: ["relationships", name.text, "data"])
            case .unidentified: throw session.unidentified(name.text, Target.self)
            }
        }
        guard case .identifier(let identifier) = value.linkage, let node = session.node(through: name.text) else { return }
        if let held = value.heldValue {
            elements.meet(held, identifier, session, node)
        } else if let resolver = value.resolver {
            session.meet(identifier, through: resolver, node)
        }
    }
}

/// `var comments: ToMany<Comment>`.
final class ToManyWriter<Target: ResourceRepresentable>: PropertyWriter<ToMany<Target>> {
    override var writesAttributes: Bool { false }
    private let elements: ElementWriter<Target>

    init(_ elements: ElementWriter<Target>) { self.elements = elements }

    override func write(_ value: ToMany<Target>, _ session: EncodingSession, as name: KnownName) throws {
        if value.identifiers == nil, value.details == nil || session.isRequest, !value.hasUnidentified { return }
        try session.writeRelationship(name, value.details?.members) { output in
            if value.hasUnidentified { throw session.unidentified(name.text, Target.self) }
            guard let identifiers = value.identifiers else { return }
            output.name(plain: "data")
            output.beginArray()
            for (index, identifier) in identifiers.enumerated() {
                try session.write(identifier, into: output, at: ["relationships", name.text, "data", String(index)])
            }
            output.endArray()
        }
        guard let node = session.node(through: name.text) else { return }
        for identifier in value.identifiers ?? [] {
            if let held = value.heldValue(for: identifier) {
                elements.meet(held, identifier, session, node)
            } else if let resolver = value.resolver {
                session.meet(identifier, through: resolver, node)
            }
        }
    }
}

/// `var author: Person`. A `Resource` inside an attribute is an ordinary `Codable` value.
final class EmbeddedOneWriter<Element: ResourceRepresentable>: PropertyWriter<Element> {
    override var writesAttributes: Bool { false }
    private let elements: ElementWriter<Element>
    private let plain = CodableWriter<Element>()

    init(_ elements: ElementWriter<Element>) { self.elements = elements }

    override func write(_ value: Element, _ session: EncodingSession, _ sink: ValueSink) throws {
        try plain.write(value, session, sink)
    }

    override func writeCleared(_ session: EncodingSession, as name: KnownName) throws { try session.writeEmptyToOne(name) }

    override func write(_ value: Element, _ session: EncodingSession, as name: KnownName) throws {
        guard let identifier = value.identifier else { throw session.unidentified(name.text, Element.self) }
        let type = session.types.number(of: identifier.type, near: elements.typeHint)
        if try session.beginLinkage(name) {
            try session.write(identifier, type, into: session.relationships, at: ["relationships", name.text, "data"])
            session.relationships.endObject()
        }
        if let node = session.node(through: name.text) { elements.meet(value, identifier, type, session, node, in: nil, at: 0) }
    }
}

/// `var comments: [Comment]`, the empty one included.
final class EmbeddedManyWriter<Element: ResourceRepresentable>: PropertyWriter<[Element]> {
    override var writesAttributes: Bool { false }
    private let elements: ElementWriter<Element>
    private let plain = CodableWriter<[Element]>()

    init(_ elements: ElementWriter<Element>) { self.elements = elements }

    override func write(_ value: [Element], _ session: EncodingSession, _ sink: ValueSink) throws {
        try plain.write(value, session, sink)
    }

    override func write(_ values: [Element], _ session: EncodingSession, as name: KnownName) throws {
        let node = session.node(through: name.text)
        guard node != nil || session.wants(name.text) else { return }
        let waiting = node == nil || values.count == 0 ? nil : WaitingArray(values, elements)
        let hasLinkage = try session.beginLinkage(name)
        let output = session.relationships
        if hasLinkage { output.beginArray() }
        for index in 0..<values.count {
            guard let identifier = values.borrow(index, { $0.identifier }) else {
                if hasLinkage { throw session.unidentified(name.text, Element.self, index) }
                continue
            }
            let type = session.types.number(of: identifier.type, near: elements.typeHint)
            if hasLinkage { try session.write(identifier, type, into: output, at: ["relationships", name.text, "data", String(index)]) }
            // A path may lead along a relationship that the fieldset leaves out.
            if let node {
                values.borrow(index) { elements.meet($0, identifier, type, session, node, in: waiting, at: index) }
            }
        }
        guard hasLinkage else { return }
        output.endArray()
        output.endObject()
    }
}

/// `var author: ResourceIdentifier?` and `var comments: [ResourceIdentifier]`: linkage alone.
final class LinkageWriter<Value: Encodable>: PropertyWriter<Value> {
    override var writesAttributes: Bool { false }
    private let linkage: (Value) -> Linkage
    private let plain = CodableWriter<Value>()

    init(_ linkage: @escaping (Value) -> Linkage) { self.linkage = linkage }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try plain.write(value, session, sink)
    }

    override func writeCleared(_ session: EncodingSession, as name: KnownName) throws {
        if Value.self == ResourceIdentifier.self { try session.writeEmptyToOne(name) }
    }

    override func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        let linkage = linkage(value)
        if case .absent = linkage { return }
        try session.writeRelationship(name) { output in
            output.name(plain: "data")
            try session.write(linkage, into: output, at: ["relationships", name.text, "data"])
        }
        session.meet(linkage, through: name.text)
    }
}

/// `var author: RelationshipObject`: the relationship as it is.
final class RelationshipObjectWriter: PropertyWriter<RelationshipObject> {
    override var writesAttributes: Bool { false }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(value.json, into: sink)
    }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, as name: KnownName) throws {
        if session.isRequest, !value.members.contains(name: "data") { return }
        try session.writeRelationship(name, value.members) { output in
            guard let data = value.members["data"] else { return }
            output.name(plain: "data")
            guard let linkage = Linkage(json: data) else {
                throw session.failure(
                    .wrongPlace, at: ["relationships", name.text, "data"], expected: "linkage: null, an identifier or an array of them",
                    found: data.kindName)
            }
            try session.write(linkage, into: output, at: ["relationships", name.text, "data"])
        }
        if let linkage = value.members["data"].flatMap({ Linkage(json: $0) }) { session.meet(linkage, through: name.text) }
    }
}

extension EncodingSession {
    /// What bare linkage leads to in the document that was read.
    fileprivate func meet(_ linkage: Linkage, through name: String) {
        guard let resolver, let node = node(through: name) else { return }
        for identifier in linkage.identifiers { meet(identifier, through: resolver, node) }
    }

    /// Linkage, checked.
    func write(_ linkage: Linkage, into output: JSONOutput, at tokens: [String]) throws {
        switch linkage {
        case .absent:
            throw failure(
                .missingLinkage, at: tokens, expected: "linkage: null, an identifier or an array of them", found: "none",
                advice: "say what the relationship is to lead to")
        case .null: output.null()
        case .one(let identifier): try write(identifier, into: output, at: tokens)
        case .many(let identifiers):
            output.beginArray()
            for (index, identifier) in identifiers.enumerated() {
                try write(identifier, into: output, at: tokens + [String(index)])
            }
            output.endArray()
        }
    }

    /// A to-one relationship that is cleared.
    func writeEmptyToOne(_ name: KnownName) throws {
        try writeRelationship(name) { output in
            output.name(plain: "data")
            output.null()
        }
    }

    func unidentified(_ name: String, _ type: Any.Type, _ index: Int? = nil) -> EncodingFailure {
        failure(
            .missingIdentity, at: ["relationships", name], expected: "a related resource with an id or a lid",
            found: "a \(type) with neither" + (index.map { ", at index \($0)" } ?? ""),
            advice: "create it first, or give it a LocalID and create both in one atomic request")
    }
}
