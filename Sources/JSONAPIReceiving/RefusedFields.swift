import JSONAPICodec
import JSONMapping
import JSONText

/// The fields of a model that a schema reads, but does not represent: its own schema, or that of a value in an attribute. No client knows
/// them, so a request that has one is refused.
enum RefusedFields {
    /// Throws 422 for the relationships of requests that a model only reads.
    static func checkRelationships(_ sent: SentResource, of model: any Resource.Type, _ schemas: SchemaSet?) throws {
        guard let model = model as? any SchemaResource.Type else { return }
        let names = model.hiddenRelationships(schemas).filter { sent.object[relationship: $0] != nil }
        try check(names.map { ["relationships", $0, "data"] }, in: sent)
    }

    /// Throws 422 for what schemas have found in the resources of a request in place of such fields.
    ///
    /// Most of it was an error when it was read. Code of the program, such as `@Lossy`, may have ignored that error.
    static func check(_ resources: [SentResource], _ shadow: Shadow) throws {
        let pointers = shadow.refusals.paths
        guard !pointers.isEmpty else { return }
        for sent in resources {
            let places = pointers.sorted { "\($0)" < "\($1)" }.compactMap { pointer in place(of: pointer, in: sent.object.json, []) }
            try check(places, in: sent)
        }
    }

    /// Throws `EncodingError` if a model has kept the JSON of a value with its shadow, which it would publish.
    static func checkIsNotKept(_ shadow: Shadow, in object: ResourceObject) throws {
        guard object.json.has(shadow) else { return }
        let text = "The model keeps JSON of a value whose schema does not represent all fields. Read the value by its schema only."
        throw EncodingError.invalidValue(object.type, EncodingError.Context(codingPath: [], debugDescription: text))
    }

    private static func check(_ paths: [[String]], in sent: SentResource) throws {
        guard !paths.isEmpty else { return }
        throw ErrorDocument(
            errors: ErrorDocument.errors(of: paths) {
                RequestRefusal.object(422, "Unknown field", "The resource has no field of this name here.", at: sent.place(of: $0))
            })
    }

    /// The maximum depth at which a member is searched. The stack of a thread has room for far fewer values of schemas.
    private static let maximumDepth = 1_000

    /// Returns the first place below a value from which a pointer leads to another one; nil if there is none.
    private static func place(of pointer: JSONPointer, in json: JSON, _ path: [String]) -> [String]? {
        if json[pointer: pointer] != nil { return path + pointer.tokens }
        guard path.count < maximumDepth else { return nil }
        if let object = json.object {
            for member in object {
                if let found = place(of: pointer, in: member.value, path + [member.name]) { return found }
            }
        }
        for (index, element) in (json.array ?? JSONArray()).enumerated() {
            if let found = place(of: pointer, in: element, path + ["\(index)"]) { return found }
        }
        return nil
    }
}
