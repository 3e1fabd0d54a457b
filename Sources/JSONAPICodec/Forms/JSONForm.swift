import JSONText

// JSON of any shape.

/// Reads JSON of any shape directly from the tape.
final class JSONPlan: PropertyPlan<JSON> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSON {
        // In an object around it, the links can be as well.
        if place.parent == nil { try session.checkWhole(linkageAt: place.word) }
        return session.json(at: place.word)
    }
}

final class JSONObjectPlan: PropertyPlan<JSONObject> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSONObject {
        try session.checkObject(at: place.word)
        return session.view.isObject(place.word) ? session.object(at: place.word) : JSONObject()
    }
}

final class JSONNumberPlan: PropertyPlan<JSONNumber> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> JSONNumber {
        guard session.view.kind(at: place.word) == .number, case .number(let number) = session.view.json(at: place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "a number")
        }
        return number
    }
}

extension JSONNumber: LeafType {
    static func placeholder(_ number: Int) -> JSONNumber? { JSONNumber(number) }
}

extension EncodingSession {
    /// Writes a JSON tree as a value.
    func writeTree(_ json: JSON, into sink: ValueSink) throws {
        try writeTree(json, into: sink.output, below: sink.wireDepth - sink.output.depth, at: sink.group + sink.path.compactMap(\.token))
    }
}

/// Writes JSON of any shape.
final class JSONTreeWriter<Value>: PropertyWriter<Value> {
    private let tree: (Value) -> JSON

    init(_ tree: @escaping (Value) -> JSON) { self.tree = tree }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(tree(value), into: sink)
    }
}
