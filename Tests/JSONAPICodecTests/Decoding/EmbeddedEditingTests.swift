import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Edits of arrays of embedded resources, of which the program does not see all links.
@Suite struct EmbeddedEditingTests {
    private struct Owner: Resource, Equatable {
        static let type = "owners"
        var id: String?
        var name: String?
    }
    private struct Pet: Resource {
        static let type = "pets"
        var id: String
        @Embedded<ToMany<Owner>> var owners: [Owner]? = nil
    }

    private let encoder = JSONAPIEncoder()

    private func pet(_ relationship: String, included: [String] = [], omits: Bool = false) throws -> Pet {
        var decoder = JSONAPIDecoder()
        if omits { decoder.missingResources = .omit }
        let resources = included.map { #"{"type":"owners","id":"\#($0)","attributes":{"name":"n\#($0)"}}"# }.joined(separator: ",")
        let data = #"{"type":"pets","id":"1","relationships":{"owners":\#(relationship)}}"#
        return try decoder.decode(Pet.self, from: Data(#"{"data":\#(data),"included":[\#(resources)]}"#.utf8))
    }

    private func linkage(_ ids: String...) -> String {
        let identifiers = ids.map { #"{"type":"owners","id":"\#($0)"}"# }
        return #"{"data":[\#(identifiers.joined(separator: ","))]}"#
    }

    /// The ids that a patch sends; nil when it is empty.
    private func sent(_ patch: Patch<Pet>) throws -> [String]? {
        if patch.isEmpty { return nil }
        let data = try JSON(parsing: encoder.encode(patch))["data"]?["relationships"]?["owners"]?["data"]
        return data?.array?.compactMap { $0["id"]?.string }
    }

    @Test("What was appended to a relationship that is not loaded does not become the whole of it")
    func partOfAList() throws {
        let pet = try pet(#"{"links":{"related":"/x"}}"#)
        var edited = pet
        edited.$owners.append(Owner(id: "7"))
        #expect(edited.owners == nil && edited.$owners.allValues == nil && edited.$owners.values.map(\.id) == ["7"])
        edited.owners?[0].name = "x"
        edited.owners?.sort { ($0.id ?? "") < ($1.id ?? "") }
        #expect(throws: EncodingError.self) { try sent(Patch(from: pet, to: edited)) }
        edited = pet
        edited.$owners.remove(ResourceIdentifier(type: "owners", id: "9"))
        edited.owners?.removeAll { $0.name == nil }
        #expect(throws: EncodingError.self) { try sent(Patch(from: pet, to: edited)) }
    }

    @Test("A resource without an id stays in the array, and encoding throws until it has one")
    func withoutID() throws {
        let pet = try pet(linkage("1"), included: ["1"])
        var edited = pet
        edited.owners?.append(Owner(id: nil, name: "new"))
        edited.owners?[0].name = "edited"
        #expect(edited.owners?.map(\.name) == ["edited", "new"])
        #expect(throws: EncodingError.self) { try sent(Patch(from: pet, to: edited)) }
        edited.owners?.append(Owner(id: "5"))
        edited.owners?.sort { ($0.name ?? "") < ($1.name ?? "") }
        #expect(edited.owners?.map(\.name) == [nil, "edited", "new"])
        #expect(throws: EncodingError.self) { try sent(Patch(from: pet, to: edited)) }
        edited.owners?[2].id = "6"
        #expect(try sent(Patch(from: pet, to: edited)) == ["5", "1", "6"])
        let replaced = pet.patch {
            $0.owners = [Owner(id: nil, name: "x")]
            $0.owners?.sort { ($0.name ?? "") < ($1.name ?? "") }
        }
        #expect(throws: EncodingError.self) { try sent(replaced) }
    }

    @Test("An edit of the visible resources keeps the links that the decoder left out")
    func leftOut() throws {
        let hidden = try pet(linkage("404", "405"), omits: true)
        #expect(hidden.owners == [])
        #expect(try sent(hidden.patch { $0.owners = $0.owners }) == nil)
        #expect(try sent(hidden.patch { $0.owners?.sort { ($0.id ?? "") < ($1.id ?? "") } }) == nil)
        #expect(try sent(hidden.patch { $0.owners?.removeAll { $0.name == "spam" } }) == nil)
        #expect(try sent(hidden.patch { $0.owners?.append(Owner(id: "1")) }) == ["404", "405", "1"])
        let mixed = try pet(linkage("1", "404"), included: ["1"], omits: true)
        #expect(try sent(mixed.patch { $0.owners?.removeAll { $0.id == "1" } }) == ["404"])
        #expect(try sent(mixed.patch { $0.owners = [] }) == [])
        #expect(try sent(mixed.patch { $0.owners = [Owner(id: "2")] }) == ["2", "404"])
    }

    private static let unknown = [
        #"{"data":[{"type":"owners","id":"1"},{"type":"owners","id":"2"}]}"#, #"{"links":{"related":"/x"}}"#,
        #"{"links":{"next":"/x"},"data":[{"type":"owners","id":"1"}]}"#,
    ]

    @Test("A patch refuses an array that was assigned in place of nil", arguments: unknown, [false, true])
    func assigned(_ relationship: String, omits: Bool) throws {
        // With `omit`, the array lacks only what the property remembers.
        if omits, relationship == Self.unknown[0] { return }
        let pet = try pet(relationship, included: ["1"], omits: omits)
        #expect(pet.owners == nil)
        func refuses(_ edit: (inout Pet) -> Void) throws {
            let patch = pet.patch(edit)
            let failure = encodingFailure { _ = try encoder.encode(patch) }
            #expect(failure?.pointer == JSONPointer("data", "relationships", "owners"))
            #expect(failure?.advice?.contains("$owners = ToMany(…)") == true)
        }
        try refuses { $0.owners = ($0.owners ?? []) + [Owner(id: "7")] }
        try refuses {
            $0.owners = [Owner(id: "7")]
            $0.owners?.append(Owner(id: "8"))
            $0.$owners.append(Owner(id: "9"))
        }
        try refuses {
            $0.owners = [Owner(id: "7")]
            $0.owners?.removeAll { $0.id == "7" }
        }
        try refuses {
            $0.owners = [Owner(id: "7")]
            $0.owners = nil
            $0.owners = [Owner(id: "8")]
        }
        #expect(try sent(pet.patch { $0.owners = [] }) == [])
        #expect(try sent(pet.patch { $0.$owners = ToMany([Owner(id: "7")]) }) == ["7"])
        let cleared = pet.patch {
            $0.owners = [Owner(id: "7")]
            $0.$owners.identifiers = []
        }
        #expect(try sent(cleared) == [])
        var edited = pet
        edited.owners = [Owner(id: "7")]
        #expect(edited.owners?.map(\.id) == ["7"])
        #expect(try sent(Patch(from: edited, to: edited)) == nil)
        var whole = edited
        whole.$owners = ToMany([Owner(id: "7")])
        #expect(try sent(Patch(from: edited, to: whole)) == ["7"])
        let written = try JSON(parsing: encoder.encode(edited))["data"]?["relationships"]?["owners"]
        #expect(written?["data"] == [["type": "owners", "id": "7"]] && written?.object?.contains(name: "@page") == false)
        #expect(throws: EncodingError.self) { try encoder.encode(Patch<Pet>(id: "1").set(\.$owners, edited.$owners)) }
        #expect(Relationship("owners", edited.$owners)?.data == .absent)
    }

    @Test("A stored mark of an assigned array is read again, and the failure names the property")
    func assignedAndStored() throws {
        struct Zoo: Resource {
            static let type = "zoos"
            var id: String
            @Embedded<ToMany<Owner>> var formerOwners: [Owner]?
        }
        let text = """
            {"data":{"type":"zoos","id":"1","relationships":{"former-owners":{"data":[{"type":"owners","id":"7"}],"@page":false}}},
            "included":[{"type":"owners","id":"7"}]}
            """
        var (decoder, encoder) = (JSONAPIDecoder(), JSONAPIEncoder())
        (decoder.keyStrategy, encoder.keyStrategy) = (.kebabCase, .kebabCase)
        let zoo = try decoder.decode(Zoo.self, from: Data(text.utf8))
        #expect(zoo.formerOwners?.map(\.id) == ["7"])
        let written = try JSON(parsing: encoder.encode(zoo))["data"]?["relationships"]?["former-owners"]
        #expect(written == ["data": [["type": "owners", "id": "7"]]])
        let failure = encodingFailure { _ = try encoder.encode(zoo.patch { $0.formerOwners?.append(Owner(id: "8")) }) }
        #expect(failure?.advice?.contains("`$formerOwners = ToMany(…)`") == true)
        let whole = try JSON(parsing: encoder.encode(zoo.patch { $0.$formerOwners = ToMany([Owner(id: "8")]) }))
        #expect(whole["data"]?["relationships"] == ["former-owners": ["data": [["type": "owners", "id": "8"]]]])
        encoder.keyStrategy = .custom { $0 == "formerOwners" ? "former-owners" : $0 }
        let other = encodingFailure { _ = try encoder.encode(zoo.patch { $0.formerOwners?.append(Owner(id: "8")) }) }
        #expect(other?.advice?.contains("`$property = ToMany(…)`") == true)
    }

    @Test("A patch refuses an array for a relationship that a document did not mention, and sends it for a model that was made")
    func assignedToNew() throws {
        let read = try JSONAPIDecoder().decode(Pet.self, from: Data(#"{"data":{"type":"pets","id":"1"}}"#.utf8))
        #expect(throws: EncodingError.self) { try sent(read.patch { $0.owners = [Owner(id: "7")] }) }
        #expect(try sent(Patch(from: read, to: Pet(id: "1", owners: [Owner(id: "7")]))) == ["7"])
        var made = Pet(id: "1")
        #expect(try sent(made.patch { $0.owners = [Owner(id: "7")] }) == ["7"])
        made = read
        made.owners = [Owner(id: "7")]
        let created = try JSON(parsing: encoder.encode(Create(made)))["data"]?["relationships"]?["owners"]
        #expect(created == ["data": [["type": "owners", "id": "7"]]])
        #expect(try sent(Patch<Pet>(id: "1").set(\.owners, [Owner(id: "7")])) == ["7"])
    }

    private struct Tag: Resource, Equatable {
        static let type = "tags"
        var id: UUID
        var name: String
    }
    private struct Note: Resource {
        static let type = "notes"
        var id: String
        @Embedded<ToMany<Tag>> var tags: [Tag]? = nil
    }

    @Test("An edit keeps the identifiers of UUIDs as the server writes them, with their meta")
    func identifiers() throws {
        let id = "aaaaaaaa-0000-4000-8000-000000000001"
        let text = """
            {"data":{"type":"notes","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"\(id)","meta":{"rank":1}}]}}},
             "included":[{"type":"tags","id":"\(id)","attributes":{"name":"n"}}]}
            """
        let document = try JSONAPIDecoder().decode(Document<Note>.self, from: Data(text.utf8))
        let note = document.data
        let patch = note.patch { $0.tags?[0].name = "edited" }
        #expect(patch.isEmpty)
        var edited = document
        edited.data.tags?[0].name = "edited"
        let written = try JSON(parsing: encoder.encode(edited, include: ["tags"]))
        #expect(written["included"]?.array?.compactMap { $0["id"]?.string } == [id])
        #expect(written["included"]?[0]?["attributes"] == ["name": "edited"])
        let upper = ResourceIdentifier(type: "tags", id: id.uppercased())
        #expect(note.$tags.value(for: upper)?.name == "n" && edited.data.$tags.value(for: upper)?.name == "edited")
        let lower = ResourceIdentifier(type: "tags", id: id)
        #expect(edited.data.$tags.value(for: lower)?.name == "edited")
    }
}
