import Foundation
import JSONMapping
import JSONText
import TestSupport
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

/// The same as a class: every property is one of `values`.
private final class Box: Equatable {
    var values = Values()
    static func == (a: Box, b: Box) -> Bool { a.values == b.values }
    static let schema: MappingSchema<Box> = {
        var schema = MappingSchema<Box>(creating: Box()) { Values.schema.inherited(at: \.values) }
        schema.finish = { if $0.values.ratio == 1 { throw CancellationError() } }
        return schema
    }()
}

private struct Part {
    var id = 0
    static let schema = MappingSchema(creating: Part()) { MappingField(\.id, "id") }
}

/// Key paths of its properties do not tell that they are those of a class.
private protocol Named: SendableMetatype {
    var name: String { get set }
    var age: Int { get set }
    var rest: JSONObject { get set }
    var part: Part { get set }
}

extension Named {
    static func named(_ make: @escaping @Sendable () -> Self) -> MappingSchema<Self> {
        MappingSchema<Self> {
            MappingField(\Self.name, "name")
            MappingField(\Self.age, "age")
        } make: { _ in
            make()
        }.unknownMembers(.keep(in: \Self.rest))
    }

    static func whole(_ make: @escaping @Sendable () -> Self) -> MappingSchema<Self> {
        MappingSchema<Self>(creating: make()) { Part.schema.inherited(at: \Self.part) }
    }
}

private final class Cat: Named, @unchecked Sendable {
    var name = ""
    var age = 0
    var rest = JSONObject()
    var part = Part()

    var state: String { "\(name) \(age) \(JSON.object(rest))" }

    static var tom: Cat {
        let cat = Cat()
        (cat.name, cat.age) = ("Tom", 3)
        return cat
    }
}

