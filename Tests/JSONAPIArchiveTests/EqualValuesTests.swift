import Foundation
import JSONAPIArchive
import JSONAPICodec
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
}
