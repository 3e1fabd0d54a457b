import Foundation
import JSONMapping
import JSONText
import Testing

private class Shape {
    var name = ""
    var kind = ""
}

private final class Circle: Shape { var radius = 0 }

private struct Drawing { var shapes: [Shape] = [] }

/// Instances of subclasses in properties of their superclass.
@Suite struct SubclassValueTests {
    private static let shapes = MappingSchema(creating: Shape()) { MappingField(\.name, "name") }

    private static let circles = MappingSchema(creating: Circle()) {
        SubclassValueTests.shapes.inherited { $0 }
        MappingField(\.radius, "radius")
    }

    private static func drawings(_ shapes: MappingSchema<Shape>) -> MappingSchema<Drawing> {
        MappingSchema(creating: Drawing()) { MappingField(\.shapes, "shapes", .list(.object(shapes))) }
    }

    private static var circle: Circle {
        let circle = Circle()
        circle.name = "c"
        circle.kind = "circle"
        circle.radius = 3
        return circle
    }

    private static var drawing: Drawing { Drawing(shapes: [Shape(), circle]) }

    private static let written: JSONObject = ["shapes": [["name": ""], ["name": "c", "radius": 3]]]

    @Test("An instance of a subclass is written by the schema of its class")
    func registeredSubclass() throws {
        var schemas = SchemaSet()
        schemas[Circle.self] = Self.circles
        #expect(try schemas.encode(Self.drawing, schema: Self.drawings(Self.shapes)) == Self.written)
        // The set of the nested schema.
        schemas[Shape.self] = Self.shapes
        let inSet = try schemas.schema(for: Shape.self)
        #expect(try Self.drawings(inSet).encode(Self.drawing) == Self.written)
        // The outermost value.
        #expect(try schemas.encode(Self.circle as Shape) == ["name": "c", "radius": 3])
        #expect(try schemas.encode(Self.circle as Shape, only: ["radius"]) == ["radius": 3])
        #expect(try schemas.encode(Self.circle as Shape, schema: Self.shapes) == ["name": "c"])
    }

    @Test("An instance of a subclass that extends its superclass in the set is written with the inherited fields")
    func extendedSubclass() throws {
        var schemas = SchemaSet()
        schemas[Shape.self] = Self.shapes
        schemas.extend(Shape.self, to: Circle.self, creating: Circle()) { $0 }
        #expect(try schemas.encode(Self.drawing, schema: Self.drawings(Self.shapes)) == ["shapes": [["name": ""], ["name": "c"]]])
    }

    @Test("The properties of a subclass without a schema are not lost silently")
    func unknownSubclass() throws {
        let schema = Self.drawings(Self.shapes)
        let error = #expect(throws: ValidationError.self) { try schema.encode(Self.drawing) }
        #expect(error?.issues == [MappingIssue(.typeMismatch, at: JSONPointer(tokens: ["shapes", "1"]), expected: "", found: "")])
        #expect(error?.issues.first?.advice?.contains("SchemaSet") == true)
        #expect(schema.represent(Self.drawing) == ["shapes": [["name": ""], nil]])
    }

    @Test("A schema that creates the subclass, or has a `make` closure, writes instances of it")
    func subclassOfThePrototype() throws {
        let creating = MappingSchema<Shape>(creating: Circle()) { MappingField(\.name, "name") }
        let making = MappingSchema<Shape> {
            MappingField(\.name, "name")
        } make: { _ in
            Circle()
        }
        for schema in [creating, making] {
            #expect(try Self.drawings(schema).encode(Drawing(shapes: [Self.circle])) == ["shapes": [["name": "c"]]])
        }
    }

    @Test("A schema with a `make` closure writes what it reads, also if the subclass has a schema of its own")
    func registeredBesideMake() throws {
        var schemas = SchemaSet()
        schemas[Circle.self] = Self.circles
        let making = MappingSchema<Shape> {
            MappingField(\.name, "name")
            MappingField(\.kind, "kind")
        } make: { values in
            try values[\.kind] == "circle" ? Circle() : Shape()
        }
        schemas[Shape.self] = making
        let written = try schemas.encode(Drawing(shapes: [Self.circle]), schema: Self.drawings(making))
        #expect(written == ["shapes": [["name": "c", "kind": "circle"]]])
        let read = try schemas.decode(from: .object(written), schema: Self.drawings(making))
        #expect(read.shapes.first is Circle)
        #expect(try schemas.encode(Self.circle as Shape) == ["name": "c", "kind": "circle"])
    }

    private struct Archived: Encodable {
        let drawing: Drawing

        func encode(to encoder: any Encoder) throws {
            try SubclassValueTests.drawings(SubclassValueTests.shapes).archive(drawing, to: encoder)
        }
    }

    @Test("An archive without a graph of instances does not lose the properties of a subclass")
    func archive() {
        let issue = #expect(throws: MappingIssue.self) { try JSONEncoder().encode(Archived(drawing: Self.drawing)) }
        #expect(issue?.kind == .typeMismatch)
        #expect(throws: Never.self) { try JSONEncoder().encode(Archived(drawing: Drawing(shapes: [Shape()]))) }
    }

    private static func making(_ isCircle: @escaping @Sendable (SchemaValues<Shape>) throws -> Bool) -> MappingSchema<Shape> {
        MappingSchema {
            MappingField(\.name, "name")
            MappingField(\.kind, "kind")
        } make: { values in
            try isCircle(values) ? Circle() : Shape()
        }
    }

    private struct ByField: Codable {
        static let schema = SubclassValueTests.making { try $0[\.kind] == "circle" }
        let shape: Shape

        init(_ shape: Shape) { self.shape = shape }
        init(from decoder: any Decoder) throws { shape = try Self.schema.unarchive(from: decoder) }
        func encode(to encoder: any Encoder) throws { try Self.schema.archive(shape, to: encoder) }
    }

    private struct ByJSON: Decodable {
        static let schema = SubclassValueTests.making { $0.json["kind"] == "circle" }

        init(from decoder: any Decoder) throws { _ = try Self.schema.unarchive(from: decoder) }
    }

    @Test("A `make` closure that creates the superclass of what was archived is an error, because the archive has no JSON object")
    func makeFromAnArchive() throws {
        let (circle, shape) = try (JSONEncoder().encode(ByField(Self.circle)), JSONEncoder().encode(ByField(Shape())))
        #expect(try JSONDecoder().decode(ByField.self, from: circle).shape is Circle)
        #expect(try !(JSONDecoder().decode(ByField.self, from: shape).shape is Circle))
        #expect(throws: Never.self) { try JSONDecoder().decode(ByJSON.self, from: shape) }
        let issue = #expect(throws: MappingIssue.self) { try JSONDecoder().decode(ByJSON.self, from: circle) }
        #expect(issue?.kind == .initializationFailed && issue?.advice?.contains("by the value of a field") == true)
    }
}
