import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// Makes schemas of types: from what their `init(from:)` asks for, and from what the decoder then accepts.
final class SchemaBuilder {
    /// What is known of a type.
    struct Description {
        var parts: SchemaParts
        /// Values that the decoder accepts.
        var samples: [JSON] = []
    }

    let decoder: JSONAPIDecoder
    private(set) var definitions = JSONObject()
    private var names: [ObjectIdentifier: String] = [:]
    private var known: [ObjectIdentifier: Description] = [:]
    private var open: Set<ObjectIdentifier> = []

    /// The values that were found for each model whose resources have been read.
    var resourceSamples: [ObjectIdentifier: SchemaSamples] = [:]
    /// The models whose resources are being read.
    var openModels: Set<ObjectIdentifier> = []
    /// A resource object of each type that a model embeds.
    var relatedResources: [String: JSON] = [:]
    /// The models to describe, in the order in which they were found.
    private(set) var models: [any Resource.Type] = []

    init(_ decoder: JSONAPIDecoder) {
        var decoder = decoder
        decoder.problems = .first
        decoder.invalidElements = .throw
        decoder.reportsPositions = false
        self.decoder = decoder
    }

    var check: SchemaCheck {
        SchemaCheck { reference in
            reference.hasPrefix(SchemaBuilder.base) ? self.definitions[String(reference.dropFirst(SchemaBuilder.base.count))] : nil
        }
    }

    /// Whether the decoder accepts a resource in `included` whose id is null, as a lenient one does.
    var acceptsNullIDs: Bool {
        let text = #"{"data": {"type": "a", "id": "1"}, "included": [{"type": "b", "id": null}]}"#
        return (try? decoder.decode(ResourceObject.self, from: Data(text.utf8))) != nil
    }

    // MARK: - Definitions

    /// The beginning of references to definitions.
    static let base = "#/$defs/"

    static func reference(_ name: String) -> JSON { ["$ref": .string(base + name)] }

    func define(_ name: String, _ schema: JSON) { definitions[name] = schema }

    func wait(for model: any Resource.Type) {
        if !models.contains(where: { $0 == model }) { models.append(model) }
    }

    /// Returns the name of a type's definition: the type's own name, with a number if another type has it.
    func name(of type: Any.Type) -> String {
        if let name = names[ObjectIdentifier(type)] { return name }
        let name = freeName(SchemaBuilder.text("\(type)"))
        names[ObjectIdentifier(type)] = name
        return name
    }

    func freeName(_ wanted: String) -> String {
        var name = wanted
        var number = 2
        while !usedNames.insert(name).inserted {
            name = "\(wanted)\(number)"
            number += 1
        }
        return name
    }

    private var usedNames: Set<String> = []

