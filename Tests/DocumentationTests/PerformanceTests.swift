import Foundation
import JSONAPICodec
import JSONText
import Testing

private struct Place {
    var latitude: Double
    var longitude: Double
}

extension Place {
    init(_ resource: ResourceView) throws {
        (latitude, longitude) = try resource.attribute("position") { position in
            (try position.member("lat"), try position.member("long"))
        }
    }
}

@Suite("The article Performance")
struct PerformanceTests {
    struct Station: DirectResource {
        static let type = "stations"
        var id: String
        fileprivate var place: Place

        init(resource: ResourceView) throws {
            id = try resource.id()
            place = try Place(resource)
        }
        init(from decoder: any Decoder) throws { throw CancellationError() }
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    struct Reading: DirectResource {
        static let type = "readings"
        var id: String
        var value: Double
        var takenAt: Date
        var note: String?
        var station: ToOne<Station>

        init(resource: ResourceView) throws {
            id = try resource.id()
            value = try resource.attribute("value")
            takenAt = try resource.attribute("takenAt")
            note = try resource.attributeIfPresent("note")
            station = try resource.relationship("station")
        }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("value", value)
            try resource.attribute("takenAt", takenAt)
            try resource.attribute("note", note)
            try resource.relationship("station", station)
        }
    }

    @Test("Direct initializers and writers")
    func direct() throws {
        let text = #"""
            {"data":{"type":"readings","id":"1","attributes":{"value":1.5,"takenAt":"2031-05-09T07:30:00Z"},
                     "relationships":{"station":{"data":{"type":"stations","id":"7"}}}},
             "included":[{"type":"stations","id":"7","attributes":{"position":{"lat":-26.6,"long":15.1}}}]}
            """#
        let reading = try JSONAPIDecoder().decode(Reading.self, from: Data(text.utf8))
        #expect(reading.station.value?.place.latitude == -26.6 && reading.note == nil)
        let written = try JSON(parsing: JSONAPIEncoder().encode(reading, include: .none))
        #expect(try written["data"] == JSON(parsing: text)["data"])
    }
}