/// A failed apply changes nothing, and reports all problems.
@Suite struct AtomicApplyTests {
    @Test(arguments: [false, true]) func aFailedApplyDoesNotChangeAStruct(_ isPartial: Bool) throws {
        var numbers = SeededRandom(seed: isPartial ? 7 : 8)
        var failures = 0
        for _ in 0..<TestEffort.count(3000, debug: 1000) {
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

    @Test(arguments: [false, true]) func aFailedApplyDoesNotChangeAnInstance(_ isPartial: Bool) throws {
        var numbers = SeededRandom(seed: isPartial ? 9 : 10)
        var failures = 0
        for _ in 0..<TestEffort.count(3000, debug: 1000) {
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

    @Test func aFailedApplyDoesNotChangeAnInstanceInAStruct() throws {
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

    @Test("A failed apply and a validation leave a class whose key paths go through a protocol")
    func keyPathsThroughAProtocol() throws {
        let bad: JSON = ["name": "X", "age": "bad", "rest": 1]
        let good: JSON = ["name": "X", "age": 5, "rest": 1]
        let schema = Cat.named(Cat.init)
        let cat = Cat.tom
        #expect(schema.validate(bad, for: cat).count == 1 && cat.state == "Tom 3 {}")
        #expect(schema.validate(good, for: cat).isEmpty && cat.state == "Tom 3 {}")
        var root = cat
        #expect(throws: ValidationError.self) { try schema.apply(bad, to: &root) }
        #expect(cat.state == "Tom 3 {}")
        // An instance that the initializer returns.
        let one = Cat.tom
        let list = Conversion<JSON, [Cat]>.list(.object(Cat.named { one }))
        #expect(throws: ValidationError.self) { try list.decode([good, bad]) }
        #expect(one.state == "Tom 3 {}")
        let whole = Cat.whole(Cat.init).finishing { _ in throw CancellationError() }
        #expect(throws: ValidationError.self) { try whole.apply(["id": 7], to: &root) }
        #expect(cat.part.id == 0)
        try schema.apply(good, to: &root)
        #expect(cat.state == #"X 5 {"rest":1}"#)
    }

    @Test("A failed apply and a validation leave an object that a struct reaches by a protocol or a computed property")
    func objectBehindAComputedProperty() throws {
        struct Owner {
            let cat: Cat
            var pet: any Named
            var count = 0
            var age: Int {
                get { cat.age }
                set { cat.age = newValue }
            }
        }
        let cat = Cat.tom
        let start = Owner(cat: cat, pet: cat)
        let schema = MappingSchema<Owner> {
            MappingField(\Owner.pet.name, "name")
            MappingField(\Owner.age, "age")
            MappingField(\Owner.count, "count")
        } make: { _ in
            Owner(cat: Cat.tom, pet: Cat.tom)
        }
        let bad: JSON = ["name": "X", "age": 5, "count": "bad"]
        #expect(schema.validate(bad, for: start).count == 1 && cat.state == "Tom 3 {}")
        #expect(schema.validate(["name": "X", "age": 5, "count": 1], for: start).isEmpty && cat.state == "Tom 3 {}")
        var owner = start
        #expect(throws: ValidationError.self) { try schema.apply(bad, to: &owner) }
        #expect(cat.state == "Tom 3 {}")
        try schema.apply(["name": "X", "age": 5, "count": 1], to: &owner)
        #expect(cat.state == "X 5 {}" && owner.count == 1)
    }

    @Test("A validation restores fields that the observers of other fields change, in any order of the fields")
    func fieldsThatObserversChange() {
        final class Ticket {
            var changes = 0
            var status = "" { didSet { changes += 1 } }
        }
        let ticket = Ticket()
        ticket.status = "a"
        ticket.changes = 5
        let changes = MappingField(\Ticket.changes, "changes")
        let status = MappingField(\Ticket.status, "status")
        for fields in [[SchemaField(changes), SchemaField(status)], [SchemaField(status), SchemaField(changes)]] {
            let schema = MappingSchema<Ticket>(fields: fields) { _ in Ticket() }
            for json: JSON in [["status": "b"], ["changes": 1], ["status": "b", "changes": 1]] {
                #expect(schema.validate(json, for: ticket, isPartial: true).isEmpty)
                #expect(ticket.status == "a" && ticket.changes == 5, "\(json)")
            }
        }
    }

    @Test("A new struct with an observed and a wrapped property is discarded, not restored")
    func newStructWithObservers() throws {
        final class Log: @unchecked Sendable { var names: [String] = [] }
        @propertyWrapper struct Logged: Sendable {
            let log: Log
            var wrappedValue = 0 { didSet { log.names.append("wrapped") } }
        }
        struct Observed: Sendable {
            let log: Log
            var name = "" { didSet { log.names.append("observed") } }
            @Logged var count: Int
            var rest = JSONObject() { didSet { log.names.append("kept") } }

            init(_ log: Log) {
                self.log = log
                _count = Logged(log: log)
            }
        }
        let log = Log()
        let schema = MappingSchema<Observed>(creating: Observed(log)) {
            MappingField(\.name, "name")
            MappingField(\.count, "count")
        }.unknownMembers(.keep(in: \.rest))
        let list = Conversion<JSON, [Observed]>.list(.object(schema))
        #expect(schema.validate(["name": "a", "count": 1, "b": 2]).isEmpty)
        #expect(log.names == ["observed", "wrapped", "kept"])
        log.names = []
        #expect(throws: ValidationError.self) { try list.decode([["name": "a", "count": 1, "b": 2], 1]) }
        #expect(log.names == ["observed", "wrapped", "kept"])
    }

    @Test func everyFailingFieldIsReportedAmongOthers() throws {
        var numbers = SeededRandom(seed: 11)
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
        var numbers = SeededRandom(seed: 12)
        for _ in 0..<TestEffort.count(3000, debug: 1000) {
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

    /// An object whose members mostly fit.
    private static func changes(_ numbers: inout SeededRandom) -> JSONObject {
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

// MARK: - What is no field

/// A class with more state than its fields, and with hooks that change it.
private final class Account: Equatable, @unchecked Sendable {
    var name = "old"
    var rest: JSONObject = ["kept": 1]
    var revision = 1
    var log: [String] = []

    static func == (a: Account, b: Account) -> Bool { a.state == b.state }
    var state: String { "\(name) \(rest) \(revision) \(log)" }

    static let plain = MappingSchema<Account>(creating: Account()) { MappingField(\.name, "name") }
}

@Suite struct AtomicHookTests {
    private func refuses(_ schema: MappingSchema<Account>, _ json: JSON, sourceLocation: SourceLocation = #_sourceLocation) {
        let account = Account()
        let before = account.state
        var root = account
        #expect(!schema.validate(json, for: account).isEmpty, sourceLocation: sourceLocation)
        #expect(account.state == before, "validation changed it", sourceLocation: sourceLocation)
        #expect(throws: ValidationError.self, sourceLocation: sourceLocation) { try schema.apply(json, to: &root) }
        #expect(account.state == before, "applying changed it", sourceLocation: sourceLocation)
    }

    @Test func keptMembersAreRestored() throws {
        let keeping = Account.plain.unknownMembers(.keep(in: \.rest))
        refuses(keeping.finishing { _ in throw CancellationError() }, ["name": "new", "other": 2])
        let account = Account()
        #expect(keeping.validate(["name": "new", "other": 2], for: account).isEmpty)
        #expect(account.name == "old" && account.rest == ["kept": 1])
        var root = account
        try keeping.apply(["name": "new", "other": 2], to: &root)
        #expect(account.name == "new" && account.rest == ["kept": 1, "other": 2])
        // Without any field, too.
        let rest = MappingSchema<Account>(creating: Account()) {}.unknownMembers(.keep(in: \.rest))
        refuses(rest.finishing { _ in throw CancellationError() }, ["other": 2])
    }

    @Test("Of kept members with the same name, the last is written")
    func repeatedKeptMember() throws {
        let keeping = Account.plain.unknownMembers(.keep(in: \.rest))
        let text = #"{"name":"new","other":1,"more":3,"other":2}"#
        let written = try keeping.encode(keeping.decode(JSON(parsing: Array(text.utf8))))
        #expect(written["other"] == 2 && written["more"] == 3)
        #expect(written.names.filter { $0 == "other" }.count == 1)
    }

    @Test func namedPropertiesThatHooksChangeAreRestored() throws {
        let finishing = Account.plain.restoring(\.revision).restoring(\.log).finishing { account in
            account.revision += 1
            account.log.append(account.name)
            if account.name == "bad" { throw CancellationError() }
        }
        refuses(finishing, ["name": "bad"])
        let handling = Account.plain.restoring(\.log).unknownMembers(
            .handle { account, members in
                account.log += members.map(\.name)
                if members.contains(name: "bad") { throw CancellationError() }
            })
        refuses(handling, ["name": "new", "bad": 1])
        let account = Account()
        #expect(
            finishing.validate(["name": "new"], for: account).isEmpty && handling.validate(["name": "n", "a": 1], for: account).isEmpty)
        #expect(account == Account())
        var root = account
        try finishing.apply(["name": "new"], to: &root)
        #expect(account.revision == 2 && account.log == ["new"])
    }

    @Test func anInstanceInAStructThatKeepsMembersIsRestored() throws {
        struct Whole: Sendable {
            var count = 0
            var shared: Account
        }
        let account = Account()
        let schema = MappingSchema<Whole>(fields: [SchemaField(MappingField(\Whole.count, "count"))]) {
            [whole = Whole(shared: account)] _ in
            whole
        }.unknownMembers(.keep(in: \.shared.rest)).finishing { _ in throw CancellationError() }
        #expect(throws: ValidationError.self) { try schema.decode(["count": 1, "other": 2]) }
        var whole = Whole(shared: account)
        #expect(throws: ValidationError.self) { try schema.apply(["count": 1, "other": 2], to: &whole) }
        #expect(account == Account() && whole.count == 0)
    }

    // MARK: - Failures that are swallowed

    private struct Holder: Sendable {
        var account: Account?
        var accounts: [Account] = []
    }

    /// A schema in which all nested objects are the same existing instance.
    private func holders(_ account: Account, _ conversion: (Conversion<JSON, Account>) -> Conversion<JSON, Account>)
        -> MappingSchema<Holder>
    {
        let nested = MappingSchema<Account> {
            MappingField(\Account.name, "name")
            MappingField(\Account.revision, "revision").checked(.atLeast(0))
        } make: { _ in
            account
        }.finishing { account in
            if account.name == "bad" { throw CancellationError() }
        }
        let elements = Conversion<JSON, [Account?]>.list(.nullable(conversion(.object(nested)))).then(
            decode: { $0.compactMap { $0 } }, encode: { $0.map { Optional($0) } })
        return MappingSchema(creating: Holder()) {
            MappingField(\.account, "account", from: ["account", "other"], .omit, conversion(.object(nested)))
            MappingField(\.accounts, "accounts", .default([]), elements)
        }
    }

    @Test func aFailureInALossyConversionIsRestored() throws {
        let bad: JSON = ["name": "bad", "revision": 9]
        let account = Account()
        let lossy = holders(account) { $0.lossy }
        #expect(try lossy.decode(["account": bad, "accounts": [bad]]).account == nil)
        #expect(account == Account())
        let either = holders(account) { $0.or(Conversion(decode: { _ in Account() })) }
        #expect(try either.decode(["account": bad]).account !== account)
        #expect(account == Account())
        let standIn = holders(account) {
            $0.then(decode: { _ in throw MappingIssue(.conversionFailed, expected: "", found: "") }).fallback(account)
        }
        #expect(try standIn.decode(["account": ["name": "new", "revision": 3]]).account === account)
        #expect(account == Account())
    }

    @Test func aFailureAtOnePathIsRestoredBeforeTheNext() throws {
        let account = Account()
        let schema = holders(account) { $0 }
        #expect(
            try schema.decode(["account": ["name": "bad", "revision": 9], "other": ["name": "good", "revision": 2]]).account === account)
        #expect(account.name == "good" && account.revision == 2)
        let before = account.state
        #expect(schema.validate(["account": ["name": "x", "revision": 5]]).isEmpty)
        #expect(account.state == before)
    }

    @Test func aFailedConversionDoesNotChangeAnInstance() throws {
        let account = Account()
        let nested = MappingSchema<Account> {
            MappingField(\Account.name, "name")
        } make: { _ in
            account
        }
        #expect(throws: ValidationError.self) {
            try Conversion<JSON, [Account]>.list(.object(nested)).decode([["name": "new"], ["name": 3]])
        }
        #expect(account == Account())
    }
}
