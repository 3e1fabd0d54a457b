import JSONMapping
import JSONText

/// Rewrites the attributes of resources of some types, everywhere in a document.
package struct ResourceRewriting {
    private let rewriters: [String: Rewriter]

    /// The part of its attributes that a resource object has.
    package enum Part {
        /// Those that a request changes.
        case changes
        /// All but those with the given names.
        case without([String])
    }

    /// Returns nil when there is nothing to rewrite. With a fieldset for a type, rules for other attributes do not run.
    package init?(_ rewriters: [String: Rewriter], fields: [String: [String]] = [:]) {
        guard !rewriters.isEmpty else { return nil }
        self.rewriters = Dictionary(
            uniqueKeysWithValues: rewriters.map { type, rewriter in
                guard let names = fields[type].map({ Set($0.map { ByteText($0) }) }) else { return (type, rewriter) }
                return (type, rewriter.leavingOut { !names.contains(ByteText($0)) })
            })
    }

    /// Returns the document with rewritten attributes. Throws `ValidationError` with the places of all problems of one resource.
    ///
    /// - Parameter parts: The resources that have only a part of their attributes, by place.
    /// - Complexity: O(document), with the rewriters' own cost.
    func document(_ json: JSON, parts: [JSONPointer: Part] = [:]) throws -> JSON {
        guard case .object(var members) = json else { return json }
        for name in ["data", "included"] {
            if let value = members[name] { members[name] = try resources(value, at: JSONPointer(name), parts) { throw $1 } }
        }
        for name in [AtomicOperations.member, AtomicResults.member] {
            if let entries = members[name]?.array { members[name] = try self.entries(entries, at: JSONPointer(name), parts) }
        }
        return .object(members)
    }

    /// Returns operations or results with rewritten attributes.
    private func entries(_ entries: JSONArray, at place: JSONPointer, _ parts: [JSONPointer: Part]) throws -> JSON {
        .array(
            JSONArray(
                try entries.enumerated().map { index, entry in
                    guard case .object(var members) = entry, let data = members["data"] else { return entry }
                    members["data"] = try resources(data, at: place.appending(index).appending("data"), parts) { throw $1 }
                    return .object(members)
                }))
    }

    /// Returns resources of a document with rewritten attributes.
    ///
    /// - Parameters:
    ///   - place: The place of the resources.
    ///   - parts: The resources that have only a part of their attributes, by place.
    ///   - noteFailure: Called with the index of a resource that cannot be rewritten and stays as it is.
    package func resources(
        _ json: JSON, at place: JSONPointer, _ parts: [JSONPointer: Part] = [:], noteFailure: (Int, any Error) throws -> Void
    ) rethrows -> JSON {
        func rewritten(_ json: JSON, _ index: Int, at place: JSONPointer) throws -> JSON {
            do { return try resource(json, at: place, parts.isEmpty ? nil : parts[place]) } catch {
                try noteFailure(index, error)
                return json
            }
        }
        guard case .array(let array) = json else { return try rewritten(json, 0, at: place) }
        return .array(JSONArray(try array.enumerated().map { try rewritten($1, $0, at: place.appending($0)) }))
    }

    private func resource(_ json: JSON, at place: JSONPointer, _ part: Part?) throws -> JSON {
        guard case .object(var members) = json, let type = members["type"]?.string, let attributes = members["attributes"],
            var rewriter = rewriters.first(where: { UTF8Bytes.areEqual($0.key, type) })?.value
        else { return json }
        do {
            switch part {
            case .changes: rewriter = try rewriter.forChanges(attributes.object ?? JSONObject())
            case .without(let names):
                let input = attributes.object ?? JSONObject()
                rewriter = try rewriter.leavingOut(from: input) { name in names.contains { UTF8Bytes.areEqual($0, name) } }
            case nil: break
            }
            members["attributes"] = .object(try rewriter.rewrite(attributes))
        } catch let error as ValidationError {
            throw error.moved { JSONPointer(tokens: place.tokens + ["attributes"] + $0.tokens) }
        }
        return .object(members)
    }
}