    /// The names of generic types have characters that a reference must not have.
    private static func text(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    // MARK: - Values

    func description(of type: any Decodable.Type) -> Description {
        // The empty forms that stand for nil are a tolerance, which a schema does not offer.
        if let tolerant = type as? any TolerantType.Type { return description(of: tolerant.describedType) }
        let id = ObjectIdentifier(type)
        if let description = known[id] { return description }
        guard open.insert(id).inserted else {
            return Description(parts: SchemaParts(reference: SchemaBuilder.base + name(of: type), nil))
        }
        var description = make(type)
        open.remove(id)
        // The definition of a type that contains itself has to exist, whatever form it got.
        if names[id] != nil, definitions[name(of: type)] == nil { define(name(of: type), description.parts.json) }
        widen(&description.parts) { self.accepts($0, as: type) }
        known[id] = description
        return description
    }

    private func make(_ type: any Decodable.Type) -> Description {
        if PropertyRole.isRelationship(type) { return Description(parts: .anything) }
        if let leaf = SchemaLeaf.description(of: type, decoder) { return leaf }
        if let composed = composed(type) { return composed }
        if let cases = cases(of: type) { return cases }
        return recorded(type)
    }

    /// Adds the kinds of values that the decoder accepts and the schema does not allow.
    func widen(_ parts: inout SchemaParts, besides excluded: Set<SchemaKind> = [], _ accepts: (JSON) -> Bool) {
        for probe in SchemaLeaf.probes where !excluded.contains(SchemaKind(probe)) {
            if !check.allows(parts.json, probe), accepts(probe) { parts.allow(SchemaKind(probe)) }
        }
    }

    func accepts(_ json: JSON, as type: any Decodable.Type) -> Bool {
        func accepts<Value: Decodable>(_ type: Value.Type) -> Bool {
            guard let text = try? JSONWriter().write(json) else { return false }
            return (try? decoder.value(type, from: text)) != nil
        }
        return accepts(type)
    }
}

// MARK: - Types of types

extension SchemaBuilder {
    /// The description of an optional, an array, a set or a dictionary; nil for every other type.
    private func composed(_ type: any Decodable.Type) -> Description? {
        switch type {
        case let optional as any OptionalType.Type:
            guard let wrapped = optional.wrappedType as? any Decodable.Type else { return nil }
            let description = description(of: wrapped)
            return Description(parts: description.parts.nullable, samples: [.null] + description.samples)
        case let array as any ArrayType.Type:
            guard let element = array.elementType as? any Decodable.Type else { return nil }
            let description = description(of: element)
            let items = description.parts.json
            let samples: [JSON] = [[]] + description.samples.prefix(1).map { [$0] }
            return Description(parts: SchemaParts(.array, items == true ? [:] : ["items": items]), samples: samples)
        case let dictionary as any DictionaryType.Type where dictionary.nameType == String.self:
            guard let member = dictionary.memberType as? any Decodable.Type else { return nil }
            let description = description(of: member)
            let values = description.parts.json
            let samples: [JSON] = [[:]] + description.samples.prefix(1).map { ["name": $0] }
            return Description(parts: SchemaParts(.object, values == true ? [:] : ["additionalProperties": values]), samples: samples)
        default: return nil
        }
    }

    /// An enumeration with more cases is described as any string or number.
    private static let maximumCases = 1000

    /// The description of a type with a list of all cases, each of which is a string or a number; nil for every other type.
    private func cases(of type: any Decodable.Type) -> Description? {
        func all<Cases: CaseIterable>(_: Cases.Type) -> [JSON] {
            Cases.allCases.prefix(Self.maximumCases + 1).compactMap { value in
                if let value = value as? any Encodable { return try? JSONAPIEncoder().json(value) }
                if let raw = value as? any RawRepresentable {
                    return (raw.rawValue as? any Encodable).flatMap { try? JSONAPIEncoder().json($0) }
                }
                return nil
            }
        }
        guard let values = (type as? any CaseIterable.Type).map({ all($0) }), let first = values.first else { return nil }
        let kind = SchemaKind(first)
        guard kind == .string || kind == .number, values.allSatisfy({ SchemaKind($0) == kind && accepts($0, as: type) }) else { return nil }
        if values.count > Self.maximumCases { return Description(parts: SchemaParts(kind, [:]), samples: values) }
        let isInteger = kind == .number && values.allSatisfy { $0.number?.isInteger == true }
        var schema: JSONObject = ["type": .string(isInteger ? "integer" : kind.rawValue)]
        let others = kind == .string ? [SchemaLeaf.strangeText] : SchemaBuilder.numbers(besides: values)
        let isOpen = others.contains { accepts($0, as: type) }
        schema[isOpen ? "x-extensible-enum" : "enum"] = .array(JSONArray(values))
        return Description(parts: SchemaParts(kind, schema), samples: values)
    }

    /// Whole numbers that are not among the values: the first one from 0, which every integer type has, and the one after the largest.
    private static func numbers(besides values: [JSON]) -> [JSON] {
        let known = Set(values.compactMap(\.int))
        let (next, overflows) = (known.max() ?? 0).addingReportingOverflow(1)
        let free = (0...known.count).first { !known.contains($0) } ?? 0
        return (overflows ? [free] : [free, next]).map { .number(JSONNumber($0)) }
    }

