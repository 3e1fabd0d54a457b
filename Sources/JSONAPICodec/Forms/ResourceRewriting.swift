import JSONMapping
import JSONText

/// Rewrites the attributes of resources of some types, everywhere in a document.
///
/// It runs before anything is read, so it knows the leniencies: what the decoder will read as a resource is rewritten as one. An object that
/// may be an identifier, because it has no attributes, relationships, or links, is rewritten if resources are expected in its place.
package struct ResourceRewriting {
    private let rewriters: [String: Rewriter]
    private let leniencies: Leniencies
    /// What the primary data is read or written as.
    private let primary: Contents

    /// The part of its attributes that a resource object has.
    package enum Part {
        /// Those that a request changes.
        case changes
        /// All but those with the given names. The object is a resource, also without any.
        case without([String])
    }

    /// What a member of a document contains.
    package enum Contents {
        /// Identifiers, or anything.
        case linkage
        /// Resources; of the given type if they have none, which the leniency `missingTypes` accepts.
        case resources(String?)

        /// The contents of primary data that is read or written as a value of the given type.
        package init(_ type: Any.Type) {
            switch type {
            case let optional as any OptionalType.Type: self.init(optional.wrappedType)
            case let array as any ArrayType.Type: self.init(array.elementType)
            case let model as any Resource.Type: self = .resources(model.type)
            case is any ResourceRepresentable.Type: self = .resources(nil)
            default: self = .linkage
            }
        }
    }

    /// Returns nil when there is nothing to rewrite. With a fieldset for a type, rules for other attributes do not run.
    package init?(
        _ rewriters: [String: Rewriter], fields: [ByteText: [String]] = [:], primary: @autoclosure () -> Contents,
        leniencies: Leniencies = []
    ) {
        guard !rewriters.isEmpty else { return nil }
        self.primary = primary()
        self.leniencies = leniencies
        self.rewriters = Dictionary(
            uniqueKeysWithValues: rewriters.map { type, rewriter in
                guard let names = fields[ByteText(type)].map({ Set($0.map { ByteText($0) }) }) else { return (type, rewriter) }
                return (type, rewriter.leavingOut { !names.contains(ByteText($0)) })
            })
    }

    /// Returns the document with rewritten attributes. Throws `ValidationError` with the places of all problems of one resource.
    ///
    /// - Parameter parts: The resources that have only a part of their attributes, by place.
    /// - Complexity: O(document), with the rewriters' own cost.
    func document(_ json: JSON, parts: [JSONPointer: Part] = [:]) throws -> JSON {
        guard case .object(var members) = json else { return json }
        for (name, contents) in [("data", primary), ("included", Contents.resources(nil))] {
            guard let value = members[name] else { continue }
            members[name] = try resources(value, contents, at: JSONPointer(name), parts) { throw $1 }
        }
        for name in [AtomicOperations.member, AtomicResults.member] {
            if let entries = members[name]?.array { members[name] = try self.entries(entries, at: JSONPointer(name), parts) }
        }
        return .object(members)
    }

    /// Returns operations or results with rewritten attributes. The data of an operation on a relationship is linkage.
    private func entries(_ entries: JSONArray, at place: JSONPointer, _ parts: [JSONPointer: Part]) throws -> JSON {
        .array(
            JSONArray(
                try entries.enumerated().map { index, entry in
                    guard case .object(var members) = entry, let data = members["data"], members["ref"]?["relationship"] == nil,
                        place == JSONPointer(AtomicOperations.member) || !AtomicResults.isRewrittenLater(data)
                    else { return entry }
                    members["data"] = try resources(data, .linkage, at: place.appending(index).appending("data"), parts) { throw $1 }
                    return .object(members)
                }))
    }

    /// Returns resources of a document with rewritten attributes.
    ///
    /// - Parameters:
    ///   - contents: What they are; by default, what the primary data is.
    ///   - place: The place of the resources.
    ///   - parts: The resources that have only a part of their attributes, by place.
    ///   - noteFailure: Called with the index of a resource that cannot be rewritten and stays as it is.
    package func resources(
        _ json: JSON, _ contents: Contents? = nil, at place: JSONPointer, _ parts: [JSONPointer: Part] = [:],
        noteFailure: (Int, any Error) throws -> Void
    ) rethrows -> JSON {
        let contents = contents ?? primary
        func rewritten(_ json: JSON, _ index: Int, at place: JSONPointer) throws -> JSON {
            do { return try resource(json, contents, at: place, parts.isEmpty ? nil : parts[place]) } catch {
                try noteFailure(index, error)
                return json
            }
        }
        guard case .array(let array) = json else { return try rewritten(json, 0, at: place) }
        return .array(JSONArray(try array.enumerated().map { try rewritten($1, $0, at: place.appending($0)) }))
    }

    private func resource(_ json: JSON, _ contents: Contents, at place: JSONPointer, _ part: Part? = nil) throws -> JSON {
        guard case .object(var members) = json else { return json }
        try rewriteLinkage(of: &members, at: place)
        var contents = contents
        if case .without? = part { contents = .resources(nil) }
        guard var rewriter = rewriter(for: members, contents), let attributes = attributes(of: members, contents) else {
            return .object(members)
        }
        do {
            switch part {
            case .changes: rewriter = try rewriter.forChanges(attributes)
            case .without(let names):
                rewriter = try rewriter.leavingOut(from: attributes) { name in names.contains { UTF8Bytes.areEqual($0, name) } }
            case nil: break
            }
            let output = try rewriter.rewrite(.object(attributes))
            return .object(members["attributes"]?.object == nil && output.isEmpty ? members : members.replacingAttributes(with: output))
        } catch let error as ValidationError {
            throw error.moved { JSONPointer(tokens: place.tokens + ["attributes"] + $0.tokens) }
        }
    }

    private func rewriter(for members: JSONObject, _ contents: Contents) -> Rewriter? {
        var type = members["type"]?.string
        if case .resources(let expected) = contents, members["type"] == nil, leniencies.contains(.missingTypes) { type = expected }
        return type.flatMap { type in rewriters.first { UTF8Bytes.areEqual($0.key, type) }?.value }
    }

    /// Returns the attributes as the decoder reads them; nil for an identifier, and for attributes that are no object, which the decoder
    /// refuses.
    private func attributes(of members: JSONObject, _ contents: Contents) -> JSONObject? {
        switch members["attributes"] {
        case .object(let attributes): return attributes
        case nil:
            if case .resources = contents { return JSONObject() }
            return members.contains { ResourceIdentifier.isField($0.name) } ? JSONObject() : nil
        case .null: return leniencies.contains(.nullContainers) ? JSONObject() : nil
        case .array(let array): return array.isEmpty && leniencies.contains(.emptyArrayContainers) ? JSONObject() : nil
        default: return nil
        }
    }

    // MARK: - Resources in place of identifiers

    /// Rewrites the whole resources in relationships that the leniencies read as resources.
    private func rewriteLinkage(of members: inout JSONObject, at place: JSONPointer) throws {
        guard leniencies.contains(.embeddedResources) || leniencies.contains(.identifiersWithoutID),
            var relationships = members["relationships"]?.object
        else { return }
        guard StackRoom.isLeft(Self.stackReserve) else {
            throw DecodingFailure(
                .nestingLimit, at: place, expected: "nesting that the stack of this thread has room for",
                found: "resources inside relationships that go deeper", advice: "decode on a thread with a larger stack")
        }
        // Of members with the same name, the last one counts. Nothing is rewritten twice.
        for member in relationships.effectiveMembers {
            guard var relationship = member.value.object, let data = relationship["data"] else { continue }
            let dataPlace = place.appending("relationships").appending(member.name).appending("data")
            let elements = data.array ?? [data]
            guard elements.contains(where: isWhole) else { continue }
            let rewritten = try elements.enumerated().map { index, element in
                guard isWhole(element) else { return element }
                return try resource(element, .resources(nil), at: data.array == nil ? dataPlace : dataPlace.appending(index))
            }
            relationship["data"] = data.array == nil ? rewritten[0] : .array(JSONArray(rewritten))
            relationships[member.name] = .object(relationship)
        }
        members["relationships"] = .object(relationships)
    }

    private static let stackReserve: UInt = 64 << 10

    /// Whether the decoder reads an object in place of an identifier as a resource.
    private func isWhole(_ json: JSON) -> Bool {
        guard let members = json.object else { return false }
        guard members["id"] != nil || members["lid"] != nil else { return leniencies.contains(.identifiersWithoutID) }
        let hasFields = ["attributes", "relationships"].contains { members[$0]?.object?.isEmpty == false }
        return leniencies.contains(.embeddedResources) && hasFields
    }
}

extension JSONObject {
    /// Returns the members of a resource object with other attributes, before its relationships if it had none.
    fileprivate func replacingAttributes(with attributes: JSONObject) -> JSONObject {
        var members = self
        if members["attributes"] != nil {
            members["attributes"] = .object(attributes)
            return members
        }
        let identity = prefix { ["type", "id", "lid"].contains($0.name) }
        return JSONObject(members: identity + [Member(name: "attributes", value: .object(attributes))] + dropFirst(identity.count))
    }
}
