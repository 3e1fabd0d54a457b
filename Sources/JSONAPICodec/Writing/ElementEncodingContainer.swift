import JSONText

/// The unkeyed container of a JSON array.
struct ElementEncodingContainer: UnkeyedEncodingContainer {
    private let encoder: ValueEncoder
    /// The number of elements when the value ended.
    private var known = 0

    /// The number of elements in the array, including those written through another container of it.
    var count: Int { encoder.isCurrent ? sink.count : known }

    /// - Parameter encoder: The encoder of an array.
    init(_ encoder: ValueEncoder) { self.encoder = encoder }

    private var session: EncodingSession { encoder.session }
    private var sink: ValueSink { encoder.sink }
    var codingPath: [any CodingKey] { encoder.codingPath }

    @inline(__always)
    private mutating func begin() throws {
        guard encoder.isCurrent else { throw session.misuse(sink) }
        sink.countElement()
        known = sink.count
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws { try general(value) }

    private mutating func general<Value: Encodable>(_ value: Value) throws {
        let index = count
        try session.edge {
            try begin()
            try session.write(value, as: .index(index), in: sink)
        }
    }

    @inline(__always)
    private mutating func scalar<Value: Scalar>(_ value: Value) throws {
        guard value.isRepresentable else { return try general(value) }
        try session.edge {
            try begin()
            try value.write(sink.output)
        }
    }

    mutating func encodeNil() throws {
        try session.edge {
            try begin()
            sink.output.null()
        }
    }

    // MARK: - Containers inside

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nestedEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nestedEncoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { nestedEncoder() }

    private mutating func nestedEncoder() -> ValueEncoder {
        guard encoder.isCurrent else { return .closed(session) }
        let encoder = session.nestedEncoder(.index(count), in: sink)
        sink.countElement()
        known = sink.count
        return encoder
    }

    // MARK: - Scalars

    @inline(__always)
    mutating func encode<Value: Scalar>(_ value: Value) throws { try scalar(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws { try scalar(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws { try scalar(value) }
}
