import Foundation
import JSONAPICodec
import JSONAPIStreams
import Testing

/// Models that use the cursor that reads them.
@Suite struct CursorInsideModelTests {
    @Test("A model that asks for the next resource, which begins another portion, skips none of those after it")
    func nextInsideAModel() throws {
        final class Holder: @unchecked Sendable {
            // Only this test's thread uses it.
            var cursor: ResourceCursor<Node>?
        }
        struct Node: Resource {
            static let type = "nodes"
            static let holder = CodingUserInfoKey(rawValue: "holder")
            var id: String
            var following: String?

            private enum CodingKeys: CodingKey { case id }
            init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
                guard id == "0", let holder = Self.holder.flatMap({ decoder.userInfo[$0] }) as? Holder else { return }
                following = try holder.cursor?.next()?.id
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let padding = String(repeating: "x", count: 1000)
        let nodes = (0..<1000).map { #"{"type":"nodes","id":"\#($0)","attributes":{"padding":"\#(padding)"}}"# }
        try StreamingSupport.withFile(Array(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8)) { url in
            let holder = Holder()
            var decoder = JSONAPIDecoder()
            try decoder.userInfo[#require(Node.holder)] = holder
            let cursor = try DocumentReader(url, decoder: decoder).resources(Node.self)
            holder.cursor = cursor
            var ids: [String] = []
            while let node = try cursor.next() { ids += [node.id] + [node.following].compactMap(\.self) }
            #expect(ids.count == 1000)
            #expect(Set(ids) == Set((0..<1000).map(String.init)))
        }
    }
}
