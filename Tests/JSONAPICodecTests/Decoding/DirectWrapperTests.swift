import Foundation
import JSONMapping
import JSONText
import Testing

@testable import JSONAPICodec

/// A direct initializer reads property wrappers as `Codable` does, and a direct writer writes them so.
@Suite struct DirectWrapperTests {
    private enum Latitude: PathSource {
        typealias Value = Double
        static let path: MappingPath = "lat"
    }

    private struct Place: Resource {
        static let type = "places"
        var id: String
        @NestedIfPresent<Latitude> var north: Double?
        @DateFormatIfPresent<DateLayouts.Day> var opened: Date?
        @LossyArray var sizes: [Int]
        @LossyDictionary var counts: [String: Int]
    }

    private struct DirectPlace: DirectResource {
        static let type = "places"
        var id: String
        @NestedIfPresent<Latitude> var north: Double?
        @DateFormatIfPresent<DateLayouts.Day> var opened: Date?
        @LossyArray var sizes: [Int]
        @LossyDictionary var counts: [String: Int]

        init(resource: ResourceView) throws {
            id = try resource.id()
            _north = try resource.attribute("north")
            _opened = try resource.attribute("opened")
            _sizes = try resource.attribute("sizes")
            _counts = try resource.attribute("counts")
        }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("north", _north)
            try resource.attribute("opened", _opened)
            try resource.attribute("sizes", _sizes)
            try resource.attribute("counts", _counts)
        }
    }

    @Test(arguments: [
        "{}", #"{"north":null,"opened":null,"sizes":null,"counts":null}"#,
        #"{"north":{"lat":5.5},"opened":"2026-11-26","sizes":[1,"two",3],"counts":{"a":1,"b":"two"}}"#, #"{"north":{"lat":null}}"#,
    ])
    func valuesAndTextsAreThoseOfCodable(attributes: String) throws {
        let text = Data(#"{"data":{"type":"places","id":"1","attributes":\#(attributes)}}"#.utf8)
        let place = try JSONAPIDecoder().decode(Place.self, from: text)
        let direct = try JSONAPIDecoder().decode(DirectPlace.self, from: text)
        #expect(direct.north == place.north && direct.opened == place.opened)
        #expect(direct.sizes == place.sizes && direct.counts == place.counts)
        var encoder = JSONAPIEncoder()
        for strategy in [JSONAPIEncoder.NilEncodingStrategy.omit, .null] {
            encoder.nilEncodingStrategy = strategy
            let written = try String(decoding: encoder.encode(direct), as: UTF8.self)
            #expect(try written == String(decoding: encoder.encode(place), as: UTF8.self))
        }
    }

    @Test("A wrapper takes no relationship of its name for nothing", arguments: ["north", "opened", "sizes", "counts"])
    func relationshipOfTheName(name: String) throws {
        let text = Data(#"{"data":{"type":"places","id":"1","relationships":{"\#(name)":{"data":null}}}}"#.utf8)
        for mode in [JSONAPIDecoder.Mode.standard, .strict] {
            let decoder = JSONAPIDecoder(mode: mode)
            let failure = (#expect(throws: DecodingError.self) { try decoder.decode(Place.self, from: text) })?.failure
            let direct = (#expect(throws: DecodingError.self) { try decoder.decode(DirectPlace.self, from: text) })?.failure
            #expect(direct == failure && direct?.advice?.contains("`\(name)` is a relationship") == true)
        }
        #expect(try JSONAPIDecoder(mode: .lenient).decode(DirectPlace.self, from: text).sizes.isEmpty)
    }

    private struct Inner: Codable {
        var note: Field<String>
        @Lossy var height: Int?
        @EmptyAsNil var closed: String?
        @NestedIfPresent<Latitude> var north: Double?
        @DateFormatIfPresent<DateLayouts.Day> var opened: Date?
        @Default<Defaults.True> var isOpen: Bool
        @LossyArray var sizes: [Int]

        init(object: ObjectView) throws {
            note = try object.member("note")
            _height = try object.member("height")
            _closed = try object.member("closed")
            _north = try object.member("north")
            _opened = try object.member("opened")
            _isOpen = try object.member("isOpen")
            _sizes = try object.member("sizes")
        }

        func write(to object: ObjectWriter) throws {
            try object.member("note", note)
            try object.member("height", _height)
            try object.member("closed", _closed)
            try object.member("north", _north)
            try object.member("opened", _opened)
            try object.member("isOpen", _isOpen)
            try object.member("sizes", _sizes)
        }
    }

    private struct Holder: Resource {
        static let type = "holders"
        var id: String
        var inner: Inner
    }

    private struct DirectHolder: DirectResource {
        static let type = "holders"
        var id: String
        var inner: Inner

        init(resource: ResourceView) throws {
            id = try resource.id()
            inner = try resource.attribute("inner") { try Inner(object: $0) }
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("inner") { try inner.write(to: $0) } }
    }

    @Test(
        "In an object, a wrapper reads and writes what is missing as Codable does",
        arguments: [
            "{}", #"{"note":null,"height":null,"closed":null,"north":null,"opened":null,"isOpen":null}"#,
            #"{"note":"a","height":"x","closed":"","north":{"lat":5.5},"opened":"2026-11-26","isOpen":false,"sizes":[1]}"#,
        ])
    func members(inner: String) throws {
        let text = Data(#"{"data":{"type":"holders","id":"1","attributes":{"inner":\#(inner)}}}"#.utf8)
        let holder = try JSONAPIDecoder().decode(Holder.self, from: text)
        let direct = try JSONAPIDecoder().decode(DirectHolder.self, from: text)
        #expect(direct.inner.note == holder.inner.note && direct.inner.height == holder.inner.height)
        #expect(direct.inner.isOpen == holder.inner.isOpen && direct.inner.sizes == holder.inner.sizes)
        #expect(try JSONAPIEncoder().encode(direct) == JSONAPIEncoder().encode(holder))
    }

    @Test("A field of an object that a direct writer leaves out stays as it is in a patch")
    func absentMember() throws {
        let text = Data(#"{"data":{"type":"holders","id":"1","attributes":{"inner":{"note":"a"}}}}"#.utf8)
        let direct = try JSONAPIDecoder().decode(DirectHolder.self, from: text)
        #expect(direct.patch { $0.inner.note = .absent }.isEmpty)
    }

    private struct Box<Value: Codable & Sendable>: Resource {
        static var type: String { "boxes" }
        var id: String
        var value: Value
    }

    @Test("Nor does generic code")
    func relationshipInGenericCode() {
        let text = Data(#"{"data":{"type":"boxes","id":"1","relationships":{"value":{"data":null}}}}"#.utf8)
        func check<Value: Codable & Sendable>(_: Value.Type) {
            #expect(throws: DecodingError.self, "\(Value.self)") { try JSONAPIDecoder().decode(Box<Value>.self, from: text) }
        }
        check(LossyArray<Int>.self)
        check(LossyDictionary<Int>.self)
        check(NestedIfPresent<Latitude>.self)
        check(RemainingMembers.self)
    }

    private struct Scores: Resource {
        static let type = "scores"
        var id: String
        @LossyArray var points: [Int?]
        @LossyArray var values: [JSON]
        @LossyDictionary var named: [String: Int?]
    }

    @Test("A null that the elements of a lossy array or dictionary can be is one of them")
    func nullElements() throws {
        let members = #""points":[1,null,"x",2],"values":[null,1],"named":{"a":null,"b":1,"c":"x"}"#
        let text = Data(#"{"data":{"type":"scores","id":"1","attributes":{\#(members)}}}"#.utf8)
        let scores = try JSONAPIDecoder().decode(Scores.self, from: text)
        #expect(scores.points == [1, nil, 2] && scores.values == [.null, 1] && scores.named == ["a": nil, "b": 1])
        #expect(try JSON(parsing: JSONAPIEncoder().encode(scores)) == JSON(parsing: text))
    }

    /// Wrappers around types that have a value for null.
    private struct Tally: Resource {
        static let type = "tallies"
        var id: String
        var points: Lossy<LossyArray<Int>>
        var total: Lossy<Default<Defaults.Zero<Int>>>
        var state: Lossy<Presence<Int>>
        var inner: Part

        struct Part: Codable {
            var points: Lossy<LossyArray<Int>>
            var total: Lossy<Default<Defaults.Zero<Int>>>

            init(object: ObjectView) throws {
                points = try object.member("points")
                total = try object.member("total")
            }
        }
    }

    private struct DirectTally: DirectResource {
        static let type = "tallies"
        var id: String
        var points: Lossy<LossyArray<Int>>
        var total: Lossy<Default<Defaults.Zero<Int>>>
        var state: Lossy<Presence<Int>>
        var inner: Tally.Part

        init(resource: ResourceView) throws {
            id = try resource.id()
            points = try resource.attribute("points")
            total = try resource.attribute("total")
            state = try resource.attribute("state")
            inner = try resource.attribute("inner") { try Tally.Part(object: $0) }
        }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("points", points)
            try resource.attribute("total", total)
            try resource.attribute("state", state)
            try resource.attribute("inner", inner)
        }
    }

    @Test("The null of a lossy property is nil, also for a type that has a value for null")
    func lossyNull() throws {
        let inner = #""inner":{"points":null,"total":null}"#
        let text = Data(
            #"{"data":{"type":"tallies","id":"1","attributes":{"points":null,"total":null,"state":null,\#(inner)}}}"#.utf8)
        let tally = try JSONAPIDecoder().decode(Tally.self, from: text)
        let direct = try JSONAPIDecoder().decode(DirectTally.self, from: text)
        #expect(direct.points.wrappedValue == nil && direct.total.wrappedValue == nil)
        #expect(direct.state.wrappedValue == .null && tally.state.wrappedValue == .null)
        #expect(direct.inner.points.wrappedValue == nil && direct.inner.total.wrappedValue == nil)
        let written = try JSONAPIEncoder().encode(direct)
        #expect(try JSON(parsing: written)["data"]?["attributes"] == ["state": nil, "inner": [:]])
        #expect(try written == JSONAPIEncoder().encode(tally))
    }
}
