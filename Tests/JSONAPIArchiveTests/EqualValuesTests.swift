import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// Equal values have equal bytes in an archive.
@Suite struct EqualValuesTests {
    private struct Note: Resource {
        static let type = "notes"
        var id: String
        var labels: [String: Int]
        var nested: [String: [String: Bool]]
    }

    @Test("Equal dictionaries have the same bytes, whatever their capacity and history are")
    func dictionaries() throws {
        func text(_ capacity: Int, _ numbers: some Sequence<Int>) throws -> [UInt8] {
            var labels: [String: Int] = [:]
            labels.reserveCapacity(capacity)
            for number in numbers { labels["label \(number)"] = number }
            var writer = Archive.Writer()
            try writer.encode(Note(id: "1", labels: labels, nested: ["a": labels.mapValues { $0 > 3 }]), forKey: "note")
            let archive = try Archive(data: try writer.data())
            let object = try #require(try archive.resource(ResourceObject.self, ResourceIdentifier(type: "notes", id: "1")))
            return try JSONWriter().write(object.json)
        }
        #expect(try text(0, 0..<20) == text(1000, (0..<20).reversed()))
    }

    private struct Name: RawRepresentable, Hashable, Codable, CodingKeyRepresentable {
        var rawValue: String
    }

    private struct Prices: Resource {
        static let type = "prices"
        var id: String
        var byYear: [Int: [Int: String]]
        var byName: [Name: Int]
    }

    private func prices(_ capacity: Int, _ numbers: some Sequence<Int>) -> Prices {
        var prices = Prices(id: "1", byYear: [:], byName: [:])
        prices.byYear.reserveCapacity(capacity)
        prices.byName.reserveCapacity(capacity)
        for number in numbers {
            prices.byYear[number] = [number: "a", -1: "b"]
            prices.byName[Name(rawValue: "name \(number)")] = number
        }
        return prices
    }

    @Test("The same applies to dictionaries whose keys are names, but not strings")
    func keysOfOtherTypes() throws {
        var writer = Archive.Writer()
        try writer.encode(prices(0, 0..<20), forKey: "prices")
        let size = try writer.data().count
        // Other bytes would be a conflict, or another record.
        try writer.encode(prices(1000, (0..<20).reversed()), forKey: "prices")
        #expect(try writer.data().count == size)
        let archive = try Archive(data: writer.data())
        let identifier = ResourceIdentifier(type: "prices", id: "1")
        let object = try #require(try archive.resource(ResourceObject.self, identifier))
        let names = (0..<20).map { "\($0)" }.sorted()
        #expect(object[attribute: "byYear"]?.object.map { Array($0.names) } == names)
        #expect(object[attribute: "byName"]?.object.map { Array($0.names) } == names.map { "name \($0)" })
        #expect(try archive.decode(Prices.self, forKey: "prices").byYear == prices(0, 0..<20).byYear)
    }

    @Test("The same applies to the values that a store keeps")
    func keptValues() throws {
        func text(_ capacity: Int, _ numbers: some Sequence<Int>) throws -> [UInt8] {
            var labels: [String: Int] = [:]
            labels.reserveCapacity(capacity)
            for number in numbers { labels["label \(number)"] = number }
            let store = ResourceStore()
            try store.keep(["labels": labels], forKey: "value")
            return try JSONWriter().write(try #require(try store.kept(JSON.self, forKey: "value")))
        }
        #expect(try text(0, 0..<20) == text(1000, (0..<20).reversed()))
    }
}
