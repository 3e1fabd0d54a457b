import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Values and checks that the tests of the document model share.
enum ModelSupport {
    /// One value of each shape, to test shapes that a property does not accept.
    static let shapes: [JSON] = [
        nil, true, 17, 1.5, "text", [], [1], [nil], ["a", 1], [[]], [:], ["x": 1], ["data": 1, "type": nil],
    ]

    /// The members of the object in `text`, in order.
    static func members(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONObject {
        try #require(JSON(parsing: text).object, sourceLocation: sourceLocation)
    }

    /// Whether both have the same text: the same members in the same order, and the same number texts.
    static func expectIdentical(
        _ members: JSONObject, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try self.members(text, sourceLocation: sourceLocation)
        #expect(
            JSON.object(members).isIdentical(to: .object(expected)), "\(members) is not \(text)",
            sourceLocation: sourceLocation)
    }

    /// Checks that a property reads `wire` as `value` and writes it back, keeps all other members in place, removes its member for nil, and
    /// is nil if the member is absent.
    static func check<Lens: MemberLens, Value: Equatable>(
        _ property: WritableKeyPath<Lens, Value?>, _ name: String, wire: JSON, value: Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = JSONObject.Member(name: "@before", value: 1)
        let after: [JSONObject.Member] = [.init(name: "ns:after", value: nil), .init(name: "unknown", value: [1.50])]
        let written = JSONObject.Member(name: name, value: wire)
        let all = JSON.object(JSONObject(members: [before, written] + after))
        let others = JSON.object(JSONObject(members: [before] + after))

        var lens = Lens(members: JSONObject(members: [before, .init(name: name, value: wire)] + after))
        #expect(lens[keyPath: property] == value, "read \(name)", sourceLocation: sourceLocation)
        lens[keyPath: property] = value
        #expect(lens.json.isIdentical(to: all), "written in place: \(lens)", sourceLocation: sourceLocation)
        lens[keyPath: property] = nil
        #expect(lens.json.isIdentical(to: others), "removed: \(lens)", sourceLocation: sourceLocation)
        #expect(lens[keyPath: property] == nil, "absent \(name)", sourceLocation: sourceLocation)
        lens[keyPath: property] = value
        let atEnd = JSON.object(JSONObject(members: [before] + after + [written]))
        #expect(lens.json.isIdentical(to: atEnd), "added at the end: \(lens)", sourceLocation: sourceLocation)
    }

    /// Checks that a property returns nil for every shape that it does not accept.
    static func checkOtherShapes<Lens: MemberLens, Value>(
        _ property: KeyPath<Lens, Value?>, _ name: String, readable: [JSON],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for shape in shapes {
            let lens = Lens(members: [name: shape])
            let isReadable = readable.contains { $0.isIdentical(to: shape) }
            #expect(
                (lens[keyPath: property] != nil) == isReadable, "\(name): \(shape)", sourceLocation: sourceLocation)
            #expect(lens.members[name] == shape, sourceLocation: sourceLocation)
        }
    }

    /// The value after Foundation's encoder and decoder.
    static func recoded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
}
