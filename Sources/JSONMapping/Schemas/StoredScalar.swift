import Foundation
import JSONText

/// The strict presets of the most common property types.
enum ScalarPreset: Sendable {
    case string, int, double, bool, date
}

/// A scalar property of the value itself that uses a strict preset. It is read and written without generic code.
///
/// Fields are generic, and the compiler cannot specialize them for types of other modules. For a number or a string, the generic calls
/// would cost more than all other steps together.
enum StoredScalar<Root>: Sendable {
    case string(SendableKeyPath<Root, String>)
    case int(SendableKeyPath<Root, Int>)
    case double(SendableKeyPath<Root, Double>)
    case bool(SendableKeyPath<Root, Bool>)
    case date(SendableKeyPath<Root, Date>)
    case optionalString(SendableKeyPath<Root, String?>)
    case optionalInt(SendableKeyPath<Root, Int?>)
    case optionalDouble(SendableKeyPath<Root, Double?>)
    case optionalBool(SendableKeyPath<Root, Bool?>)
    case optionalDate(SendableKeyPath<Root, Date?>)

    /// Returns nil if the property has neither the preset's type nor an optional of it.
    init?(_ preset: ScalarPreset, _ path: any AnyKeyPathHolder) {
        switch preset {
        case .string: self.init(path, Self.string, Self.optionalString)
        case .int: self.init(path, Self.int, Self.optionalInt)
        case .double: self.init(path, Self.double, Self.optionalDouble)
        case .bool: self.init(path, Self.bool, Self.optionalBool)
        case .date: self.init(path, Self.date, Self.optionalDate)
        }
    }

    private init?<Value>(
        _ path: any AnyKeyPathHolder, _ plain: (SendableKeyPath<Root, Value>) -> Self, _ optional: (SendableKeyPath<Root, Value?>) -> Self
    ) {
        if let path = SendableKeyPath<Root, Value>(path) {
            self = plain(path)
        } else if let path = SendableKeyPath<Root, Value?>(path) {
            self = optional(path)
        } else {
            return nil
        }
    }

    /// Sets the property. Returns false and does nothing for JSON of another type, which the field's other steps then handle.
    func read(_ json: JSON, into root: inout Root) -> Bool {
        switch self {
        case .string(let property):
            guard case .string(let text) = json else { return false }
            root[keyPath: property.path] = text
        case .optionalString(let property):
            guard case .string(let text) = json else { return false }
            root[keyPath: property.path] = text
        case .int(let property):
            guard case .number = json, let value = json.int else { return false }
            root[keyPath: property.path] = value
        case .optionalInt(let property):
            guard case .number = json, let value = json.int else { return false }
            root[keyPath: property.path] = value
        case .double(let property):
            guard case .number = json, let value = json.double else { return false }
            root[keyPath: property.path] = value
        case .optionalDouble(let property):
            guard case .number = json, let value = json.double else { return false }
            root[keyPath: property.path] = value
        case .bool(let property):
            guard case .bool(let value) = json else { return false }
            root[keyPath: property.path] = value
        case .optionalBool(let property):
            guard case .bool(let value) = json else { return false }
            root[keyPath: property.path] = value
        case .date(let property):
            guard case .string(let text) = json, let value = DateLayout.iso8601.date(text) else { return false }
            root[keyPath: property.path] = value
        case .optionalDate(let property):
            guard case .string(let text) = json, let value = DateLayout.iso8601.date(text) else { return false }
            root[keyPath: property.path] = value
        }
        return true
    }

    /// Returns the property's value, or nil if it has none or if JSON cannot represent it.
    func json(from root: Root) -> JSON? {
        switch self {
        case .string(let property): .string(root[keyPath: property.path])
        case .optionalString(let property): root[keyPath: property.path].map { .string($0) }
        case .int(let property): .number(JSONNumber(root[keyPath: property.path]))
        case .optionalInt(let property): root[keyPath: property.path].map { .number(JSONNumber($0)) }
        case .double(let property): try? .number(JSONNumber(root[keyPath: property.path]))
        case .optionalDouble(let property): root[keyPath: property.path].flatMap { try? .number(JSONNumber($0)) }
        case .bool(let property): .bool(root[keyPath: property.path])
        case .optionalBool(let property): root[keyPath: property.path].map { .bool($0) }
        case .date(let property): DateText.text(root[keyPath: property.path]).map { .string($0) }
        case .optionalDate(let property): root[keyPath: property.path].flatMap { DateText.text($0) }.map { .string($0) }
        }
    }
}
