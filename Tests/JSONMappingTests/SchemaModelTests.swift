import JSONMapping
import JSONText
import TestSupport
import Testing

/// Random schemas, run beside a checker that is written as plainly as possible.
@Suite struct SchemaModelTests {
    @Test(arguments: [UInt64(1), 2, 3]) func schemasMatchASimpleModel(_ seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var counts = (good: 0, bad: 0, written: 0, refused: 0)
        for run in 0..<1000 * stress {
            let plan = PlannedSchema(&numbers)
            // Texts are made for failures alone.
            let place = { "seed \(seed), run \(run): \(plan.description)" }
            let input = Self.input(&numbers)
            let isPartial = Bool.random(using: &numbers)

            let made = plan.expected(input, nil, isPartial: false)
            #expect(Self.outcome { try plan.structSchema.decode(.object(input)) } == made, "decode \(input), \(place())")
            #expect(Self.outcome { try plan.classSchema.decode(.object(input)).state } == made, "decode \(input), \(place())")

            let before = (try? made.get()) ?? ModelState(numbers: [1, 2], texts: ["p", "q"], choices: [3, nil], extra: 7)
            let changes = Self.input(&numbers)
            let changed = plan.expected(changes, before, isPartial: isPartial)
            Self.check(plan, changes, before, changed, isPartial: isPartial) { "apply \(changes) to \(before), \(place())" }
            if case .success = changed { counts.good += 1 } else { counts.bad += 1 }

            let state = (try? changed.get()) ?? before
            let written = plan.written(state)
            let encoded = try? plan.structSchema.encode(state)
            #expect(encoded == written, "encode \(state), \(place())")
            #expect((try? plan.classSchema.encode(ModelBox(state))) == written, "encode \(state), \(place())")
            if written == nil { counts.refused += 1 } else { counts.written += 1 }
            if let written {
                let again = plan.expected(written, nil, isPartial: false)
                #expect(Self.outcome { try plan.structSchema.decode(.object(written)) } == again, "decode \(written), \(place())")
            }
        }
        #expect(counts.good > 200 && counts.bad > 200 && counts.written > 300 && counts.refused > 100, "\(counts)")
    }

