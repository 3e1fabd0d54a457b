import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Types that the program chooses at run time. The value of a variable of the type `Shape.Type` can be a subclass.
@Suite struct RuntimeTypeTests {
    private class Shape: Codable {
        let kind: String

        init(kind: String) { self.kind = kind }
    }
    private final class Circle: Shape {
        let radius: Double

        private enum CodingKeys: CodingKey { case radius }

        required init(from decoder: any Decoder) throws {
            radius = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .radius)
            try super.init(from: decoder)
        }
        init(radius: Double) {
            self.radius = radius
            super.init(kind: "circle")
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(radius, forKey: .radius)
        }
    }

    /// Reads each of its shapes as the class that its kind names.
    private struct Drawing: Codable {
        var shapes: [Shape]

        private enum CodingKeys: CodingKey { case shapes }
        private struct Kind: Decodable { var kind: String }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let kinds = try container.decode([Kind].self, forKey: .shapes)
            var list = try container.nestedUnkeyedContainer(forKey: .shapes)
            shapes = try kinds.map { kind in
                let type: Shape.Type = kind.kind == "circle" ? Circle.self : Shape.self
                return try list.decode(type)
            }
        }
    }

    /// Reads itself as a subclass through a single value.
    private struct Single: Decodable {
        var shape: Shape

        init(from decoder: any Decoder) throws {
            let type: Shape.Type = Circle.self
            shape = try decoder.singleValueContainer().decode(type)
        }
    }

    /// Reads one element more than there are.
    private struct Sparse: Decodable {
        var shapes: [Shape?] = []

        init(from decoder: any Decoder) throws {
            let type: Shape.Type = Circle.self
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd { shapes.append(try list.decodeIfPresent(type)) }
            shapes.append(try list.decodeIfPresent(type))
        }
    }

    private struct Page<Value: Decodable & SendableMetatype>: Resource, @unchecked Sendable {
        static var type: String { "pages" }
        var id: String
        var value: Value
        var circle: Circle?

        private enum CodingKeys: CodingKey { case id, value, circle }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            value = try container.decode(Value.self, forKey: .value)
            circle = try container.decodeIfPresent(Circle.self, forKey: .circle)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    private func page<Value: Decodable & SendableMetatype>(_ type: Value.Type, _ value: String) throws -> Page<Value> {
        let circle = #"{"kind":"circle","radius":3}"#
        let text = #"{"data":{"type":"pages","id":"1","attributes":{"value":\#(value),"circle":\#(circle)}}}"#
        return try JSONAPIDecoder().decode(Page<Value>.self, from: Data(text.utf8))
    }

    @Test("A subclass chosen at run time is read by its own initializer, as Foundation does")
    func values() throws {
        let text = #"{"shapes":[{"kind":"circle","radius":2},{"kind":"plain"}]}"#
        let known = try JSONDecoder().decode(Drawing.self, from: Data(text.utf8))
        let page = try page(Drawing.self, text)
        #expect(page.value.shapes.map { ($0 as? Circle)?.radius } == known.shapes.map { ($0 as? Circle)?.radius })
        #expect(page.value.shapes.map { ($0 as? Circle)?.radius } == [2, nil])
        #expect(page.circle?.radius == 3)
        let single = try self.page(Single.self, #"{"kind":"circle","radius":4}"#)
        #expect((single.value.shape as? Circle)?.radius == 4 && single.circle?.radius == 3)
    }

    @Test("An element that can be missing is read as the subclass that is chosen at run time, as Foundation does")
    func optionalElements() throws {
        let text = #"[{"kind":"circle","radius":2},null,{"kind":"circle","radius":3}]"#
        let known = try JSONDecoder().decode(Sparse.self, from: Data(text.utf8))
        let read = try page(Sparse.self, text).value
        #expect(read.shapes.map { ($0 as? Circle)?.radius } == known.shapes.map { ($0 as? Circle)?.radius })
        #expect(read.shapes.map { ($0 as? Circle)?.radius } == [2, nil, 3, nil])
    }

    @Test("A value of a superclass is written by the class that it has, and changes nothing for later values")
    func json() throws {
        let shape: Shape = Circle(radius: 5)
        let encoder = JSONAPIEncoder()
        #expect(try encoder.json(shape) == ["kind": "circle", "radius": 5])
        #expect(try encoder.json(Circle(radius: 6)) == ["kind": "circle", "radius": 6])
        #expect(try encoder.json(Shape(kind: "plain")) == ["kind": "plain"])
    }

    private class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        let id: String
        let name: String
    }
    private final class Dog: Animal, @unchecked Sendable {
        let breed: String

        private enum CodingKeys: CodingKey { case breed }
        required init(from decoder: any Decoder) throws {
            breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
            try super.init(from: decoder)
        }
    }

    @Test("A model class that is chosen at run time is read as that class, and confuses no later document")
    func models() throws {
        let animal = #"{"type":"animals","id":"1","attributes":{"name":"Rex","breed":"Terrier"}}"#
        let data = Data(#"{"data":\#(animal)}"#.utf8)
        let type: Animal.Type = Dog.self
        let read = try JSONAPIDecoder().decode(type, from: data)
        #expect((read as? Dog)?.breed == "Terrier" && read.name == "Rex")
        #expect(try JSONAPIDecoder().decode(Animal.self, from: data).name == "Rex")
        let document = try JSONAPIDecoder().decode(Document<Animal?>.self, from: Data(#"{"data":null,"included":[\#(animal)]}"#.utf8))
        #expect(try document.included(type).map(\.name) == ["Rex"])
        let identifier = ResourceIdentifier(type: "animals", id: "1")
        #expect(try (document.resource(type, identifier) as? Dog)?.breed == "Terrier")
        #expect(try document.included(Dog.self).map(\.breed) == ["Terrier"])
        #expect(try document.included(Animal.self).map(\.name) == ["Rex"])
    }
}
