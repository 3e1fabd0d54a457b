import Foundation
import JSONMapping
import JSONText
import Testing

/// Properties that are absent, null, or a value.
@Suite struct PresenceTests {
    private struct Changes: Codable, Equatable {
        var title: Presence<String> = .absent
        var count: Presence<Int> = .absent
        var rating: Presence<Double> = .absent
        var isDraft: Presence<Bool> = .absent
        var note: Presence<JSON> = .absent
    }

    @Test("A literal is a value")
    func literals() throws {
        let changes = Changes(title: "New", count: 3, rating: 4.5, isDraft: true, note: "x")
        let same = Changes(
            title: .value("New"), count: .value(3), rating: .value(4.5), isDraft: .value(true), note: .value(.string("x")))
        #expect(changes == same)
        #expect(try JSON(parsing: JSONEncoder().encode(Changes(title: "New", rating: 4))) == ["title": "New", "rating": 4])
        let whole: Presence<Double> = 4
        #expect(whole == .value(4.0))
    }
}
