import JSONMapping
import JSONText

/// Rewrites the attributes of the resources of some types, everywhere in a document.
struct ResourceRewriting {
    private let rewriters: [String: Rewriter]

    /// Nil when there is nothing to rewrite.
    init?(_ rewriters: [String: Rewriter]) {
        guard !rewriters.isEmpty else { return nil }
        self.rewriters = rewriters
    }

    /// The document with other attributes. Throws `ValidationError` with the places of all problems of one resource.
    ///
    /// - Complexity: O(document), with the rewriters' own cost.
    func document(_ json: JSON) throws -> JSON {
        guard case .object(var members) = json else { return json }
        for name in ["data", "included"] {
            if let value = members[name] { members[name] = try resources(value, at: JSONPointer(name)) }
        }
        let name = AtomicOperations.member
        if let operations = members[name]?.array {
            members[name] = .array(
                JSONArray(
                    try operations.enumerated().map { index, operation in
                        guard case .object(var members) = operation, let data = members["data"] else { return operation }
                        members["data"] = try resources(data, at: JSONPointer(name).appending(index).appending("data"))
                        return .object(members)
                    }))
        }
        return .object(members)
    }

    private func resources(_ json: JSON, at place: JSONPointer) throws -> JSON {
        switch json {
        case .array(let array):
            return .array(JSONArray(try array.enumerated().map { try resource($1, at: place.appending($0)) }))
        default: return try resource(json, at: place)
        }
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
