import Foundation
import JSONMapping
import JSONText
import Testing

/// Values that are nested too deeply for the stack are an issue everywhere. No other form takes their place.
@Suite struct NestingLimitTests {
    private static let limits: Set<MappingIssue.Kind> = [.nestingLimit]

    private final class Person {
        var name = ""
        var friend: Person?

        /// A schema that writes a friend as an object, or else in another form, or the other way round.
        static func schema(isOtherFirst: Bool) -> MappingSchema<Person> {
            let name = Conversion<JSON, Person>(decode: { _ in nil }, encode: { .string($0.name) })
            let none = Conversion<JSON, Person>(decode: { _ in nil })
            let object = Conversion<JSON, Person>.object(Person.schema(isOtherFirst: isOtherFirst))
            return MappingSchema(creating: Person()) {
                MappingField(\.name, "name")
                MappingField(\.friend, "friend", .omit, isOtherFirst ? none.or(object) : object.or(name))
            }
        }
    }

    @Test("A cycle of instances is one issue, also if another form can be written", arguments: [false, true])
    func cycles(isOtherFirst: Bool) {
        let (first, second) = (Person(), Person())
        (first.friend, second.friend) = (second, first)
        defer { first.friend = nil }
        let error = #expect(throws: ValidationError.self) { try Person.schema(isOtherFirst: isOtherFirst).encode(first) }
        #expect(error?.issues.map(\.kind) == [.nestingLimit])
        #expect(error?.issues.first?.pointer.tokens.starts(with: ["friend", "friend"]) == true)
    }

    private struct Tree {
        var children: [Tree] = []

        static func schema(
            _ paths: Paths, _ change: @escaping @Sendable (Conversion<JSON, [Tree]>) -> Conversion<JSON, [Tree]>
        ) -> MappingSchema<Tree> {
            let list = Conversion<JSON, [Tree]>.list(.object(Tree.schema(paths, change)))
            return MappingSchema(creating: Tree()) { MappingField(\.children, "children", from: paths, .default([]), change(list)) }
        }
    }

    private static func deep() -> JSON {
        var json: JSON = [:]
        for _ in 0..<20_000 { json = ["children": [json]] }
        return json
    }

    @Test("Input that is too deep is an issue, also with `lossy`, another form, or another path")
    func deepInput() {
        let schemas = [
            Tree.schema("children") { $0.lossy }, Tree.schema("children") { $0.or(Conversion(decode: { _ in [] })) },
            Tree.schema(["children", "kids"]) { $0 },
        ]
        let json = Self.deep()
        for schema in schemas { #expect(Set(schema.validate(json).map(\.kind)) == Self.limits) }
    }

    @Test("Reading one of several paths reports input that is too deep")
    func deepPath() {
        let json: JSON = ["a": Self.deep(), "b": [:]]
        let trees = Conversion<JSON, Tree>.object(Tree.schema("children") { $0 })
        let error = #expect(throws: ValidationError.self) { try json.read(["a", "b"], as: trees) }
        #expect(Set(error?.issues.map(\.kind) ?? []) == Self.limits)
    }
}
