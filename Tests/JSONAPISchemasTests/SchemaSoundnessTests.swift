import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

@testable import JSONAPICodec
@testable import JSONAPISchemas

/// Changes documents in every place, and compares the schema with the decoder: what the decoder accepts fits the schema.
///
/// With `SCHEMA_CASES=FOLDER` the schemas and documents are written there, for a validator of another library.
@Suite("Schemas of models and the decoder")
struct SchemaSoundnessTests {
    static let models: [any Resource.Type] = [
        SchemaModels.Article.self, SchemaModels.Person.self, SchemaModels.Comment.self, SchemaModels.Tolerant.self,
        SchemaModels.Handwritten.self, SchemaModels.Book.self, SchemaModels.Dog.self, SchemaModels.Restricted.self,
        SchemaModels.Account.self, SchemaModels.Rare.self, SchemaModels.Dynamic.self, SchemaModels.Direct.self,
        SchemaModels.Parts.self, SchemaModels.Spot.self, SchemaModels.Sketch.self,
    ]

    /// Values that are put into every place. They differ from those that the schema was found with.
    private static let values: [JSON] = [
        .null, false, 0, -1, 300, 1e30, 2.0, 0.25, "", "a", "3", "draft", "2026-01-31T23:59:59.5+01:00", "ada@example.org", "/relative",
        ["a"], [1, .null], [:], ["a": 1], ["street": "a"], ["street": 1], ["data": .null], ["data": []],
        ["data": ["type": "people", "id": "2"]], ["data": [["type": "teams", "id": "2"]]], ["heading": "a", "sections": []],
        [1, 2], [2.5, 1], [[:]], [["a": 1]], ["en": "a"], ["items": []], ["n-a": 1], ["identifier": "nb"], ["town": "a"],
    ]

    @Test("Every changed document that the decoder accepts fits the schema", arguments: models.indices)
    func documents(index: Int) throws {
        try compare(Self.models[index], JSONAPIDecoder(), "standard")
    }

    @Test("The same holds for a strict, a lenient, and another decoder", arguments: [0, 1, 2])
    func decoders(number: Int) throws {
        var other = JSONAPIDecoder()
        other.dateDecodingStrategy = .millisecondsSince1970
        other.dataDecodingStrategy = .deferredToData
        other.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        other.leniencies = [.textNumbers, .nullToMany]
        other.unknownTypes = .throw
        let decoders: [(String, JSONAPIDecoder)] = [
            ("strict", JSONAPIDecoder(mode: .strict)), ("lenient", JSONAPIDecoder(mode: .lenient)), ("other", other),
        ]
        try compare(SchemaModels.Article.self, decoders[number].1, decoders[number].0, every: TestEffort.count(3, debug: 12))
    }

    private func compare<Model: Resource>(_ model: Model.Type, _ decoder: JSONAPIDecoder, _ name: String, every step: Int = 1) throws {
        let schema = try ModelSchema(of: model, decoder: decoder).document
        let check = SchemaCheck { reference in reference.hasPrefix("#/$defs/") ? schema["$defs"]?[String(reference.dropFirst(8))] : nil }
        var accepted: [JSON] = []
        var rejected: [JSON] = []
        for document in try self.documents(of: model, decoder, every: step) {
            let isAccepted = (try? decoder.decode(model, from: Data(JSONWriter().write(document)))) != nil
            #expect(!isAccepted || check.allows(schema, document), "\(model) accepts \(document)")
            if isAccepted { accepted.append(document) } else { rejected.append(document) }
        }
        let caught = rejected.count { !check.allows(schema, $0) }
        #expect(accepted.count > 5)
        #expect(caught * 10 >= rejected.count * 7, "the schema of \(model) rejects only \(caught) of \(rejected.count) wrong documents")
        try write(schema, accepted, rejected, "\(model)-\(name)")
    }

    /// Documents with every place of a whole resource changed, alone and with others.
    private func documents<Model: Resource>(of model: Model.Type, _ decoder: JSONAPIDecoder, every step: Int) throws -> [JSON] {
        let builder = SchemaBuilder(decoder)
        let bases = try #require(builder.samples(of: model)).bases
        var generator = SeededRandom(seed: 21)
        var documents: [JSON] = []
        for base in bases.prefix(2) {
            var all: [JSON] = [base]
            let paths = SchemaSoundnessTests.paths(in: base, [])
            for path in paths {
                all.append(base.removing(path[...]))
                all += stride(from: all.count % step, to: Self.values.count, by: step).map { base.setting(Self.values[$0], at: path[...]) }
                let other = paths[Int(generator.next() % UInt64(paths.count))]
                let value = Self.values[Int(generator.next() % UInt64(Self.values.count))]
                all.append(base.removing(path[...]).setting(value, at: other[...]))
            }
            documents += all.map { resource in
                var document: JSONObject = ["data": resource]
                let included = builder.included(with: resource)
                if !included.isEmpty { document["included"] = .array(JSONArray(included)) }
                return .object(document)
            }
        }
        return documents
    }

    /// The paths of all members, except those that the standard does not let a resource have in another form.
    private static func paths(in json: JSON, _ path: [String]) -> [[String]] {
        (json.object ?? [:]).flatMap { member -> [[String]] in
            let place = path + [member.name]
            if place == ["type"] || place == ["links"] { return [] }
            return [place] + paths(in: member.value, place)
        }
    }

    private func write(_ schema: JSON, _ accepted: [JSON], _ rejected: [JSON], _ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["SCHEMA_CASES"] else { return }
        let cases: JSON = ["schema": schema, "accepted": .array(JSONArray(accepted)), "rejected": .array(JSONArray(rejected))]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(JSONWriter().write(cases)).write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(name).json"))
    }
}