    /// The description of a type with its own `init(from:)`.
    private func recorded(_ type: any Decodable.Type) -> Description {
        func makeTrial<Value: Decodable>(_: Value.Type) -> SchemaTrial {
            { json in
                self.recording(.useDefaultKeys) { _ = try $0.value(RecordedValue<Value>.self, from: try JSONWriter().write(json)) }
            }
        }
        let trial = makeTrial(type)
        let samples = SchemaSamples(trial, from: [:]) { _, node in self.options(node) }
        guard !samples.bases.isEmpty else { return unread(type, trial) }
        var description = Description(parts: SchemaParts(), samples: samples.bases)
        let node = samples.node
        if !node.children.isEmpty, !node.isUnkeyed, node.types.isEmpty {
            let name = name(of: type)
            define(name, .object(object(node, at: [], samples)))
            description.parts = SchemaParts(reference: SchemaBuilder.base + name, .object)
        } else {
            description.parts = parts(node, at: [], samples)
        }
        return description
    }

    /// Passes the decoder with a record to `body`. Returns what was asked for, and whether `body` threw nothing.
    func recording(
        _ strategy: KeyStrategy, _ body: (JSONAPIDecoder) throws -> Void
    ) -> (requests: [DecodingRecord.Request], isAccepted: Bool) {
        let record = DecodingRecord(strategy)
        var decoder = decoder
        if let key = CodingUserInfoKey.decodingRecord { decoder.userInfo[key] = record }
        let isAccepted = (try? body(decoder)) != nil
        return (record.requests, isAccepted)
    }

    /// The description of a type for which no value was found: the kinds of values that it asks for.
    private func unread(_ type: any Decodable.Type, _ trial: SchemaTrial) -> Description {
        let node = SchemaNode()
        var samples: [JSON] = []
        for probe in SchemaLeaf.probes + SchemaLeaf.texts {
            let (requests, isAccepted) = trial(probe)
            node.add(requests)
            if isAccepted { samples.append(probe) }
        }
        var parts = SchemaParts()
        for type in node.types { parts.add(description(of: type).parts) }
        if node.isKeyed { parts.allow(.object) }
        if node.isUnkeyed { parts.allow(.array) }
        return Description(parts: parts.parts.isEmpty ? .anything : parts, samples: samples)
    }

    /// Values to try at a place.
    func options(_ node: SchemaNode) -> [JSON] {
        var options = node.types.flatMap { description(of: $0).samples }
        if node.isUnkeyed { options.append([]) } else if node.isKeyed || !node.children.isEmpty { options.append([:]) }
        return options.isEmpty ? SchemaLeaf.probes.filter { !$0.isNull } : options
    }
}

// MARK: - Places

extension SchemaBuilder {
    /// The schema of the values at a place.
    func parts(_ node: SchemaNode, at path: [String], _ samples: SchemaSamples) -> SchemaParts {
        var parts = SchemaParts()
        let types = node.wholeTypes
        for type in types { parts.add(description(of: type).parts) }
        if node.isUnkeyed { parts.allow(.array) }
        if node.isKeyed || !node.isUnkeyed && !node.children.isEmpty {
            if types.isEmpty { parts.add(SchemaParts(.object, object(node, at: path, samples))) } else { parts.allow(.object) }
        }
        if parts.parts.isEmpty { return .anything }
        let isTolerant = types.contains { $0 is any TolerantType.Type }
        if !path.isEmpty { widen(&parts) { !(isTolerant && EmptyForm($0) != nil) && samples.accepts($0, at: path) } }
        return parts
    }

    /// The schema of an object with the places in a node.
    func object(_ node: SchemaNode, at path: [String], _ samples: SchemaSamples) -> JSONObject {
        var properties = JSONObject()
        var required: [JSON] = []
        for child in node.children {
            let place = path + [child.name]
            properties.append(name: child.name, value: parts(child.node, at: place, samples).json)
            if !node.isOpen, !samples.acceptsNothing(at: place) { required.append(.string(child.name)) }
        }
        return SchemaBuilder.object(properties, required: required)
    }

    static func object(_ properties: JSONObject, required: [JSON]) -> JSONObject {
        var object: JSONObject = ["type": "object"]
        if !required.isEmpty { object.append(name: "required", value: .array(JSONArray(required))) }
        if !properties.isEmpty { object.append(name: "properties", value: .object(properties)) }
        return object
    }
}