    /// Applies and validates; what fails changes nothing.
    private static func check(
        _ plan: PlannedSchema, _ changes: JSONObject, _ before: ModelState, _ expected: ModelOutcome, isPartial: Bool, _ place: () -> String
    ) {
        let json = JSON.object(changes)
        var state = before
        let applied = outcome {
            try plan.structSchema.apply(json, to: &state, isPartial: isPartial)
            return state
        }
        #expect(applied == expected, "\(place())")
        if case .failure = expected { #expect(state == before, "\(place())") }

        let box = ModelBox(before)
        var root = box
        let problems = plan.classSchema.validate(json, for: box, isPartial: isPartial)
        #expect(box.state == before, "validation changed it: \(place())")
        if case .failure(let known) = expected {
            #expect(ModelProblems(problems) == known, "\(place())")
        } else {
            #expect(problems.isEmpty)
        }
        let inBox = outcome {
            try plan.classSchema.apply(json, to: &root, isPartial: isPartial)
            return box.state
        }
        #expect(inBox == expected && root === box, "\(place())")
        if case .failure = expected { #expect(box.state == before, "\(place())") }
    }

    private static func outcome(_ body: () throws -> ModelState) -> ModelOutcome {
        do { return .success(try body()) } catch { return .failure(ModelProblems((error as? ValidationError)?.issues ?? [])) }
    }

    /// An object of few names, so that fields meet them.
    private static func input(_ numbers: inout SeededRandom) -> JSONObject {
        let values: [JSON] = [0, 5, -1, 13, "t", "", nil, true, [:]]
        func value(_ depth: Int, _ numbers: inout SeededRandom) -> JSON {
            guard depth > 0, Int.random(in: 0..<3, using: &numbers) > 0 else { return values.randomElement(using: &numbers) ?? nil }
            return .object(object(depth - 1, &numbers))
        }
        func object(_ depth: Int, _ numbers: inout SeededRandom) -> JSONObject {
            var object = JSONObject()
            for name in ["a", "b", "x", "other"] where Int.random(in: 0..<4, using: &numbers) > 0 {
                object[name] = value(name == "x" ? depth : 0, &numbers)
            }
            return object
        }
        return object(2, &numbers)
    }
}

// MARK: - What is mapped

private struct ModelState: Equatable {
    var numbers = [0, 0]
    var texts = ["", ""]
    var choices: [Int?] = [nil, nil]
    var kept = JSONObject()
    /// No field: what hooks change.
    var extra = 0
}

private final class ModelBox {
    var state: ModelState
    init(_ state: ModelState) { self.state = state }
}

private struct ModelRefusal: Error {}

/// What was wrong: kinds and places, in any order.
private struct ModelProblems: Error, Equatable {
    var texts: [String] = []
    init(_ issues: [MappingIssue]) { texts = issues.map { "\($0.kind) \($0.pointer)" }.sorted() }
    init(_ texts: [String]) { self.texts = texts.sorted() }
}

private typealias ModelOutcome = Result<ModelState, ModelProblems>

// MARK: - A random schema, and what it means

private struct PlannedSchema {
    enum Property { case number(Int), text(Int), choice(Int) }
    enum Empty { case required, optional, omit, null, standIn }
    enum Unknown { case drop, keep, handle }

    struct Field {
        var name: String
        var property: Property
        var paths: [[String]]
        var empty: Empty
        var isLossy: Bool
        var isAtLeastZero: Bool
    }

    var fields: [Field] = []
    var unknown: Unknown
    var hasFinish: Bool

    init(_ numbers: inout SeededRandom) {
        let paths = [["a"], ["b"], ["x"], ["x", "a"], ["x", "b"], ["x", "x", "a"]]
        unknown = [.drop, .keep, .handle].randomElement(using: &numbers) ?? .drop
        hasFinish = Bool.random(using: &numbers)
        let properties: [Property] = [.number(0), .number(1), .text(0), .text(1), .choice(0), .choice(1)].shuffled(using: &numbers)
        for (position, property) in properties.prefix(Int.random(in: 1...4, using: &numbers)).enumerated() {
            let count = Int.random(in: 0..<4, using: &numbers) == 0 ? 2 : 1
            let isChoice = if case .choice = property { true } else { false }
            let policies: [Empty] = isChoice ? [.required, .optional, .omit, .null] : [.required, .standIn]
            fields.append(
                Field(
                    name: "f\(position)", property: property, paths: Array(paths.shuffled(using: &numbers).prefix(count)),
                    empty: policies.randomElement(using: &numbers) ?? .required, isLossy: Int.random(in: 0..<4, using: &numbers) == 0,
                    isAtLeastZero: Bool.random(using: &numbers)))
        }
    }

    var description: String { "\(fields) \(unknown) \(hasFinish)" }

    // MARK: The library's

    var structSchema: MappingSchema<ModelState> {
        hooked(
            MappingSchema("model", fields: fields.map { Self.field($0, { \.numbers[$0] }, { \.texts[$0] }, { \.choices[$0] }) }) { _ in
                ModelState()
            }, \.extra, \.kept, \.numbers)
    }

    var classSchema: MappingSchema<ModelBox> {
        let fields = fields.map {
            Self.field($0, { \ModelBox.state.numbers[$0] }, { \ModelBox.state.texts[$0] }, { \ModelBox.state.choices[$0] })
        }
        return hooked(
            MappingSchema("model", fields: fields) { _ in ModelBox(ModelState()) }.restoring(\.state.extra), \.state.extra, \.state.kept,
            \.state.numbers)
    }

    private static func field<Root>(
        _ field: Field, _ number: (Int) -> KeyPath<Root, Int> & Sendable, _ text: (Int) -> KeyPath<Root, String> & Sendable,
        _ choice: (Int) -> KeyPath<Root, Int?> & Sendable
    ) -> SchemaField<Root> {
        let paths = Paths(field.paths.map { MappingPath(segments: $0) })
        switch field.property {
        case .number(let position):
            let field = MappingField(
                number(position), field.name, from: paths, policy(field.empty, 4), field.isLossy ? .int.lossy : .int
            ).checked(field.isAtLeastZero ? .atLeast(0) : .exists)
            return SchemaField(field)
        case .text(let position):
            return SchemaField(
                MappingField(text(position), field.name, from: paths, policy(field.empty, "s"), field.isLossy ? .string.lossy : .string))
        case .choice(let position):
            var made = MappingField(choice(position), field.name, from: paths, policy(field.empty, 0), field.isLossy ? .int.lossy : .int)
            if field.isAtLeastZero { made = made.checked(.atLeast(0)) }
            return SchemaField(made)
        }
    }

    private static func policy<Value: Sendable>(_ empty: Empty, _ standIn: Value) -> Policy<Value> {
        switch empty {
        case .required: .required
        case .optional: .optional
        case .omit: .omit
        case .null: .null
        case .standIn: .default(standIn)
        }
    }

    private func hooked<Root>(
        _ schema: MappingSchema<Root>, _ extra: WritableKeyPath<Root, Int> & Sendable, _ kept: WritableKeyPath<Root, JSONObject> & Sendable,
        _ numbers: WritableKeyPath<Root, [Int]> & Sendable
    ) -> MappingSchema<Root> {
        var schema = schema
        switch unknown {
        case .drop: break
        case .keep: schema.unknownMembers = .keep(in: kept)
        case .handle:
            schema.unknownMembers = .handle { root, members in
                root[keyPath: extra] += members.count
                if members["other"] == 13 { throw ModelRefusal() }
            }
        }
        if hasFinish {
            schema.finish = { root in
                root[keyPath: extra] += 100
                if root[keyPath: numbers][0] == 13 { throw ModelRefusal() }
            }
        }
        return schema
    }

    // MARK: The checker's reading

    func expected(_ json: JSONObject, _ existing: ModelState?, isPartial: Bool) -> ModelOutcome {
        var state = existing ?? ModelState()
        var problems: [String] = []
        for field in fields { Self.read(field, json, &state, isUpdate: existing != nil, isPartial: isPartial, &problems) }
        if !problems.isEmpty { return .failure(ModelProblems(problems)) }
        let mapped = fields.flatMap(\.paths).map { $0[0] }
        let others = JSONObject(members: json.filter { !mapped.contains($0.name) })
        switch unknown {
        case .drop: break
        case .keep:
            if existing == nil {
                state.kept = others
            } else {
                for member in others { state.kept[member.name] = member.value }
            }
        case .handle:
            state.extra += others.count
            if others["other"] == 13 { return .failure(ModelProblems(["constraint "])) }
        }
        if hasFinish {
            state.extra += 100
            if state.numbers[0] == 13 { return .failure(ModelProblems(["constraint "])) }
        }
        return .success(state)
    }

    private static func read(
        _ field: Field, _ json: JSONObject, _ state: inout ModelState, isUpdate: Bool, isPartial: Bool, _ problems: inout [String]
    ) {
        func pointer(_ path: [String]) -> String { path.map { "/\($0)" }.joined() }
        var firstNull: [String]?
        var failed: [String]?
        for path in field.paths {
            guard let value = value(json, path) else { continue }
            if value.isNull {
                firstNull = firstNull ?? path
            } else if let problem = set(field, value, &state) {
                if problem == "constraint" { return problems.append("constraint \(pointer(path))") }
                if field.isLossy { firstNull = firstNull ?? path } else { failed = path }
            } else {
                return
            }
        }
        if let failed {
            let isOnly = field.paths.count == 1
            return problems.append(isOnly ? "type-mismatch \(pointer(failed))" : "required \(pointer(field.paths[0]))")
        }
        let isAbsent = firstNull == nil
        if isAbsent, isPartial { return }
        switch field.empty {
        case .required: problems.append("required \(pointer(firstNull ?? field.paths[0]))")
        case .standIn: if !(isAbsent && isUpdate) { _ = set(field, standIn(field), &state) }
        case .null: if !(isAbsent && isUpdate) { clear(field, &state) }
        case .optional, .omit: if !isAbsent { clear(field, &state) }
        }
    }

    private static func value(_ json: JSONObject, _ path: [String]) -> JSON? {
        var value: JSON? = .object(json)
        for name in path { value = value?.object?[name] }
        return value
    }

    private static func standIn(_ field: Field) -> JSON {
        if case .text = field.property { "s" } else { 4 }
    }

    private static func clear(_ field: Field, _ state: inout ModelState) {
        if case .choice(let position) = field.property { state.choices[position] = nil }
    }

    /// Sets the property, or says why not.
    private static func set(_ field: Field, _ value: JSON, _ state: inout ModelState) -> String? {
        switch field.property {
        case .text(let position):
            guard let text = value.string else { return "type-mismatch" }
            state.texts[position] = text
        case .number(let position):
            guard let number = value.int else { return "type-mismatch" }
            if field.isAtLeastZero, number < 0 { return "constraint" }
            state.numbers[position] = number
        case .choice(let position):
            guard let number = value.int else { return "type-mismatch" }
            if field.isAtLeastZero, number < 0 { return "constraint" }
            state.choices[position] = number
        }
        return nil
    }

    // MARK: The checker's writing

    /// The object for a state; nil where two fields want two values at one place, or a value is missing.
    func written(_ state: ModelState) -> JSONObject? {
        var leaves: [(path: [String], value: JSON)] = []
        for field in fields {
            let path = field.paths[0]
            switch field.property {
            case .number(let position): leaves.append((path, .number(JSONNumber(state.numbers[position]))))
            case .text(let position): leaves.append((path, .string(state.texts[position])))
            case .choice(let position):
                if let number = state.choices[position] {
                    leaves.append((path, .number(JSONNumber(number))))
                } else if field.empty == .required {
                    return nil
                } else if field.empty != .omit {
                    leaves.append((path, .null))
                }
            }
        }
        for (position, a) in leaves.enumerated() {
            for b in leaves[(position + 1)...] {
                let (upper, lower) = a.path.count <= b.path.count ? (a, b) : (b, a)
                guard lower.path.starts(with: upper.path), !upper.value.isNull, !lower.value.isNull else { continue }
                if upper.path == lower.path, lower.value == upper.value { continue }
                return nil
            }
        }
        var object = JSONObject()
        for leaf in leaves where !leaf.value.isNull { object = Self.setting(leaf.path, leaf.value, in: object) }
        // A null above another one says both.
        for leaf in leaves.sorted(by: { $0.path.count < $1.path.count }) where leaf.value.isNull && Self.isFree(leaf.path, in: object) {
            object = Self.setting(leaf.path, .null, in: object)
        }
        if unknown == .keep {
            for member in state.kept where object[member.name] == nil { object[member.name] = member.value }
        }
        return object
    }

    private static func isFree(_ path: [String], in object: JSONObject) -> Bool {
        guard let value = object[path[0]] else { return true }
        guard path.count > 1, let object = value.object else { return false }
        return isFree(Array(path.dropFirst()), in: object)
    }

    private static func setting(_ path: [String], _ value: JSON, in object: JSONObject) -> JSONObject {
        var object = object
        if path.count == 1 {
            object[path[0]] = value
        } else {
            object[path[0]] = .object(setting(Array(path.dropFirst()), value, in: object[path[0]]?.object ?? [:]))
        }
        return object
    }
}
