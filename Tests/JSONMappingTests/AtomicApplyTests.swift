import Foundation
import JSONMapping
import JSONText
import Testing

private struct Values: Equatable {
    var id = 1
    var name = "n"
    var note: String?
    var ratio: Double?
    var tags: [String] = ["t"]
    var born: Date?
    var title: Presence<String> = .absent
    var parts: [Part] = []
    var extra = JSONObject()

    struct Part: Equatable, Mapped {
        var a = 0
        var b: String?
        static let schema = MappingSchema(creating: Part()) {
            MappingField(\.a, "a").checked(.atLeast(0))
            MappingField(\.b, "b")
        }
    }

    static let schema = MappingSchema(creating: Values()) {
        MappingField(\.id, "id", .required, .lenientInt).checked(.less(than: 1000))
        MappingField(\.name, "name").validated { name, _ in
            guard name != "a" else { throw CancellationError() }
            return name + "."
        }
        MappingField(\.note, "x")
        MappingField(\.ratio, "count", .null)
        MappingField(\.tags, "messages", .default([]))
        MappingField(\.born, from: ["b", "a"], .omit)
        MappingField(\.title, "é")
        MappingField(\.parts, from: "a.b", .default([]))
    }.unknownMembers(.keep(in: \.extra))
}

/// The same as an object: every property is one of `values`.
private final class Box: Equatable {
    var values = Values()
    static func == (a: Box, b: Box) -> Bool { a.values == b.values }
    static let schema: MappingSchema<Box> = {
        var schema = MappingSchema<Box>(creating: Box()) { Values.schema.inherited(at: \.values) }
        schema.finish = { if $0.values.ratio == 1 { throw CancellationError() } }
        return schema
    }()
}

/// A failed apply leaves no trace, and tells all problems at once.
@Suite struct AtomicApplyTests {
    @Test(arguments: [false, true]) func aStructIsUntouched(_ isPartial: Bool) throws {
        var numbers = SeededNumbers(seed: isPartial ? 7 : 8)
        var failures = 0
        for _ in 0..<3000 {
            let changes = JSON.object(Self.changes(&numbers))
            let before = Values(id: 5, note: "kept", tags: ["kept"], title: .null, extra: ["kept": 1])
            var values = before
            let issues = Values.schema.validate(changes, for: before, isPartial: isPartial)
            do {
                try Values.schema.apply(changes, to: &values, isPartial: isPartial)
                #expect(issues.isEmpty, "\(changes)")
            } catch let error as ValidationError {
                failures += 1
                #expect(values == before, "\(changes)")
                #expect(error.issues == issues && !issues.isEmpty)
            }
        }
        #expect(failures > 500 && failures < 3000)
    }

    @Test(arguments: [false, true]) func anObjectIsUntouched(_ isPartial: Bool) throws {
        var numbers = SeededNumbers(seed: isPartial ? 9 : 10)
        var failures = 0
        for _ in 0..<3000 {
            let changes = JSON.object(Self.changes(&numbers))
            let before = Values(id: 5, note: "kept", tags: ["kept"], title: .null, extra: ["kept": 1])
            let box = Box()
            box.values = before
            var root = box
            let issues = Box.schema.validate(changes, for: box, isPartial: isPartial)
            #expect(box.values == before, "validation changed it")
            do {
                try Box.schema.apply(changes, to: &root, isPartial: isPartial)
                #expect(issues.isEmpty, "\(changes)")
                #expect(root === box)
            } catch let error as ValidationError {
                failures += 1
                #expect(box.values == before, "\(changes)")
                #expect(error.issues == issues && !issues.isEmpty)
            }
        }
        #expect(failures > 500 && failures < 3000)
    }

    @Test func anObjectInsideOfAStructIsUntouched() throws {
        final class Shared { var name = "old" }
        struct Whole: @unchecked Sendable {
            var shared = Shared()
            var count = 0
            var other = Shared()
        }
        let known = Whole()
        let parts = MappingSchema(creating: Shared()) { MappingField(\.name, "inner") }.inherited(at: \Whole.other)
        let schema = MappingSchema<Whole>(creating: known) {
            MappingField(\.shared.name, "name")
            parts
            MappingField(\.count, "count")
        }
        let bad: JSON = ["name": "new", "inner": "new", "count": "x"]
        var whole = known
        #expect(throws: ValidationError.self) { try schema.decode(bad) }
        #expect(throws: ValidationError.self) { try schema.apply(bad, to: &whole) }
        let good: JSON = ["name": "new", "inner": "new", "count": 1]
        let refusing = schema.finishing { _ in throw CancellationError() }
        #expect(throws: ValidationError.self) { try refusing.decode(good) }
        #expect(throws: ValidationError.self) { try refusing.apply(good, to: &whole) }
        #expect(schema.validate(good).isEmpty)
        #expect(known.shared.name == "old" && known.other.name == "old" && whole.count == 0)
        try schema.apply(good, to: &whole)
        #expect(known.shared.name == "new" && known.other.name == "new" && whole.count == 1)
    }

    @Test func everyFieldThatFailsAloneFailsAmongTheOthers() throws {
        var numbers = SeededNumbers(seed: 11)
        let fields = ["id", "name", "x", "count", "messages", "é"]
        for _ in 0..<1000 {
            let changes = Self.changes(&numbers)
            let together = Set(Values.schema.validate(.object(changes), for: Values(), isPartial: true).map(\.pointer))
            for name in fields {
                guard let value = changes[name] else { continue }
                let alone = Values.schema.validate([name: value], for: Values(), isPartial: true).map(\.pointer)
                #expect(together.isSuperset(of: alone), "\(name) in \(changes)")
            }
        }
    }

    @Test func decodingAndApplyingNeverTrap() {
        var numbers = SeededNumbers(seed: 12)
        for _ in 0..<3000 {
            let json = numbers.json()
            let issues = Values.schema.validate(json)
            if let values = try? Values.schema.decode(json) {
                #expect(issues.isEmpty)
                _ = Values.schema.represent(values)
            } else {
                #expect(!issues.isEmpty)
            }
            #expect(Box.schema.validate(json).isEmpty == ((try? Box.schema.decode(json)) != nil))
        }
    }

    /// An object that fits in most of its members.
    private static func changes(_ numbers: inout SeededNumbers) -> JSONObject {
        var object = JSONObject()
        let good: [(String, [JSON])] = [
            ("id", [1, "2", 3.0]), ("name", ["x", "é"]), ("x", ["y", nil]), ("count", [1, 2.5, nil]), ("messages", [[], ["a", "b"]]),
            ("b", ["2016-05-16", nil]), ("é", ["t", nil]), ("other", [1]), ("a", [["b": [["a": 1], ["a": 2, "b": nil]]]]),
        ]
        for (name, values) in good where Int.random(in: 0..<3, using: &numbers) > 0 {
            let fits = Int.random(in: 0..<8, using: &numbers) > 0
            object[name] = fits ? values.randomElement(using: &numbers) ?? nil : numbers.json()
        }
        return object
    }
}
