import JSONMapping
import JSONText
import Testing

private class Animal {
    let id: Int
    var site: String?

    init(id: Int, site: String?) {
        self.id = id
        self.site = site
    }
}

private final class Dog: Animal {
    let level: Int

    init(id: Int, site: String?, level: Int) {
        self.level = level
        super.init(id: id, site: site)
    }
}

private struct Base: Equatable {
    var id = 0
    var site: String?
}

private struct Whole: Equatable {
    var base: Base
    var note: String
}

/// The values of inherited fields in a `make` closure.
@Suite struct InheritedValueTests {
    private static let animals = MappingSchema<Animal> {
        MappingField(\.id, "id")
        MappingField(\.site, "site")
    } make: { values in
        Animal(id: try values[\.id], site: values[\.site])
    }

    @Test func makeReadsFieldsOfASuperclass() throws {
        let dogs = MappingSchema<Dog> {
            Self.animals.inherited { $0 }
            MappingField(\.level, "level")
        } make: { values in
            Dog(id: try values[inherited: \Animal.id], site: values[inherited: \Animal.site], level: try values[\.level])
        }
        let dog = try dogs.decode(["id": 7, "site": "x", "level": 3])
        #expect(dog.id == 7 && dog.site == "x" && dog.level == 3)
        #expect(try dogs.decode(["id": 8, "level": 1]).site == nil)
        #expect(try dogs.encode(dog) == ["id": 7, "site": "x", "level": 3])
    }

    @Test func theKeyPathOfASubclassNamesNoInheritedField() throws {
        let dogs = MappingSchema<Dog> {
            Self.animals.inherited { $0 }
            MappingField(\.level, "level")
        } make: { values in
            Dog(id: try values[\.id], site: nil, level: try values[\.level])
        }
        let error = #expect(throws: ValidationError.self) { try dogs.decode(["id": 7, "level": 3]) }
        #expect(error?.description.contains("values[inherited:]") == true)
    }

    @Test("A make closure reads properties that distinguish absent from null")
    func presence() throws {
        class Base {
            let title: Presence<String>

            init(_ title: Presence<String>) { self.title = title }
        }
        final class Leaf: Base {}
        let bases = MappingSchema<Base> {
            MappingField(\.title, "title")
        } make: { values in
            Base(values[\.title])
        }
        let leaves = MappingSchema<Leaf> {
            bases.inherited { $0 }
        } make: { values in
            Leaf(values[inherited: \Base.title])
        }
        for (json, title) in [(["title": "a"], .value("a")), (["title": nil], .null), ([:], .absent)] as [(JSON, Presence<String>)] {
            #expect(try bases.decode(json).title == title)
            #expect(try leaves.decode(json).title == title)
        }
    }

    @Test func makeReadsFieldsOfAPart() throws {
        let parts = MappingSchema(creating: Base()) {
            MappingField(\.id, "id")
            MappingField(\.site, "site")
        }
        let wholes = MappingSchema<Whole> {
            parts.inherited(at: \.base)
            MappingField(\.note, "note")
        } make: { values in
            Whole(base: Base(id: try values[\.base.id], site: values[\.base.site]), note: try values[\.note])
        }
        #expect(try wholes.decode(["id": 7, "site": "s", "note": "n"]) == Whole(base: Base(id: 7, site: "s"), note: "n"))
        #expect(try wholes.decode(["id": 7, "note": "n"]) == Whole(base: Base(id: 7), note: "n"))
    }
}
