import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText
import Testing

/// Rewriters of the encoder, for resources that are written with only a part of their attributes.
@Suite struct RewritingPartsTests {
    struct Shop: Resource {
        static let type = "shops"
        var id: String
        var testName: String?
        var count: Int?
        var latitude: Double?
        var longitude: Double?
    }

    struct Stall: Resource, RestrictedFields {
        static let type = "shops"
        static let readOnlyFields = ["count"]
        var id: String
        var testName: String
        var count: Int?
    }

    private let shop = Shop(id: "1", testName: "A", count: 5, latitude: 1, longitude: 2)

    private var encoder: JSONAPIEncoder {
        var encoder = JSONAPIEncoder()
        encoder.rewriters = [
            "shops": Rewriter(unreferenced: .keep) {
                Rule("test_name", from: "testName")
                Rule("number", from: "count").ifMissing { _, _ in 0 }
                Rule("place", from: ["latitude", "longitude"]) { _, input in
                    ["lat": input["latitude"] ?? .null, "long": input["longitude"] ?? .null]
                }.optional
            }
        ]
        return encoder
    }

    private func attributes(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }

    @Test("A patch contains what differs, and no default of a rewriter")
    func patches() throws {
        #expect(try attributes(shop.patch { $0.testName = "B" }) == ["test_name": "B"])
        #expect(try attributes(shop.patch { $0.count = 6 }) == ["number": 6])
        #expect(try attributes(shop.patch { $0.testName = nil }) == ["test_name": nil])
        let several = try encoder.tree([shop.patch { $0.testName = "B" }])
        #expect(several["data"]?[0]?["attributes"] == ["test_name": "B"])
        var operations = AtomicOperations()
        operations.update(shop.patch { $0.testName = "B" })
        operations.add(shop)
        let list = try encoder.tree(operations)["atomic:operations"]
        #expect(list?[0]?["data"]?["attributes"] == ["test_name": "B"])
        #expect(list?[1]?["data"]?["attributes"]?["number"] == 5)
    }

    @Test("A rule for two attributes, of which only one changes, is an error instead of a change that is lost")
    func twoAttributes() throws {
        let moved = shop.patch {
            $0.latitude = 3
            $0.longitude = 4
        }
        #expect(try attributes(moved) == ["place": ["lat": 3, "long": 4]])
        let error = #expect(throws: ValidationError.self) { try encoder.encode(shop.patch { $0.latitude = 3 }) }
        #expect(error?.issues.map { "\($0.pointer)" } == ["/data/attributes/place"])
    }

    @Test("A change without a value for a rule of a nested path is an error instead of a change that is lost")
    func nestedPath() throws {
        struct Site: Resource {
            static let type = "shops"
            var id: String
            var location: [String: Double]?
        }
        var encoder = JSONAPIEncoder()
        encoder.rewriters["shops"] = Rewriter { Rule("latitude", from: "location.lat") }
        let site = Site(id: "1", location: ["lat": 1])
        #expect(try encoder.tree(site.patch { $0.location = ["lat": 2] })["data"]?["attributes"] == ["latitude": 2])
        let error = #expect(throws: ValidationError.self) { try encoder.encode(site.patch { $0.location = nil }) }
        #expect(error?.issues.map { "\($0.pointer)" } == ["/data/attributes/latitude"])
        #expect(error?.issues.first?.advice != nil)
    }

    @Test("A part of what a rule needs never appears under the name of the model")
    func leftOutPart() throws {
        for body in [Create(shop).omitting("longitude"), Create(shop).omitting("latitude")] {
            let error = #expect(throws: ValidationError.self) { try encoder.encode(body) }
            #expect(error?.issues.map { "\($0.pointer)" } == ["/data/attributes/place"])
        }
        #expect(try attributes(Create(shop).omitting("latitude", "longitude")) == ["test_name": "A", "number": 5])
        let fields = try JSON(parsing: encoder.encode([shop], fields: ["shops": ["testName", "latitude"]]))
        #expect(fields["data"]?[0]?["attributes"] == ["test_name": "A"])
    }

    @Test("Attributes that a fieldset or a request leaves out get no default")
    func leftOut() throws {
        let fields = try JSON(parsing: encoder.encode([shop], fields: ["shops": ["testName"]]))
        #expect(fields["data"]?[0]?["attributes"] == ["test_name": "A"])
        let whole = try JSON(parsing: encoder.encode([Shop(id: "2", testName: "B")]))
        #expect(whole["data"]?[0]?["attributes"] == ["test_name": "B", "number": 0])
        #expect(try attributes(Create(shop).omitting("count"))?["number"] == nil)
        #expect(try attributes(Create(Stall(id: "1", testName: "A", count: 5))) == ["test_name": "A"])
        var operations = AtomicOperations()
        operations.add(Stall(id: "", testName: "A", count: 5), linking: ["owner": ResourceIdentifier(type: "people", id: "1")])
        #expect(try encoder.tree(operations)["atomic:operations"]?[0]?["data"]?["attributes"] == ["test_name": "A"])
        var text = Data()
        let writer = try DocumentWriter(encoder: encoder, fields: ["shops": ["testName"]]) { text.append($0) }
        try writer.append(shop)
        try writer.finish()
        #expect(try JSON(parsing: text)["data"]?[0]?["attributes"] == ["test_name": "A"])
    }

    @Test("Results of operations are rewritten once, in both directions")
    func results() throws {
        let text = try encoder.encode(AtomicResults([AtomicResult(shop, encoder: encoder)]))
        let data = try JSON(parsing: text)["atomic:results"]?[0]?["data"]
        #expect(try data == JSON(parsing: encoder.encode(shop))["data"])
        var decoder = JSONAPIDecoder()
        decoder.rewriters["shops"] = Rewriter(unreferenced: .keep) { Rule("testName", from: "test_name") }
        let results = try decoder.decode(AtomicResults.self, from: text)
        #expect(try results.resource(Shop.self, at: 0)?.testName == "A")
        #expect(results.results[0].data.resources.first?[attribute: "testName"] == "A")
    }
}
