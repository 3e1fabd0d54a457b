import JSONMapping
import JSONText

/// Rewrites the attributes of resources of some types, everywhere in a document.
struct ResourceRewriting {
    private let rewriters: [String: Rewriter]

    /// Returns nil when there is nothing to rewrite.
    init?(_ rewriters: [String: Rewriter]) {
        guard !rewriters.isEmpty else { return nil }
        self.rewriters = rewriters
    }

    /// Returns the document with rewritten attributes. Throws `ValidationError` with the places of all problems of one resource.
    ///
    /// - Complexity: O(document), with the rewriters' own cost.
    func document(_ json: JSON) throws -> JSON {
        guard case .object(var members) = json else { return json }
        for name in ["data", "included"] {
            if let value = members[name] { members[name] = try resources(value, at: JSONPointer(name)) { throw $1 } }
        }
        let name = AtomicOperations.member
        if let operations = members[name]?.array {
            members[name] = .array(
                JSONArray(
                    try operations.enumerated().map { index, operation in
                        guard case .object(var members) = operation, let data = members["data"] else { return operation }
                        members["data"] = try resources(data, at: JSONPointer(name).appending(index).appending("data")) { throw $1 }
                        return .object(members)
                    }))
        }
        return .object(members)
    }

    /// Returns resources of a document with rewritten attributes.
    ///
    /// - Parameters:
    ///   - place: The place of the resources.
    ///   - noteFailure: Called with the index of a resource that cannot be rewritten and stays as it is.
    func resources(_ json: JSON, at place: JSONPointer, noteFailure: (Int, any Error) throws -> Void) rethrows -> JSON {
        func rewritten(_ json: JSON, _ index: Int, at place: JSONPointer) throws -> JSON {
            do { return try resource(json, at: place) } catch {
                try noteFailure(index, error)
                return json
            }
        }
        guard case .array(let array) = json else { return try rewritten(json, 0, at: place) }
        return .array(JSONArray(try array.enumerated().map { try rewritten($1, $0, at: place.appending($0)) }))
    }

    private func resource(_ json: JSON, at place: JSONPointer) throws -> JSON {
        guard case .object(var members) = json, let type = members["type"]?.string, let attributes = members["attributes"],
            let rewriter = rewriters.first(where: { UTF8Bytes.areEqual($0.key, type) })?.value
        else { return json }
        do {
            members["attributes"] = .object(try rewriter.rewrite(attributes))
        } catch let error as ValidationError {
            throw error.moved { JSONPointer(tokens: place.tokens + ["attributes"] + $0.tokens) }
        }
        return .object(members)
    }
}
