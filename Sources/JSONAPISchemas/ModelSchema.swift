import JSONAPICodec
import JSONText

/// JSON Schemas of the documents that a model reads, and of the bodies of requests for it.
///
/// ```swift
/// let schema = try ModelSchema(of: Article.self)
/// schema.document                // of a response with one article
/// schema.collection              // of a response with many
/// schema.create                  // of the body of POST /articles
/// schema.update                  // of the body of PATCH /articles/1
/// ```
///
/// A server can publish these schemas, so that clients know what it accepts. The schemas follow JSON Schema 2020-12, and so do those of
/// OpenAPI 3.1.
///
/// A schema is made from the type alone. The model's `init(from:)` runs several times on small documents that are made for it, and the
/// decoder shows which of them it accepts. A property is therefore required if the decoder requires it, whatever the reason: a default in a
/// hand-written `init(from:)`, a property wrapper, or a leniency of the decoder.
///
/// Everything that the decoder accepts fits the schema, with these exceptions:
///
/// - A `DirectResource` is described by its coding keys. Its documents fit only if `init(resource:)` reads the same names and forms.
/// - Members that the specification does not permit, such as links that are not an object, do not fit, although the decoder may ignore them.
/// - An `init(from:)` may read different members for a value of a string or number that no attempt found. List the values in a
///   `CaseIterable` enum, and each of them is tried.
/// - A `CaseIterable` enum that also reads other spellings of its values, such as capitals, is described by its values.
/// - Property wrappers that also read other forms, such as `EmptyAsNil`, `Lossy` and those for values that are written as read, are described
///   by the form of their value.
/// - `format` is an annotation, as the standard says. A validator that checks it rejects some forms that the decoder reads.
///
/// A relationship names the types of its models. Unless they are required (`unknownTypes` of the decoder is `throw`, or the property is an
/// embedded model that is not optional), other types fit as well. Resources in `included` may have any form, because the decoder reads only
/// those that a property refers to.
///
/// The model's `init(from:)` must not trap on values that it does not expect. It should throw.
///
/// Creating a schema takes as long as decoding some hundred small documents for each model, or some thousand for large models. Create it
/// once, and keep it.
///
/// Specification: <https://json-schema.org/draft/2020-12>
public struct ModelSchema: Sendable, Hashable {
    /// The definitions of the model, the models that it refers to, and the types of their attributes.
    private let definitions: JSONObject
    private let name: String
    /// The names of the definitions of all resources.
    private let resourceNames: [String]
    private let resource: JSON
    private let readOnlyFields: [String]
    private let createOnlyFields: [String]
    /// The types of the id of a resource in `included` that no property refers to.
    private let unusedIDs: JSON
    /// The types of the primary data of a collection.
    private let collectionTypes: JSON
    /// The types that the decoder reads as an object without members.
    private let emptyObjects: [JSON]

    /// Creates the schemas of a model, as the given decoder reads it. The decoder's strategies for names, dates, data and numbers, its mode
    /// and its leniencies apply.
    ///
    /// Throws `ModelSchemaError` when no resource was found that the model accepts. That is the case when a property that is not optional
    /// has an enum that is not `CaseIterable`, or a type that accepts only certain texts. Pass an example then. If this is the case for
    /// another model, to which this one refers, its schema allows any attributes. Without an example, a model can require at most 2,000
    /// values, nested at most 100 levels deep.
    ///
    /// - Complexity: O(p²) runs of the model's `init(from:)` at most, p = properties.
    public init<Model: Resource>(of model: Model.Type, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        try self.init(model, nil, decoder)
    }

