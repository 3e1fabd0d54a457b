import Foundation
import JSONAPICodec
import Testing

/// In documents with many resources, identifiers are looked up in groups. Each must resolve to its own resource.
@Suite struct ManyResourcesTests {
    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Team: Resource, Equatable {
        static let type = "teams"
        var id: String
        var lead: Person?
        var members: [Person] = []
    }

    @Test("Identifiers resolve to one, several, or no references", arguments: [4_000, 4_096, 4_097, 20_000])
    func many(_ count: Int) throws {
        let ids = (0..<count).map { $0 % 7 == 0 ? "\($0)-\\u0061-long-enough-to-be-elsewhere" : "\($0)" }
        func identifier(_ number: Int) -> String { #"{"type":"people","id":"\#(number < count ? ids[number] : "gone-\(number)")"}"# }
        let teams = (0..<(count / 4)).map { number in
            let lead = number % 5 == 0 ? "null" : identifier(number % 10)
            // Each person once, some several times, and one in eight missing.
            let members = (0..<4).map { identifier(number % 2 == 0 && $0 == 3 ? count + number : number * 4 + $0) }
            return #"{"type":"teams","id":"\#(number)","relationships":{"lead":{"data":\#(lead)},"#
                + #""members":{"data":[\#(members.joined(separator: ","))]}}}"#
        }
        let people = ids.enumerated().map { #"{"type":"people","id":"\#($1)","attributes":{"name":"name \#($0)"}}"# }
        let text = #"{"data":[\#(teams.joined(separator: ","))],"included":[\#(people.joined(separator: ","))]}"#
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let decoded = try decoder.decode([Team].self, from: Data(text.utf8))
        func person(_ number: Int) -> Person {
            Person(id: number % 7 == 0 ? "\(number)-a-long-enough-to-be-elsewhere" : "\(number)", name: "name \(number)")
        }
        let expected = (0..<(count / 4)).map { number in
            Team(
                id: "\(number)", lead: number % 5 == 0 ? nil : person(number % 10),
                members: (0..<4).filter { number % 2 != 0 || $0 != 3 }.map { person(number * 4 + $0) })
        }
        #expect(decoded == expected)
    }
}
