import JSONText

// Relationships: linkage here, the resources into `included`.

/// `var author: ToOne<Person>`.
final class ToOneWriter<Target: ResourceRepresentable>: PropertyWriter<ToOne<Target>> {
    override var writesAttributes: Bool { false }
    private let elements: ElementWriter<Target>

    init(_ elements: ElementWriter<Target>) { self.elements = elements }

    override func write(_ value: ToOne<Target>, _ session: EncodingSession, as name: String) throws {
        if case .notLoaded = value.linkage, value.details == nil || session.isRequest { return }
        try session.writeRelationship(name, value.details?.members) { output in
            switch value.linkage {
            case .notLoaded: return
            case .empty:
                output.name(plain: "data")
                output.null()
            case .identifier(let identifier):
                output.name(plain: "data")
                try session.write(identifier, into: output, at: ["relationships", name, "data"])
            case .unidentified: throw session.unidentified(name, Target.self)
            }
        }
        guard case .identifier(let identifier) = value.linkage, let node = session.node(through: name) else { return }
        if let held = value.heldValue {
            withUnsafePointer(to: held) { elements.meet($0, identifier, session, node) }
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

    override func write(_ value: ToMany<Target>, _ session: EncodingSession, as name: String) throws {
        if value.identifiers == nil, value.details == nil || session.isRequest, !value.hasUnidentified { return }
        try session.writeRelationship(name, value.details?.members) { output in
            if value.hasUnidentified { throw session.unidentified(name, Target.self) }
            guard let identifiers = value.identifiers else { return }
            output.name(plain: "data")
            output.beginArray()
            for (index, identifier) in identifiers.enumerated() {
                try session.write(identifier, into: output, at: ["relationships", name, "data", String(index)])
            }
            output.endArray()
        }
        guard let node = session.node(through: name) else { return }
        for identifier in value.identifiers ?? [] {
            if let held = value.heldValue(for: identifier) {
                withUnsafePointer(to: held) { elements.meet($0, identifier, session, node) }
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

    override func writeCleared(_ session: EncodingSession, as name: String) throws { try session.writeEmptyToOne(name) }

    override func write(_ value: Element, _ session: EncodingSession, as name: String) throws {
        try withUnsafePointer(to: value) { try write(at: $0, session, as: name) }
    }

    override func write(at value: UnsafePointer<Element>, _ session: EncodingSession, as name: String) throws {
        guard let identity = ShortIdentity(of: value, session) else { return try writeAny(at: value, session, as: name) }
        if try session.beginLinkage(name) {
            session.relationships.object(with: identity.opening, identity.id)
            session.relationships.endObject()
        }
        if let node = session.node(through: name) { elements.meet(value, identity, session, node, isKept: false) }
    }

    @inline(never)
    private func writeAny(at value: UnsafePointer<Element>, _ session: EncodingSession, as name: String) throws {
        guard let identifier = Element._identifier(of: value) else { throw session.unidentified(name, Element.self) }
        let type = session.types.known(identifier.type)
        if try session.beginLinkage(name) {
            try session.write(identifier, type, into: session.relationships, at: ["relationships", name, "data"])
            session.relationships.endObject()
        }
        if let node = session.node(through: name) { elements.meet(value, identifier, type, session, node, isKept: false) }
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

    override func write(_ value: [Element], _ session: EncodingSession, as name: String) throws {
        try withUnsafePointer(to: value) { try write(at: $0, session, as: name) }
    }

    override func write(at value: UnsafePointer<[Element]>, _ session: EncodingSession, as name: String) throws {
        let node = session.node(through: name)
        guard node != nil || session.wants(name) else { return }
        let values = elements.keep(value)
        if try session.beginLinkage(name) {
            try writeLinkage(values, session, name, node)
            session.relationships.endObject()
        } else if let node {
            // A path may lead along a relationship that the fieldset leaves out.
            meet(values, session, node)
        }
    }

    private func writeLinkage(
        _ values: KeptArray<Element>, _ session: EncodingSession, _ name: String, _ node: IncludeTree.Node?
    ) throws {
        let output = session.relationships
        output.beginArray()
        for index in 0..<values.count {
            let element = values[index]
            if let identity = ShortIdentity(of: element, session) {
                output.object(with: identity.opening, identity.id)
                if let node { elements.meet(element, identity, session, node, isKept: true) }
            } else {
                try writeAny(element, session, name, index, node)
            }
        }
        output.endArray()
    }

    @inline(never)
    private func writeAny(
        _ element: UnsafePointer<Element>, _ session: EncodingSession, _ name: String, _ index: Int, _ node: IncludeTree.Node?
    ) throws {
        guard let identifier = Element._identifier(of: element) else { throw session.unidentified(name, Element.self, index) }
        let type = session.types.known(identifier.type)
        try session.write(identifier, type, into: session.relationships, at: ["relationships", name, "data", String(index)])
        if let node { elements.meet(element, identifier, type, session, node, isKept: true) }
    }

    private func meet(_ values: KeptArray<Element>, _ session: EncodingSession, _ node: IncludeTree.Node) {
        for index in 0..<values.count {
            guard let identifier = Element._identifier(of: values[index]) else { continue }
            elements.meet(values[index], identifier, session, node, isKept: true)
        }
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

    override func writeCleared(_ session: EncodingSession, as name: String) throws {
        if Value.self == ResourceIdentifier.self { try session.writeEmptyToOne(name) }
    }

    override func write(_ value: Value, _ session: EncodingSession, as name: String) throws {
        let linkage = linkage(value)
        if case .absent = linkage { return }
        try session.writeRelationship(name) { output in
            output.name(plain: "data")
            try session.write(linkage, into: output, at: ["relationships", name, "data"])
        }
    }
}

/// `var author: RelationshipObject`: the relationship as it is.
final class RelationshipObjectWriter: PropertyWriter<RelationshipObject> {
    override var writesAttributes: Bool { false }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(value.json, into: sink)
    }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, as name: String) throws {
        if session.isRequest, !value.members.contains(name: "data") { return }
        try session.writeRelationship(name, value.members) { output in
            guard let data = value.members["data"] else { return }
            output.name(plain: "data")
            guard let linkage = Linkage(json: data) else {
                throw session.failure(
                    .wrongPlace, at: ["relationships", name, "data"], expected: "linkage: null, an identifier or an array of them",
                    found: data.kindName)
            }
            try session.write(linkage, into: output, at: ["relationships", name, "data"])
        }
    }
}

extension EncodingSession {
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
    func writeEmptyToOne(_ name: String) throws {
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
