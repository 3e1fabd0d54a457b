import JSONText

/// Writes a property's value to an archive and reads it back, without converting it to its external form.
struct Archiving<Value>: Sendable {
    let encode: @Sendable (Value, any Encoder, MappingContext) throws -> Void
    let decode: @Sendable (any Decoder, MappingContext) throws -> Value
    /// Whether a conversion reads the values that were archived, and needs the properties of the instances in them.
    var isConverted = false
}

extension Conversion where Input == JSON {
    /// Archives by the conversion's own archiving if it has one, or else by `Codable`, or else as JSON. A type that only encodes or only
    /// decodes is archived as JSON, so that both directions use the same form.
    var archive: Archiving<Output> {
        archiving
            ?? Archiving(
                encode: { value, encoder, context in
                    var container = encoder.singleValueContainer()
                    if Output.self is any Codable.Type, let value = value as? any Encodable {
                        try container.encode(value)
                    } else {
                        try container.encode(self.encoding(value, context))
                    }
                },
                decode: { decoder, context in
                    let container = try decoder.singleValueContainer()
                    if let type = Output.self as? any Codable.Type, let value = try container.decode(type) as? Output { return value }
                    let json = try container.decode(JSON.self)
                    guard let value = try self.decode(json, context) else { throw MappingIssue.mismatch("\(Output.self)", json) }
                    return value
                })
    }
}

extension Archiving {
    /// Returns the archiving of values that `next` makes from these; nil if they are `Codable` themselves.
    func then<Next>(_ next: Conversion<Value, Next>) -> Archiving<Next>? {
        if Next.self is any Codable.Type { return nil }
        return Archiving<Next>(
            encode: { value, encoder, context in try encode(next.encoding(value, context), encoder, context) },
            decode: { decoder, context in
                let archived = try context.run.graphReader.map { graph in
                    try graph.withProperties(context.nested()) { try decode(decoder, $0) }
                }
                guard let value = try next.decode(archived ?? decode(decoder, context), context) else {
                    throw MappingIssue(.conversionFailed, expected: "\(Next.self)", found: "an archived value that has none")
                }
                return value
            }, isConverted: true)
    }

    static func list<Element>(_ element: Conversion<JSON, Element>) -> Self where Value == [Element] {
        let archive = element.archive
        return Archiving(
            encode: { values, encoder, context in
                var container = encoder.unkeyedContainer()
                for value in values { try archive.encode(value, container.superEncoder(), context) }
            },
            decode: { decoder, context in
                var container = try decoder.unkeyedContainer()
                var values: [Element] = []
                while !container.isAtEnd { values.append(try archive.decode(container.superDecoder(), context)) }
                return values
            }, isConverted: archive.isConverted)
    }

    static func dictionary<Element>(_ element: Conversion<JSON, Element>) -> Self where Value == [String: Element] {
        let archive = element.archive
        return Archiving(
            encode: { values, encoder, context in
                if JSONObject.renamesKeys(type(of: encoder)) {
                    // A dictionary, so that no key strategy renames its keys.
                    let elements = values.mapValues { value in WrittenElement { try archive.encode(value, $0, context) } }
                    var container = encoder.singleValueContainer()
                    return try container.encode(elements)
                }
                var container = encoder.container(keyedBy: NameKey.self)
                for name in values.keys.sorted(by: UTF8Bytes.isLess) {
                    guard let value = values[name] else { continue }
                    try archive.encode(value, container.superEncoder(forKey: NameKey(name)), context)
                }
            },
            decode: { decoder, context in
                if JSONObject.renamesKeys(type(of: decoder)) {
                    var elements: [Element] = []
                    let reader = ReadElement.Reader {
                        elements.append(try archive.decode($0, context))
                        return elements.count - 1
                    }
                    let positions = try ReadElement.$reader.withValue(reader) {
                        try decoder.singleValueContainer().decode([String: ReadElement].self)
                    }
                    return positions.mapValues { elements[$0.position] }
                }
                let container = try decoder.container(keyedBy: NameKey.self)
                var values: [String: Element] = [:]
                for key in container.allKeys {
                    values[key.stringValue] = try archive.decode(container.superDecoder(forKey: key), context)
                }
                return values
            }, isConverted: archive.isConverted)
    }

    static func nullable<Wrapped>(_ wrapped: Conversion<JSON, Wrapped>) -> Self where Value == Wrapped? {
        let archive = wrapped.archive
        return Archiving(
            encode: { value, encoder, context in
                if let value {
                    try archive.encode(value, encoder, context)
                } else {
                    var container = encoder.singleValueContainer()
                    try container.encodeNil()
                }
            },
            decode: { decoder, context in
                if try decoder.singleValueContainer().decodeNil() { return nil }
                return try archive.decode(decoder, context)
            }, isConverted: archive.isConverted)
    }
}

/// An element of a dictionary that is written.
private struct WrittenElement: Encodable {
    let write: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try write(encoder) }
}

/// An element of a dictionary that is read: its position among the elements that a reader has read.
private struct ReadElement: Decodable {
    /// Reads an element, keeps it, and returns its position.
    ///
    /// `@unchecked Sendable`: it is only used by the call that creates it, on its thread.
    struct Reader: @unchecked Sendable {
        let read: (any Decoder) throws -> Int
    }

    /// The reader of the innermost dictionary. `Decodable` has no other way to pass it to the elements.
    @TaskLocal static var reader: Reader?

    let position: Int

    init(from decoder: any Decoder) throws {
        guard let reader = Self.reader else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "An element was read outside of its dictionary."))
        }
        position = try reader.read(decoder)
    }
}

/// A coding key with any name.
struct NameKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