    /// Creates the schemas of a model for which an example is needed, because it accepts only values that cannot be guessed.
    ///
    /// ```swift
    /// try ModelSchema(of: Account.self, example: Account(id: "1", iban: "NO93 8601 1117 947"))
    /// ```
    ///
    /// The example is written by the given encoder, whose strategies must be those of the decoder; by default by one that matches it. Throws `EncodingError` when it cannot be
    /// written, and `ModelSchemaError` when the decoder does not accept it.
    public init<Model: Resource>(
        of model: Model.Type, example: Model, decoder: JSONAPIDecoder = JSONAPIDecoder(), encoder: JSONAPIEncoder? = nil
    ) throws {
        let encoder = encoder ?? JSONAPIEncoder(matching: decoder)
        let document = try JSONAPIDecoder().decode(DocumentObject.self, from: encoder.encode(Document(example)))
        try self.init(model, document, decoder)
    }

    private init<Model: Resource>(_ model: Model.Type, _ example: DocumentObject?, _ decoder: JSONAPIDecoder) throws {
        let builder = SchemaBuilder(decoder)
        try builder.defineResources(from: model, example: example)
        definitions = builder.definitions
        name = builder.name(of: model)
        resourceNames = builder.models.map { builder.name(of: $0) }
        resource = builder.definitions[name] ?? true
        readOnlyFields = builder.restrictedNames(FieldRestriction.whenCreating(model), in: model)
        createOnlyFields = builder.restrictedNames(FieldRestriction.whenUpdating(model), in: model)
        unusedIDs = builder.acceptsNullIDs ? ["string", "integer", "null"] : ["string", "integer"]
        collectionTypes = decoder.leniencies.contains(.nullToMany) ? ["array", "null"] : "array"
        let others: [(Leniencies, JSON)] = [(.emptyArrayContainers, "array"), (.nullContainers, "null")]
        emptyObjects = others.filter { decoder.leniencies.contains($0.0) }.map(\.1)
    }
}

// MARK: - Documents

extension ModelSchema {
    /// The schema of a document whose primary data is one resource.
    public var document: JSON { schema(of: document(SchemaBuilder.reference(name))) }

    /// The schema of a document whose primary data is a collection.
    public var collection: JSON { schema(of: document(collectionData)) }

    /// The schema of the body of a request that creates a resource: without an id or with one that the client made.
    ///
    /// Fields that only the server writes (`RestrictedFields`) must not occur, nor other names of them (`@Alternatives`).
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
    public var create: JSON {
        var body = resource.object ?? JSONObject()
        body["required"] = .array(JSONArray((body["required"]?.array ?? []).filter { $0 != "id" }))
        body["properties"]?["lid"] = ["type": "string"]
        restrict(&body, to: readOnlyFields)
        return schema(of: document(.object(body), isRequest: true))
    }

    /// The schema of the body of a request that updates a resource. No attribute and no relationship is required.
    ///
    /// Fields that a client must not change (`RestrictedFields`) must not occur, nor other names of them (`@Alternatives`).
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
    public var update: JSON {
        var body = resource.object ?? JSONObject()
        body["required"] = ["type", "id"]
        restrict(&body, to: createOnlyFields)
        for group in ["attributes", "relationships"] {
            let optional = body["properties"]?[group]?.changingObjectSchema { require([], of: &$0) }
            body["properties"]?[group] = optional
        }
        return schema(of: document(.object(body), isRequest: true))
    }

    /// An OpenAPI 3.1 description with the schemas of the resources, of a document with one resource and of a document with many. It has no
    /// paths. `jsonapi generate` makes models from it.
    ///
    /// Specification: <https://spec.openapis.org/oas/v3.1.0>
    public var openAPI: JSON {
        var schemas = definitions
        schemas[freeName("\(name)Document")] = document(SchemaBuilder.reference(name))
        schemas[freeName("\(name)Collection")] = document(collectionData)
        return [
            "openapi": "3.1.0", "info": ["title": .string(name), "version": "1"], "paths": [:],
            "components": ["schemas": .object(ModelSchema.moved(schemas))],
        ]
    }

    private func freeName(_ name: String) -> String { definitions.contains(name: name) ? freeName(name + "_") : name }
}

// MARK: - Making

extension ModelSchema {
    private var collectionData: JSON { ["type": collectionTypes, "items": SchemaBuilder.reference(name)] }

