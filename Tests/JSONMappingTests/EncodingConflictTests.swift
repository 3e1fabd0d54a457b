import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

private struct Pair: Equatable {
    var first = 0
    var second = 0
    var whole = JSONObject()
    var note: String?
}

private func firstAt(_ path: MappingPath) -> MappingField<Pair, Int> { MappingField(\Pair.first, "first", from: Paths(path)) }
private func secondAt(_ path: MappingPath) -> MappingField<Pair, Int> { MappingField(\Pair.second, "second", from: Paths(path)) }

/// Fields that meet at one place lose nothing silently.
@Suite struct EncodingConflictTests {
    @Test(arguments: [false, true]) func anObjectAndItsMemberAreMergedInEitherOrder(_ isReversed: Bool) throws {
        let member = SchemaField(MappingField(\Pair.first, "first", from: "x.a"))
        let whole = SchemaField(MappingField(\Pair.whole, "whole", from: "x"))
        let schema = MappingSchema("pair", fields: isReversed ? [whole, member] : [member, whole]) { _ in Pair() }
        #expect(try schema.encode(Pair(first: 1, whole: ["b": 2])) == ["x": ["a": 1, "b": 2]])
        #expect(try schema.encode(Pair(first: 1, whole: ["a": 1, "b": 2])) == ["x": ["a": 1, "b": 2]])
        let error = #expect(throws: ValidationError.self) { try schema.encode(Pair(first: 1, whole: ["a": 3])) }
        #expect(error?.issues.map(\.kind) == [.nameConflict])
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("first") && text.contains("whole"), "\(text)")
    }

    private struct Two {
        var first = JSON.null
        var second = JSON.null

        static let schema = MappingSchema(creating: Two()) {
            MappingField(\.first, "first", from: "x")
            MappingField(\.second, "second", from: "x")
        }
    }

    /// What both values together are, written with recursion; nil for a conflict.
    private func merged(_ first: JSON, _ second: JSON) -> JSON? {
        if first.isNull { return second }
        if second.isNull || first == second { return first }
        guard var object = first.object, let other = second.object else { return nil }
        for member in other {
            guard let value = merged(object[member.name] ?? .null, other[member.name] ?? .null) else { return nil }
            object[member.name] = value
        }
        return .object(object)
    }

    @Test func randomValuesAtOnePlaceAreMergedWhole() throws {
        var numbers = SeededRandom(seed: 8)
        func tree(_ depth: Int) -> JSON {
            switch Int.random(in: 0..<(depth == 0 ? 4 : 12), using: &numbers) {
            case 0: return .null
            case 1, 2: return 1
            case 3: return [1]
            default:
                let names = ["a", "b", "c"].filter { _ in Bool.random(using: &numbers) }
                return .object(JSONObject(members: names.map { .init(name: $0, value: tree(depth - 1)) }))
            }
        }
        var conflicts = 0
        for _ in 0..<3000 {
            let (first, second) = (tree(4), tree(4))
            let encoded = try? Two.schema.encode(Two(first: first, second: second))
            #expect(encoded == merged(first, second).map { ["x": $0] }, "\(first) and \(second)")
            if encoded == nil { conflicts += 1 }
        }
        #expect(conflicts > 300 && conflicts < 2700)
    }

    @Test func mergingDeepAndWideObjectsTakesLinearTime() throws {
        // The depth grows as the width does.
        let growth = try TimeGrowth(from: 250) { count in
            var first = JSON.object(JSONObject(members: (0..<20 * count).map { .init(name: "k\($0)", value: 1) }))
            for _ in 0..<count { first = ["a": first] }
            var second = first
            second["z"] = 1
            return try processorSeconds { _ = try Two.schema.encode(Two(first: first, second: second)) }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func aScalarAndAMemberOfItAreAConflictInEitherOrder() {
        let schemas = [
            MappingSchema(creating: Pair()) {
                firstAt("x.a")
                secondAt("x")
            },
            MappingSchema(creating: Pair()) {
                secondAt("x")
                firstAt("x.a")
            },
        ]
        for schema in schemas {
            #expect(throws: ValidationError.self) { try schema.encode(Pair(first: 1, second: 1)) }
        }
    }

    @Test func twoPropertiesWithOnePathMustAgree() throws {
        let schema = MappingSchema(creating: Pair()) {
            firstAt("n")
            secondAt("n")
        }
        #expect(try schema.decode(["n": 5]) == Pair(first: 5, second: 5))
        #expect(try schema.encode(Pair(first: 5, second: 5)) == ["n": 5])
        let error = #expect(throws: ValidationError.self) { try schema.encode(Pair(first: 5, second: 6)) }
        #expect(error?.issues == [MappingIssue(.nameConflict, at: JSONPointer("n"), expected: "", found: "")])
    }

    @Test("Only an object can be written as the whole value")
    func aScalarAsTheWholeValue() throws {
        let schema = MappingSchema(creating: Two()) { MappingField(\.first, "first", from: "", .json) }
        let error = #expect(throws: ValidationError.self) { try schema.encode(Two(first: "text")) }
        #expect(error?.issues == [MappingIssue(.typeMismatch, expected: "", found: "")])
        #expect(error?.issues.first?.expected.contains("whole value") == true)
        #expect(try schema.encode(Two(first: ["a": 1])) == ["a": 1])
    }

    @Test func aValueTakesPrecedenceOverNull() throws {
        let schema = MappingSchema(creating: Pair()) {
            MappingField(\.note, "note", from: "n", .string.lossy)
            firstAt("n")
        }
        #expect(try schema.encode(Pair(first: 5)) == ["n": 5])
        #expect(throws: ValidationError.self) { try schema.encode(Pair(first: 5, note: "x")) }
    }

    private struct Authored: Equatable {
        var author: String?
        var authorID: Int?
    }

    @Test("A null below a value or below another null is not written", arguments: [false, true])
    func nullBelowAValue(isReversed: Bool) throws {
        let author = SchemaField(MappingField(\Authored.author, "author", from: ["author", "author.name"]))
        let id = SchemaField(MappingField(\Authored.authorID, "authorID", from: "author.id"))
        let schema = MappingSchema("authored", fields: isReversed ? [id, author] : [author, id]) { _ in Authored() }
        let samples: [(json: JSON, value: Authored)] = [(["author": "Ann"], Authored(author: "Ann")), (["author": .null], Authored())]
        for (json, value) in samples {
            #expect(try schema.decode(json) == value)
            #expect(try JSON.object(schema.encode(value)) == json)
        }
        #expect(try schema.encode(Authored(authorID: 1)) == ["author": ["id": 1]])
        #expect(throws: ValidationError.self) { try schema.encode(Authored(author: "Ann", authorID: 1)) }
    }

    @Test func twoFieldsWithOneNameAreAnErrorOfEveryUse() {
        let schema = MappingSchema(creating: Pair()) {
            MappingField(\.first, from: "n")
            MappingField(\.second, from: "n")
        }
        var pair = Pair()
        let uses: [() throws -> Void] = [
            { _ = try schema.decode(["n": 1]) }, { _ = try schema.encode(Pair()) }, { try schema.apply(["n": 1], to: &pair) },
            { _ = try MappingSchema(creating: [Pair()]) { MappingField(\.self, "list", .list(.object(schema))) }.decode(["list": [[:]]]) },
        ]
        for use in uses {
            let error = #expect(throws: ValidationError.self) { try use() }
            #expect(error?.issues.map(\.kind) == [.nameConflict])
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(text.contains("first") && text.contains("second") && text.contains("`n`"), "\(text)")
        }
        #expect(schema.validate(["n": 1]).map(\.kind) == [.nameConflict])
        #expect(pair == Pair())
    }

    @Test func twoPartsOfOneTypeCannotShareAName() {
        struct Trip { var from = Pair(), to = Pair() }
        let parts = MappingSchema(creating: Pair()) { MappingField(\.first, "first") }
        let schema = MappingSchema(creating: Trip()) {
            parts.inherited(at: \.from)
            parts.inherited(at: \.to)
        }
        #expect(schema.validate(["first": 1]).map(\.kind) == [.nameConflict])
    }

    @Test func aFieldOverridesAnInheritedOne() throws {
        class Node { var id = "" }
        final class Leaf: Node { var number = 0 }
        let nodes = MappingSchema(creating: Node()) { MappingField(\.id, "id") }
        let leaves = MappingSchema(creating: Leaf()) {
            nodes.inherited { $0 }
            MappingField(\.number, "id")
        }
        #expect(try leaves.decode(["id": 7]).number == 7)
        #expect(try leaves.encode(leaves.decode(["id": 7])) == ["id": 7])
    }

    // MARK: - Places that are far inside

    private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            done.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        done.wait()
    }

    @Test func aLongPathIsEncodedOnASmallStack() {
        Self.onSmallStack {
            let path = MappingPath(segments: (0..<20_000).map { "s\($0 % 7)" })
            let schema = MappingSchema(creating: Pair()) {
                firstAt(path)
                secondAt(MappingPath(segments: Array(path.segments.dropLast()) + ["other"]))
            }
            let object = try? schema.encode(Pair(first: 1, second: 2))
            #expect(object.flatMap { path.value(in: .object($0)) } == 1)
            #expect((try? schema.decode(.object(object ?? [:]))) == Pair(first: 1, second: 2))
        }
    }

    @Test func manyFieldsWithOneParentAreAllEncoded() throws {
        let schema = MappingSchema<DynamicObject>(
            "wide",
            fields: (0..<5000).map { number in
                SchemaField(MappingField("f\(number)", from: Paths(MappingPath(segments: ["x", "y", "m\(number)"])), .required, .int))
            }
        ) { _ in DynamicObject() }
        var object = DynamicObject()
        for number in 0..<5000 { object.set("f\(number)", to: number) }
        let written = try schema.encode(object)
        #expect(written["x"]?["y"]?.object?.count == 5000)
        #expect(try schema.decode(.object(written)) == object)
    }

    private struct Archived: Codable {
        static let schema = MappingSchema<DynamicObject>("cafe") {
            MappingField<DynamicObject, Int>("\u{e9}", from: "a", .omit, .int)
            MappingField<DynamicObject, Int>("e\u{301}", from: "b", .omit, .int)
        }
        let object: DynamicObject

        init(_ object: DynamicObject) { self.object = object }
        init(from decoder: any Decoder) throws { object = try Self.schema.unarchive(from: decoder) }
        func encode(to encoder: any Encoder) throws { try Self.schema.archive(object, to: encoder) }
    }

    private struct Reserved: Encodable {
        let schema: MappingSchema<DynamicObject>

        func encode(to encoder: any Encoder) throws { try schema.archive(DynamicObject(), to: encoder) }
    }

    @Test(
        "The names that an archive uses itself conflict with those of fields in an archive only",
        arguments: ["@version", "@unknown", "@subclass"])
    func reservedNames(name: String) throws {
        let schema = MappingSchema("reserved") { MappingField<DynamicObject, Int>(name, .omit, .int) }
        let json: JSON = .object([name: 1])
        #expect(try JSON.object(schema.encode(schema.decode(json))) == json)
        let issue = #expect(throws: MappingIssue.self) { try JSONEncoder().encode(Reserved(schema: schema)) }
        #expect(issue?.kind == .nameConflict)
    }

    @Test func namesThatAreEqualInSwiftConflictInAnArchiveOnly() throws {
        let object = try Archived.schema.decode(["a": 1, "b": 2])
        #expect(try Archived.schema.encode(object) == ["a": 1, "b": 2])
        let issue = #expect(throws: MappingIssue.self) { try JSONEncoder().encode(Archived(object)) }
        #expect(issue?.kind == .nameConflict)
    }
}
