import Foundation
import JSONMapping
import JSONText

/// How a property of one Swift type is written into a resource object. One instance per type and session.
///
/// The base class writes attributes; relationships and markers override where to.
class PropertyWriter<Value> {
    /// Whether the property is an attribute. A nil of another kind is never written.
    var writesAttributes: Bool { true }

    /// Writes a plain JSON value, wherever it stands.
    func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        throw session.failure(
            .wrongPlace, in: sink, expected: "a plain value",
            found: "\(Value.self), which stands for a relationship or a part of a resource",
            advice: "declare it as a property of the resource itself")
    }

    /// Writes what clears the property, where a patch compares values: nothing, for what nil does not clear.
    func writeCleared(_ session: EncodingSession, as name: KnownName) throws {}

    /// Writes the property `name` of the current resource.
    func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        guard try session.beginAttribute(name) else { return }
        let sink = session.sink
        let depth = sink.depth
        _ = sink.open(.name(name.text))
        do {
            try write(value, session, sink)
        } catch {
            sink.abandon(to: depth)
            throw error
        }
        sink.closeSilently()
    }
}

/// Any `Encodable` type, through its own `encode(to:)`.
final class CodableWriter<Value: Encodable>: PropertyWriter<Value> {
    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.nest()
        defer { session.unnest() }
        let depth = sink.depth
        let id = sink.open(.same)
        do {
            try value.encode(to: ValueEncoder(session, sink, id))
        } catch {
            sink.abandon(to: depth)
            throw error
        }
        sink.close()
    }
}

/// An optional that is written as such: null, or what it holds.
final class OptionalWriter<Wrapped>: PropertyWriter<Wrapped?> {
    private let wrapped: PropertyWriter<Wrapped>

    init(_ wrapped: PropertyWriter<Wrapped>) { self.wrapped = wrapped }

    override var writesAttributes: Bool { wrapped.writesAttributes }

    override func write(_ value: Wrapped?, _ session: EncodingSession, _ sink: ValueSink) throws {
        if let value { try wrapped.write(value, session, sink) } else { sink.output.null() }
    }

    override func write(_ value: Wrapped?, _ session: EncodingSession, as name: KnownName) throws {
        if let value { return try wrapped.write(value, session, as: name) }
        if wrapped.writesAttributes, try session.beginAttribute(name) { session.output.null() }
    }
}

/// The null of a `Field`.
final class StatedNullWriter<Value: Encodable>: PropertyWriter<StatedNull<Value>> {
    override func write(_ value: StatedNull<Value>, _ session: EncodingSession, _ sink: ValueSink) throws { sink.output.null() }

    override func write(_ value: StatedNull<Value>, _ session: EncodingSession, as name: KnownName) throws {
        if session.writer(for: Value.self).writesAttributes {
            if try session.beginAttribute(name) { session.output.null() }
        } else {
            try session.writeEmptyToOne(name)
        }
    }
}

// MARK: - Scalars

/// A scalar that is written through a generic type.
final class ScalarWriter<Value: WritableScalar>: PropertyWriter<Value> {
    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try value.write(session, sink)
    }
}

/// A Swift type that is one JSON scalar.
protocol WritableScalar: Encodable {
    /// Writes a value for which JSON has a form.
    func write(_ output: JSONOutput) throws
    /// Whether JSON has a form for the value.
    var isRepresentable: Bool { get }
    /// The value as a double, where JSON has no form for it.
    var unusual: Double { get }
}

extension WritableScalar {
    @inline(__always)
    var isRepresentable: Bool { true }

    @inline(__always)
    var unusual: Double { 0 }

    /// Writes any value.
    @inline(__always)
    func write(_ session: EncodingSession, _ sink: ValueSink) throws {
        if isRepresentable { try write(sink.output) } else { try session.writeUnusual(unusual, sink) }
    }
}

extension String: WritableScalar {
    @inline(__always)
    func write(_ output: JSONOutput) { output.string(self) }
}

extension Bool: WritableScalar {
    @inline(__always)
    func write(_ output: JSONOutput) { output.bool(self) }
}

extension Double: WritableScalar {
    @inline(__always)
    var isRepresentable: Bool { isFinite }

    @inline(__always)
    var unusual: Double { self }

    @inline(__always)
    func write(_ output: JSONOutput) throws { try output.double(self) }
}

extension Float: WritableScalar {
    @inline(__always)
    var isRepresentable: Bool { isFinite }

    @inline(__always)
    var unusual: Double { Double(self) }

    @inline(__always)
    func write(_ output: JSONOutput) throws { try output.float(self) }
}

extension WritableScalar where Self: BinaryInteger {
    @inline(__always)
    func write(_ output: JSONOutput) { output.integer(self) }
}

extension Int: WritableScalar {}
extension Int8: WritableScalar {}
extension Int16: WritableScalar {}
extension Int32: WritableScalar {}
extension Int64: WritableScalar {}
extension UInt: WritableScalar {}
extension UInt8: WritableScalar {}
extension UInt16: WritableScalar {}
extension UInt32: WritableScalar {}
extension UInt64: WritableScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: WritableScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: WritableScalar {}

extension EncodingSession {
    /// Infinities and NaN, by the strategy.
    @inline(never)
    fileprivate func writeUnusual(_ value: Double, _ sink: ValueSink) throws {
        guard case .convertToString(let positive, let negative, let nan) = options.nonConformingFloatEncodingStrategy else {
            throw failure(
                .notRepresentable, in: sink, expected: "a finite number", found: value.isNaN ? "NaN" : "an infinity",
                advice: "choose a nonConformingFloatEncodingStrategy")
        }
        sink.output.string(value.isNaN ? nan : value > 0 ? positive : negative)
    }
}