    private func schema(of document: JSON) -> JSON {
        var schema: JSONObject = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
        for member in document.object ?? [:] { schema.append(name: member.name, value: member.value) }
        let used = definitions(usedIn: .object(schema))
        if !used.isEmpty { schema["$defs"] = .object(used) }
        return .object(schema)
    }

    /// The definitions that a schema refers to, directly or through others, in order.
    private func definitions(usedIn schema: JSON) -> JSONObject {
        var names: Set<String> = []
        var rest = [schema]
        while let next = rest.popLast() {
            for member in next.object ?? [:] {
                if member.name == "$ref", let name = member.value.string?.dropFirst(SchemaBuilder.base.count),
                    names.insert(String(name)).inserted
                {
                    rest += definitions[String(name)].map { [$0] } ?? []
                }
                rest.append(member.value)
            }
            rest += next.array ?? []
        }
        return JSONObject(members: definitions.filter { names.contains($0.name) })
    }

    private func document(_ data: JSON, isRequest: Bool = false) -> JSON {
        var properties: JSONObject = ["data": data]
        if !isRequest {
            let other: JSON = [
                "type": "object", "required": ["type"], "properties": ["type": ["type": "string"], "id": ["type": unusedIDs]],
            ]
            let related = resourceNames.map(SchemaBuilder.reference)
            properties["included"] = ["type": "array", "items": ["anyOf": .array(JSONArray(related + [other]))]]
            properties["links"] = ["type": ["object", "null"]]
        }
        properties["meta"] = ["type": "object"]
        properties["jsonapi"] = ["type": "object"]
        return ["type": "object", "required": ["data"], "properties": .object(properties)]
    }

    /// Forbids fields, and requires none of them.
    private func restrict(_ body: inout JSONObject, to fields: [String]) {
        let groups = ["attributes", "relationships"]
        // Of a `SchemaResource`, no field is known.
        if !fields.isEmpty, groups.allSatisfy({ body["properties"]?[$0] == nil }) {
            let refused = JSON.object(JSONObject(members: fields.map { JSONObject.Member(name: $0, value: false) }))
            for group in groups { body["properties"]?[group] = ["properties": refused] }
        }
        for group in groups {
            guard let schema = body["properties"]?[group], schema.object != nil else { continue }
            var required: [JSON] = []
            body["properties"]?[group] = schema.changingObjectSchema { object in
                for field in fields where object["properties"]?.object?.contains(name: field) == true {
                    object["properties"]?[field] = false
                }
                required = (object["required"]?.array ?? []).filter { name in !fields.contains { name == .string($0) } }
                require(required, of: &object)
            }
            if required.isEmpty {
                body["required"] = .array(JSONArray((body["required"]?.array ?? []).filter { $0 != .string(group) }))
            }
        }
    }

    /// Requires only the given fields. If there are none, what the decoder reads as an object without members fits as well.
    private func require(_ fields: [JSON], of object: inout JSONObject) {
        guard object["required"] != nil else { return }
        object["required"] = fields.isEmpty ? nil : .array(JSONArray(fields))
        guard fields.isEmpty, object["type"] == "object", !emptyObjects.isEmpty else { return }
        object["type"] = .array(JSONArray(["object"] + emptyObjects))
    }

    /// Returns the schemas with references to the components of a description.
    private static func moved(_ schemas: JSONObject) -> JSONObject {
        func moved(_ json: JSON) -> JSON {
            switch json {
            case .array(let array): return .array(JSONArray(array.map(moved)))
            case .object(let object):
                let members = object.map { member -> JSONObject.Member in
                    guard member.name == "$ref", let reference = member.value.string, reference.hasPrefix(SchemaBuilder.base) else {
                        return JSONObject.Member(name: member.name, value: moved(member.value))
                    }
                    let name = reference.dropFirst(SchemaBuilder.base.count)
                    return JSONObject.Member(name: "$ref", value: .string("#/components/schemas/\(name)"))
                }
                return .object(JSONObject(members: members))
            default: return json
            }
        }
        return JSONObject(members: schemas.map { JSONObject.Member(name: $0.name, value: moved($0.value)) })
    }
}
