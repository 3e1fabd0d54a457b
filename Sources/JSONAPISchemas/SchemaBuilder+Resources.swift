import Foundation
import JSONAPICodec
import JSONText

// MARK: - Reading resources

extension SchemaBuilder {
    /// Returns resource objects that the model accepts; nil while they are being searched for.
    ///
    /// - Parameter example: A resource object to start from; nil for one without fields.
    func samples(of model: any Resource.Type, from example: JSON? = nil) -> SchemaSamples? {
        let id = ObjectIdentifier(model)
        if let samples = resourceSamples[id] { return samples }
        guard openModels.insert(id).inserted else { return nil }
        defer { openModels.remove(id) }
        func search<Model: Resource>(_ model: Model.Type) -> SchemaSamples {
            let start: JSON = ["type": .string(Model.type), "id": .string(SchemaBuilder.sampleID(Model.ID.self))]
            return SchemaSamples(trial(of: model), from: example ?? start) { path, node in self.options(path, node, in: model) }
        }
        let samples = search(model)
        resourceSamples[id] = samples
        return samples
    }

    /// Returns a text that the type of an id accepts.
    private static func sampleID<ID: ResourceID>(_: ID.Type) -> String {
        let texts = ["1"] + SchemaLeaf.texts.compactMap(\.string)
        return texts.first { ID(wireText: $0)?.wireText != nil } ?? "1"
    }

    private func trial<Model: Resource>(of model: Model.Type) -> SchemaTrial {
        { resource in
            var document: JSONObject = ["data": resource]
            let included = self.included(with: resource)
            if !included.isEmpty { document["included"] = .array(JSONArray(included)) }
            return self.recording(self.decoder.keyStrategy) {
                _ = try $0.decode(RecordedResource<Model>.self, from: Data(try JSONWriter().write(.object(document))))
            }
        }
    }

    /// The resources that the linkage of a resource refers to, and those that they refer to.
    func included(with resource: JSON) -> [JSON] {
        var found: [JSON] = []
        var rest = [resource]
        while let next = rest.popLast() {
            for member in next["relationships"]?.object ?? [:] {
                let data = member.value["data"]
                for identifier in data?.array.map(Array.init) ?? [data ?? .null] {
                    guard let type = identifier["type"]?.string, let related = relatedResources[type], related["id"] == identifier["id"],
                        !found.contains(related)
                    else { continue }
                    found.append(related)
                    rest.append(related)
                }
            }
        }
        return found
    }

    // MARK: - Values to try

    private func options(_ path: [String], _ node: SchemaNode, in model: any Resource.Type) -> [JSON] {
        switch path.first {
        case "id" where path.count == 1:
            return SchemaLeaf.texts
        case "type" where path.count == 1:
            return [.string(model.type)]
        case "relationships" where path.count == 2:
            return node.types.flatMap { relationshipOptions($0) }
        case "meta" where path.count == 1:
            return node.types.flatMap { ($0 as? any MetaType.Type).map { description(of: $0.metaType).samples } ?? options(node) }
        default:
            return options(node)
        }
    }

    private func relationshipOptions(_ type: Any.Type) -> [JSON] {
        guard let role = PropertyRole.relationship(type) else { return [] }
        let other: JSON = ["type": "things", "id": "1"]
        if role.isToMany == true { return [["data": []]] }
        guard role.isEmbedded else { return role.target == nil ? [["data": other], ["data": .null]] : [["data": .null]] }
        let models = PropertyRole.models(of: role.target ?? ResourceObject.self)
        return [["data": .null]] + models.compactMap { related($0).map { ["data": $0] } }
    }

    /// Returns the identifier of a resource that a model accepts, which documents then include; nil when none was found.
    private func related(_ model: any Resource.Type) -> JSON? {
        guard !hasHiddenFields(model), let resource = samples(of: model)?.bases.first else { return nil }
        relatedResources[model.type] = relatedResources[model.type] ?? resource
        guard relatedResources[model.type] == resource, let id = resource["id"] else { return nil }
        return ["type": .string(model.type), "id": id]
    }
}

/// `ResourceMeta`, with its type as a value.
private protocol MetaType {
    static var metaType: any Decodable.Type { get }
}

extension ResourceMeta: MetaType {
    fileprivate static var metaType: any Decodable.Type { Value.self }
}

extension Optional: MetaType where Wrapped: MetaType {
    fileprivate static var metaType: any Decodable.Type { Wrapped.metaType }
}

// MARK: - Describing resources

extension SchemaBuilder {
    /// Defines the resource objects of a model and of all models that it refers to. Throws when no resource was found that the model
    /// accepts.
    func defineResources(from model: any Resource.Type, example: DocumentObject?) throws {
        for resource in example?.included ?? [] {
            relatedResources[resource.type] = relatedResources[resource.type] ?? resource.json
        }
        if !hasHiddenFields(model), let samples = samples(of: model, from: example?.data.resources.first?.json), samples.bases.isEmpty {
            throw ModelSchemaError(model, samples.failure, exceedsLimit: samples.exceedsLimit)
        }
        wait(for: model)
        // Describing a model may find further ones.
        var number = 0
        while number < models.count {
            define(name(of: models[number]), resource(models[number]))
            number += 1
        }
    }

