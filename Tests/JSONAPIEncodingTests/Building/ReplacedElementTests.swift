import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Elements of arrays that replace others do not get the members that only the base has of those.
@Suite struct ReplacedElementTests {
    struct Line: Codable, Sendable, Equatable {
        var id: Int?
        var key: String?
        var sku: String?
        var note: String?
        var count: Int?
    }
    struct Cart: Resource {
        static let type = "carts"
        var id: String
        var lines: [Line]
    }

    /// Returns the lines that a patch sends; nil when it is refused.
    private func lines(_ base: String, _ edit: (inout [Line]) -> Void) throws -> JSON? {
        let text = Data(#"{"data":{"type":"carts","id":"1","attributes":{"lines":\#(base)}}}"#.utf8)
        let old = try JSONAPIDecoder().decode(Cart.self, from: text)
        var new = old
        edit(&new.lines)
        let patch = Patch(from: old, to: new, base: try JSONAPIDecoder().decode(ResourceObject.self, from: text))
        do {
            return try JSONAPIEncoder().tree(patch)["data"]?["attributes"]?["lines"]
        } catch let error as EncodingError {
            #expect(error.failure?.advice?.contains("set the whole attribute") == true)
            return nil
        }
    }

    @Test("A member that is equal by chance does not make a new element the old one")
    func equalByChance() throws {
        let base = #"[{"sku":"A","count":1,"price":10},{"sku":"B","count":2,"price":99}]"#
        #expect(try lines(base) { $0 = [Line(sku: "C", count: 1), Line(sku: "D", count: 2)] } == nil)
        #expect(try lines(base) { $0[0] = Line(sku: "C", count: 1) } == nil)
        #expect(try lines(base) { $0[0] = Line(sku: "B", count: 1) } == nil)
        #expect(try lines(#"[{"sku":"swift","n":7},{"sku":"go","n":8}]"#) { $0[0].sku = "rust" } == nil)
        #expect(try lines(#"[{"count":1,"n":7}]"#) { $0[0].count = 2 } == nil)
        #expect(try lines(#"[{"sku":"A","note":"","n":7}]"#) { $0[0].sku = "B" } == nil)
    }

    @Test("A text that no other element has, an id, or a key shows which element was edited")
    func identified() throws {
        let base = #"[{"sku":"A","count":1,"price":10},{"sku":"B","count":2,"price":99}]"#
        let both = try lines(base) { for index in $0.indices { $0[index].count = 5 } }
        #expect(both == [["sku": "A", "count": 5, "price": 10], ["sku": "B", "count": 5, "price": 99]])
        #expect(try lines(base) { $0[1].count = nil } == [["sku": "A", "count": 1, "price": 10], ["sku": "B", "price": 99]])
        let ids = #"[{"id":1,"sku":"A","n":7},{"id":2,"sku":"A","n":8}]"#
        #expect(try lines(ids) { $0[0].sku = "B" } == [["id": 1, "sku": "B", "n": 7], ["id": 2, "sku": "A", "n": 8]])
        let keys = #"[{"key":"x","sku":"A","n":7}]"#
        #expect(try lines(keys) { $0[0].sku = "B" } == [["key": "x", "sku": "B", "n": 7]])
    }

    @Test("A text identifies no element of which another text was replaced")
    func replacedText() throws {
        let gift = #"[{"sku":"A","note":"gift","price":10}]"#
        #expect(try lines(gift) { $0 = [Line(sku: "B", note: "gift")] } == nil)
        #expect(try lines(gift) { $0[0].note = nil } == [["sku": "A", "price": 10]])
        #expect(try lines(#"[{"sku":"A","note":"","price":10}]"#) { $0[0].note = "x" } == [["sku": "A", "note": "x", "price": 10]])
    }

    @Test("An element with an id can be edited while others are added, removed, or moved")
    func editedElsewhere() throws {
        let one = #"[{"id":1,"n":7}]"#
        #expect(
            try lines(one) {
                $0[0].count = 2
                $0.append(Line(id: 2))
            } == [["id": 1, "count": 2, "n": 7], ["id": 2]])
        let two = #"[{"id":1,"n":7},{"id":2,"n":8}]"#
        #expect(try lines(two) { $0 = [Line(id: 2, count: 5), $0[0]] } == [["id": 2, "count": 5, "n": 8], ["id": 1, "n": 7]])
        #expect(try lines(two) { $0 = [Line(id: 2, count: 5)] } == [["id": 2, "count": 5, "n": 8]])
        let three = #"[{"id":1,"n":7},{"id":2},{"id":3}]"#
        #expect(
            try lines(three) { $0 = [Line(id: 1, count: 5), Line(id: 9), Line(id: 2)] }
                == [["id": 1, "count": 5, "n": 7], ["id": 9], ["id": 2]])
    }

    @Test("An element with another id or key is another one, also with the same texts")
    func otherIdentity() throws {
        #expect(try lines(#"[{"id":1,"sku":"A","n":7}]"#) { $0[0].id = 2 } == nil)
        #expect(try lines(#"[{"key":"x","sku":"A","n":7}]"#) { $0[0].key = "y" } == nil)
        #expect(try lines(#"[{"id":1,"key":"x","n":7}]"#) { $0[0].key = "y" } == [["id": 1, "key": "y", "n": 7]])
        // Equal ids and texts do not tell elements apart.
        #expect(try lines(#"[{"id":1,"sku":"A","count":1,"n":7},{"id":1,"sku":"A","count":2,"n":8}]"#) { $0[0].count = 3 } == nil)
    }

    @Test("Elements of which everything was read can be replaced beside others that stay")
    func whollyRead() throws {
        let base = #"[{"sku":"A","count":1},{"sku":"B","count":2,"n":8}]"#
        #expect(try lines(base) { $0[0] = Line(sku: "C", count: 9) } == [["sku": "C", "count": 9], ["sku": "B", "count": 2, "n": 8]])
        #expect(try lines(base) { $0 = [Line(sku: "B", count: 3)] } == nil, "the second one may have been removed or moved")
        #expect(try lines(base) { $0 = [Line(sku: "B", count: 3), Line(sku: "C", count: 1)] } == nil)
    }

    @Test("Elements of an array inside an array are told apart themselves")
    func arraysInside() throws {
        struct Grid: Resource {
            static let type = "grids"
            var id: String
            var rows: [[Line]]
        }
        let text = Data(
            #"{"data":{"type":"grids","id":"1","attributes":{"rows":[[{"sku":"A","count":1,"n":7}],[{"sku":"B","n":8}]]}}}"#.utf8)
        let old = try JSONAPIDecoder().decode(Grid.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        func rows(_ edit: (inout Grid) -> Void) throws -> JSON? {
            var new = old
            edit(&new)
            return try JSONAPIEncoder().tree(Patch(from: old, to: new, base: base))["data"]?["attributes"]?["rows"]
        }
        #expect(try rows { $0.rows[0][0].count = 2 } == [[["sku": "A", "count": 2, "n": 7]], [["sku": "B", "n": 8]]])
        #expect(throws: EncodingError.self) { try rows { $0.rows[0][0].sku = "C" } }
        #expect(throws: EncodingError.self) { try rows { $0.rows = [[Line(sku: "B", count: 3)], [Line(sku: "A", count: 3)]] } }
    }
}
