import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Patches with a base of arrays whose elements have values in another form than the one that the encoder writes.
@Suite struct PatchElementFormTests {
    struct Line: Codable, Sendable, Equatable {
        var id: String?
        var at: Date?
        var key: UUID?
        var url: URL?
        var qty: Int
    }
    struct Cart: Resource {
        static let type = "carts"
        var id: String
        var lines: [Line]
    }

    private func lines(_ base: String, _ edit: (inout [Line]) -> Void) throws -> JSON? {
        let text = Data(#"{"data":{"type":"carts","id":"1","attributes":{"lines":\#(base)}}}"#.utf8)
        var decoder = JSONAPIDecoder()
        decoder.leniencies.insert(.textNumbers)
        let old = try decoder.decode(Cart.self, from: text)
        var new = old
        edit(&new.lines)
        let patch = Patch(from: old, to: new, base: try decoder.decode(ResourceObject.self, from: text))
        return try JSONAPIEncoder().tree(patch)["data"]?["attributes"]?["lines"]
    }

    /// Members of two elements, in a form of a server. Without ids, they differ in the date, the UUID, or the number.
    private static let forms = [
        [#""at":"2021-01-01T00:00:00.000Z","qty":1"#, #""at":"2021-01-02T00:00:00.000Z","qty":2"#],
        [#""at":"2021-01-01T00:00:00+00:00","qty":1"#, #""at":"2021-01-02T02:00:00+02:00","qty":2"#],
        [
            #""key":"6f1c0f0a-9b1e-4c8e-8e0d-0123456789ab","qty":1"#, #""key":"6f1c0f0a-9b1e-4c8e-8e0d-0123456789ac","qty":2"#,
        ],
        [#""at":"2021-01-01T00:00:00Z","qty":"1""#, #""at":"2021-01-02T00:00:00Z","qty":"2""#],
    ]

    private func elements(_ form: [String], hasIDs: Bool) throws -> (text: String, json: [JSON]) {
        let texts = form.enumerated().map { index, members in
            let id = hasIDs ? "\"id\":\"\(index)\"," : ""
            return "{\(id)\(members),\"price\":\(index + 5)}"
        }
        return ("[" + texts.joined(separator: ",") + "]", try texts.map { try JSON(parsing: $0) })
    }

    private func with(_ element: JSON, qty: JSON) -> JSON {
        var object = element.object ?? JSONObject()
        object["qty"] = qty
        return .object(object)
    }

    @Test("Elements are edited, added and removed whatever form the server gives their values", arguments: Self.forms, [false, true])
    func formsOfServers(form: [String], hasIDs: Bool) throws {
        let (base, elements) = try self.elements(form, hasIDs: hasIDs)
        #expect(try lines(base) { $0[1].qty = 9 } == JSON.array([elements[0], with(elements[1], qty: 9)]))
        #expect(try lines(base) { $0.append(Line(id: "n", qty: 7)) } == JSON.array([elements[0], elements[1], ["id": "n", "qty": 7]]))
        #expect(try lines(base) { $0.removeFirst() } == JSON.array([elements[1]]))
    }

    @Test("A value whose form is not known needs an id, or must be alone")
    func otherForms() throws {
        let first = #""url":"https://example.org/a b","qty":1,"price":5"#
        let second = #""url":"https://example.org/a ü","qty":2,"price":6"#
        #expect(try lines(#"[{\#(first)}]"#) { $0.append(Line(qty: 3)) }?[0] == JSON(parsing: "{\(first)}"))
        let edited = try lines(#"[{"id":"a",\#(first)},{"id":"b",\#(second)}]"#) { $0[1].qty = 9 }
        #expect(edited?[1]?["qty"] == 9 && edited?[1]?["price"] == 6 && edited?[0]?["price"] == 5)
    }

    private struct Part: Codable, Hashable, Sendable {
        var id: Int?
        var name: String?
        var size: Int?
    }
    private struct Box: Resource {
        static let type = "boxes"
        var id: String
        var parts: Set<Part>
    }

    private func parts(_ base: String, _ edit: (inout Set<Part>) -> Void) throws -> JSON? {
        let text = Data(#"{"data":{"type":"boxes","id":"1","attributes":{"parts":\#(base)}}}"#.utf8)
        let old = try JSONAPIDecoder().decode(Box.self, from: text)
        var new = old
        edit(&new.parts)
        let patch = Patch(from: old, to: new, base: try JSONAPIDecoder().decode(ResourceObject.self, from: text))
        return try JSONAPIEncoder().tree(patch)["data"]?["attributes"]?["parts"]
    }

    @Test("The elements of a set keep their unknown members in any order, if ids or texts tell them apart")
    func sets() throws {
        func sorted(_ parts: JSON?, by name: String) -> [JSON]? { parts?.array?.sorted { "\($0[name] ?? "")" < "\($1[name] ?? "")" } }
        for names in [["b", "a"], ["a", "b"]] {
            let base = #"[{"name":"\#(names[0])","x":"\#(names[0])1"},{"name":"\#(names[1])","x":"\#(names[1])1"}]"#
            let a: JSON = ["name": "a", "x": "a1"]
            let b: JSON = ["name": "b", "x": "b1"]
            #expect(sorted(try parts(base) { $0.insert(Part(name: "c")) }, by: "name") == [a, b, ["name": "c"]])
            #expect(try parts(base) { $0.remove(Part(name: "a")) } == [b])
        }
        for ids in [[2, 1], [1, 2]] {
            let base = #"[{"id":\#(ids[0]),"name":"n","size":5,"x":\#(ids[0])},{"id":\#(ids[1]),"name":"n","size":5,"x":\#(ids[1])}]"#
            let edited = try parts(base) {
                $0.remove(Part(id: 1, name: "n", size: 5))
                $0.insert(Part(id: 1, name: "n", size: 6))
            }
            let expected: [JSON] = [["id": 1, "name": "n", "size": 6, "x": 1], ["id": 2, "name": "n", "size": 5, "x": 2]]
            #expect(sorted(edited, by: "id") == expected)
        }
    }

    @Test(
        "Elements that may be in another order than those of the server are refused, and the advice says what setting the whole does",
        arguments: [
            #"[{"size":2,"x":1},{"size":1,"x":2}]"#, #"[{"name":"a","size":2,"x":1},{"name":"a","size":1,"x":2}]"#,
        ])
    func otherOrder(base: String) throws {
        let failure = encodingFailure { _ = try parts(base) { $0.insert(Part(name: "c")) } }
        #expect(failure?.kind == .wrongPlace)
        #expect(failure?.advice?.contains("which also replaces the parts that the type does not have") == true)
    }
}