    /// Whether the model does not ask for the members that the document has, because something else reads them.
    private func hasHiddenFields(_ model: any Resource.Type) -> Bool {
        model is any SchemaResource.Type || decoder.rewriters[model.type] != nil
    }

    /// Returns the given names of fields with the other names from which their properties are read.
    func restrictedNames<Model: Resource>(_ names: [String], in model: Model.Type) -> [String] {
        guard !names.isEmpty, !hasHiddenFields(model), let base = samples(of: model)?.bases.first else { return names }
        var document: JSONObject = ["data": base]
        document["included"] = .array(JSONArray(included(with: base)))
        // The names are those of a value that was read.
        guard let text = try? JSONWriter().write(.object(document)), let value = try? decoder.decode(model, from: Data(text)),
            let fields = try? JSONAPIEncoder(matching: decoder).fields(of: value)
        else { return names }
        return names + fields.alternatives.filter { names.contains($0.name) }.flatMap(\.fields)
    }

    private func resource(_ model: any Resource.Type) -> JSON {
        var schema: JSONObject = [
            "type": "object", "required": ["type", "id"],
            "properties": ["type": ["const": .string(model.type)], "id": ["type": "string"]],
        ]
        guard !hasHiddenFields(model), let samples = samples(of: model), !samples.bases.isEmpty else { return .object(schema) }
        var properties: JSONObject = ["type": ["const": .string(model.type)], "id": id(of: model, samples)]
        var required: [JSON] = ["type", "id"].filter { !samples.acceptsNothing(at: [$0]) }.map(JSON.string)
        for name in ["lid", "attributes", "relationships", "links", "meta"] {
            guard let node = samples.node.child(name) else { continue }
            properties[name] = member(name, node, samples)
            if !samples.acceptsNothing(at: [name]) { required.append(.string(name)) }
        }
        for name in FieldRestriction.whenCreating(model) { SchemaBuilder.mark(name, in: &properties) }
        schema["properties"] = .object(properties)
        schema["required"] = .array(JSONArray(required))
        return .object(schema)
    }

    /// Marks a field that only the server writes.
    private static func mark(_ name: String, in properties: inout JSONObject) {
        for group in ["attributes", "relationships"] {
            properties[group] = properties[group]?.changingObjectSchema { object in
                guard let schema = object["properties"]?[name] else { return }
                var marked = schema.object ?? JSONObject()
                marked["readOnly"] = true
                object["properties"]?[name] = .object(marked)
            }
        }
    }

    private func id(of model: any Resource.Type, _ samples: SchemaSamples) -> JSON {
        func type<Model: Resource>(_: Model.Type) -> Any.Type { (Model.ID.self as? any OptionalType.Type)?.wrappedType ?? Model.ID.self }
        var parts = SchemaParts(.string)
        if !samples.accepts(SchemaLeaf.strangeText, at: ["id"]) {
            switch type(model) {
            case is any FixedWidthInteger.Type: parts = SchemaParts(.string, ["pattern": "^(0|-?[1-9][0-9]*)$"])
            case is UUID.Type: parts = SchemaParts(.string, ["format": "uuid"])
            default: break
            }
        }
        widen(&parts, besides: [.string]) { samples.accepts($0, at: ["id"]) }
        return parts.json
    }

    /// The schema of a member of resource objects.
    private func member(_ name: String, _ node: SchemaNode, _ samples: SchemaSamples) -> JSON {
        switch name {
        case "relationships" where node.types.isEmpty:
            return relationships(node, samples)
        case "meta":
            let meta = node.types.compactMap { ($0 as? any MetaType.Type)?.metaType }
            guard let type = meta.first, meta.count == 1 else { return ["type": "object"] }
            var parts = description(of: type).parts
            widen(&parts) { samples.accepts($0, at: ["meta"]) }
            return parts.json
        case "links" where node.types.isEmpty: return ["type": "object"]
        default: return parts(node, at: [name], samples).json
        }
    }

    private func relationships(_ node: SchemaNode, _ samples: SchemaSamples) -> JSON {
        var properties = JSONObject()
        var required: [JSON] = []
        for child in node.children {
            let path = ["relationships", child.name]
            properties.append(name: child.name, value: relationship(child.node, path, samples))
            if !samples.acceptsNothing(at: path) { required.append(.string(child.name)) }
        }
        var parts = SchemaParts(.object, SchemaBuilder.object(properties, required: required))
        widen(&parts, besides: [.object]) { samples.accepts($0, at: ["relationships"]) }
        return parts.json
    }
}
