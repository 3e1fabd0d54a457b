import Foundation
import JSONText

/// A scalar that is stored in the value itself and converted by a strict preset: read and written without generic code.
///
/// Fields are generic, and the compiler cannot specialise them for the types of other modules; for a number or a string that would cost
/// more than all the rest. A schema of 30 such fields decodes five times faster with this.
struct StoredScalar: Sendable {
    /// The strict presets of the types that most properties have.
    enum Preset: Sendable {
        case string, int, double, bool, date
    }

    /// Where a property is stored.
    struct Place: Sendable {
        /// In bytes from the start of the value.
        let offset: Int
        let isOptional: Bool
    }

    let preset: Preset
    let place: Place

    /// Sets the property at `root`. False, and nothing done, for JSON of another type: the field then says what that means.
    func read(_ json: JSON, into root: UnsafeMutableRawPointer) -> Bool {
        switch preset {
        case .string:
            guard case .string(let text) = json else { return false }
            set(text, at: root)
        case .int:
            guard case .number = json, let value = json.int else { return false }
            set(value, at: root)
        case .double:
            guard case .number = json, let value = json.double else { return false }
            set(value, at: root)
        case .bool:
            guard case .bool(let value) = json else { return false }
            set(value, at: root)
        case .date:
            guard case .string(let text) = json, let value = DateLayout.iso8601.date(text) else { return false }
            set(value, at: root)
        }
        return true
    }

    /// The property at `root`; nil when it has no value, or none that JSON can show.
    func json(from root: UnsafeRawPointer) -> JSON? {
        switch preset {
        case .string: value(at: root, as: String.self).map { .string($0) }
        case .int: value(at: root, as: Int.self).map { .number(JSONNumber($0)) }
        case .double: value(at: root, as: Double.self).flatMap { try? .number(JSONNumber($0)) }
        case .bool: value(at: root, as: Bool.self).map { .bool($0) }
        case .date: value(at: root, as: Date.self).flatMap { DateText.text($0) }.map { .string($0) }
        }
    }

    // SAFETY: `offset` comes from `MemoryLayout.offset(of:)` for a property of the type that the preset converts, or of its optional;
    // a preset belongs to conversions of its type alone.

    @inline(__always)
    private func set<Value>(_ value: Value, at root: UnsafeMutableRawPointer) {
        let property = root.advanced(by: place.offset)
        if place.isOptional {
            property.assumingMemoryBound(to: Value?.self).pointee = value
        } else {
            property.assumingMemoryBound(to: Value.self).pointee = value
        }
    }

    @inline(__always)
    private func value<Value>(at root: UnsafeRawPointer, as type: Value.Type) -> Value? {
        let property = root.advanced(by: place.offset)
        return place.isOptional
            ? property.assumingMemoryBound(to: Value?.self).pointee : property.assumingMemoryBound(to: Value.self).pointee
    }
}
