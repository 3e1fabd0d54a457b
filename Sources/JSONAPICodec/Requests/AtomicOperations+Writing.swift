import JSONText

extension AtomicOperations {
    public var _kind: DocumentKind { .atomicRequest }

    public func _write(_ target: DocumentTarget) throws {
        guard !operations.isEmpty else {
            throw EncodingFailure(
                .documentStructure, at: .root, expected: "at least one operation", found: "none",
                advice: "there is nothing to send")
        }
        var lids = LocalIDs()
        target.session.output.name(Self.member)
        target.session.output.beginArray()
        for (index, operation) in operations.enumerated() {
            try operation.write(target.session, at: ObjectPlace(Self.member, index: index), &lids)
        }
        target.session.output.endArray()
    }

    static let member = "atomic:operations"
}

extension AtomicOperations.Operation {
    fileprivate func write(_ session: EncodingSession, at place: ObjectPlace, _ lids: inout LocalIDs) throws {
        session.output.beginObject()
        session.output.name("op")
        session.output.string(code.rawValue)
        if let ref { try write(ref, session, at: place, lids) }
        if let href {
            session.output.name("href")
            session.output.string(href)
        }
        if let data {
            session.output.name("data")
            try checkLinks(in: data, session, at: place)
            let mark = session.output.mark
            try write(data, session, at: place)
            let json = try session.json(session.output.bytes(in: session.output.range(from: mark)))
            // A new resource can link to itself.
            if let made { try lids.insert(made, at: place) }
            try lids.check(json, at: place, isAdded: code == .add && ref == nil)
        }
        session.output.endObject()
    }

    private func write(_ ref: AtomicOperations.Reference, _ session: EncodingSession, at place: ObjectPlace, _ lids: LocalIDs) throws {
        session.begin(at: place)
        guard !ref.identifier.isWithoutIdentity else {
            throw session.failure(
                .missingIdentity, at: ["ref"], expected: "a type with an id or a lid", found: "an identifier with neither")
        }
        try session.checkName(ref.identifier.type, at: ["ref", "type"], isType: true)
        try lids.check(ref.identifier, at: place, ["ref"])
        session.output.name("ref")
        var members = ref.identifier.bare.members
        if let relationship = ref.relationship {
            try session.checkField(relationship, at: ["ref", "relationship"])
            members["relationship"] = .string(relationship)
        }
        try session.writeTree(.object(members), into: session.output, at: ["ref"])
    }

    /// Throws for a relationship that nearly has the name of a property.
    private func checkLinks(in data: AtomicOperations.Data, _ session: EncodingSession, at place: ObjectPlace) throws {
        guard let model, case .resource(_, let links) = data else { return }
        for link in links {
            try ModelNames.checkSpelling(link.name, in: model, session.options, at: place.tokens + ["data", "relationships", link.name])
        }
    }

    private func write(_ data: AtomicOperations.Data, _ session: EncodingSession, at place: ObjectPlace) throws {
        var place = place
        place.isInOperation = true
        switch data {
        case .linkage(let linkage):
            session.begin(at: place)
            try session.write(linkage.withoutUnknownMembers, into: session.output, at: [])
        case .resource(let body, let links):
            let mark = session.output.mark
            try session.writeBody(body, at: place)
            if links.isEmpty { return }
            let text = session.output.bytes(in: session.output.range(from: mark))
            session.output.reset(to: mark)
            try checkAreDistinct(links, session)
            var object = ResourceObject(members: try session.json(text).object ?? JSONObject())
            for link in links where !body._restrictedFields.contains(where: { UTF8Bytes.areEqual($0, link.name) }) {
                object[relationship: link.name] = RelationshipObject(data: link.data.withoutUnknownMembers)
            }
            let part = session.parts[JSONPointer(tokens: place.tokens)]
            try session.writeBody(Create(object), at: place)
            // The whole object is written again, with as many attributes as before.
            session.parts[JSONPointer(tokens: place.tokens)] = part
        }
    }

    /// Throws when two links have one name. They are sorted by name.
    private func checkAreDistinct(_ links: [Relationship], _ session: EncodingSession) throws {
        guard let twice = zip(links, links.dropFirst()).first(where: { UTF8Bytes.areEqual($0.name, $1.name) })?.0.name else { return }
        throw session.failure(
            .duplicateName, at: ["relationships", twice], expected: "each relationship once in `linking` and `linkingMany`",
            found: "`\(twice)` in both")
    }
}

/// The lids of the resources that the operations have created so far.
private struct LocalIDs {
    private var known: Set<ResourceIdentifier> = []

    mutating func insert(_ identifier: ResourceIdentifier, at place: ObjectPlace) throws {
        guard identifier.id == nil, identifier.lid != nil, !known.insert(identifier.bare).inserted else { return }
        throw EncodingFailure(
            .duplicateResource, at: JSONPointer(tokens: place.tokens + ["data", "lid"]), resource: identifier,
            expected: "a lid that no other operation creates", found: "a lid that an earlier operation creates")
    }

    /// Throws when the lid is not known.
    func check(_ identifier: ResourceIdentifier, at place: ObjectPlace, _ tokens: [String]) throws {
        guard identifier.id == nil, let lid = identifier.lid, !known.contains(identifier.bare) else { return }
        throw EncodingFailure(
            .unknownLocalID, at: JSONPointer(tokens: place.tokens + tokens), resource: identifier,
            expected: "a lid that an earlier operation creates", found: "the lid `\(lid)` of type `\(identifier.type)`",
            advice: "add the resource first, and link to the identifier that `add` returns")
    }

    /// Checks all identifiers in the data of an operation.
    ///
    /// - Parameter isAdded: Whether the data is a resource object whose own lid this operation creates.
    func check(_ data: JSON, at place: ObjectPlace, isAdded: Bool) throws {
        guard case .object(let members) = data else { return try check(Linkage(json: data), at: place, ["data"]) }
        let object = ResourceObject(members: members)
        if !isAdded, let identifier = object.identifier { try check(identifier, at: place, ["data"]) }
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject()) {
            try check(relationship.data, at: place, ["data", "relationships", name, "data"])
        }
    }

    private func check(_ linkage: Linkage?, at place: ObjectPlace, _ tokens: [String]) throws {
        switch linkage {
        case .one(let identifier): try check(identifier, at: place, tokens)
        case .many(let identifiers):
            for (index, identifier) in identifiers.enumerated() {
                try check(identifier, at: place, tokens + [String(index)])
            }
        case .absent, .null, nil: return
        }
    }
}
