import JSONAPICodec
import JSONText

/// Creates the errors of a server about a request's document.
enum RequestRefusal {
    static func object(_ status: Int, _ title: String, _ detail: String, at tokens: [String]) -> ErrorObject {
        ErrorObject(
            status: String(status), title: title, detail: detail, source: ErrorSource(pointer: JSONPointer(tokens: tokens)))
    }

    static func error(_ status: Int, _ title: String, _ detail: String, at tokens: [String]) -> ErrorDocument {
        ErrorDocument(errors: [object(status, title, detail, at: tokens)])
    }

    /// Returns the error for a resource of another type than the given one.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-409>
    static func otherType(than type: String) -> ErrorDocument {
        error(409, "Another type", "Expected the type `\(type)`.", at: ["data", "type"])
    }

    /// Returns the errors in a text that was made from the request. `place` returns the place in the request's document for a place in the
    /// text, or nil if there is none.
    static func moved(_ error: any Error, _ place: ([String]) -> [String]?) -> ErrorDocument {
        var document = ErrorDocument(error)
        for index in document.errors.indices {
            // The first error without a pointer is about the whole text. A further one is the number of problems that were left out.
            guard let pointer = document.errors[index].source?.pointer ?? (index == 0 ? .root : nil) else { continue }
            let tokens = place(pointer.tokens)
            document.errors[index].source = tokens.map { ErrorSource(pointer: JSONPointer(tokens: $0)) }
            // A value of its own has no attribute around it.
            if document.errors[index].status == "400", tokens?.dropLast().contains("attributes") == true {
                document.errors[index].status = "422"
            }
        }
        return document
    }

    /// Runs `body`, which encodes a model made from a resource of the request. A value that cannot be encoded becomes an error with status 422,
    /// because the server could not respond with the resource.
    static func writable<Value>(_ sent: SentResource, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as EncodingError {
            guard let failure = error.failure, failure.pointer.tokens.first == "data" else { throw error }
            throw self.error(
                422, "The document does not fit", "Expected \(failure.expected), found \(failure.found).",
                at: sent.place(of: Array(failure.pointer.tokens.dropFirst())))
        }
    }

    /// Throws 422 for each `lid` in the linkage of some resources that is not the one of an available resource.
    static func checkLocalIDs(in resources: [SentResource], available: [ResourceObject]) throws {
        let known = Set(available.compactMap { resource in resource.lid.map { ResourceIdentifier(type: resource.type, lid: $0) } })
        var problems: [(resource: Int, relationship: String, index: Int?)] = []
        for (number, resource) in resources.enumerated() {
            for (name, relationship) in resource.object.relationships ?? Relationships(members: JSONObject()) {
                let isMany = relationship.members["data"]?.array != nil
                for (index, identifier) in relationship.data.identifiers.enumerated() where identifier.id == nil {
                    guard let lid = identifier.lid, !known.contains(ResourceIdentifier(type: identifier.type, lid: lid)) else { continue }
                    problems.append((number, name, isMany ? index : nil))
                }
            }
        }
        if problems.isEmpty { return }
        throw ErrorDocument(
            errors: ErrorDocument.errors(of: problems) { number, name, index in
                let path = ["relationships", name, "data"] + (index.map { [String($0)] } ?? []) + ["lid"]
                return self.object(
                    422, "Unknown lid", "The request creates no resource with this lid.", at: resources[number].place(of: path))
            })
    }

    /// Throws 403 for each of the given fields that a resource of a request has, and for each value at the given paths.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-responses-403>
    static func check(_ sent: SentResource, hasNone restricted: [String], at paths: [[String]] = []) throws {
        func problem(at path: [String]) -> ErrorObject {
            object(403, "Read-only field", "Clients must not write this field.", at: sent.place(of: path))
        }
        let problems =
            restricted.compactMap { name -> ErrorObject? in
                let isAttribute = sent.object[attribute: name] != nil
                guard isAttribute || sent.object[relationship: name] != nil else { return nil }
                return problem(at: [isAttribute ? "attributes" : "relationships", name])
            } + paths.filter { sent.object.json[pointer: JSONPointer(tokens: $0)] != nil }.map(problem)
        if !problems.isEmpty { throw ErrorDocument(errors: problems) }
    }
}

extension RestrictedFields {
    /// Throws `ErrorDocument` with status 403 when a resource to be created has fields that only the server writes.
    ///
    /// ```swift
    /// let object = try decoder.decode(ResourceObject.self, from: body)
    /// try Article.checkCreation(object)
    /// ```
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-403>
    public static func checkCreation(_ object: ResourceObject) throws {
        try RequestRefusal.check(SentResource(object), hasNone: FieldRestriction.whenCreating(self))
    }
}
