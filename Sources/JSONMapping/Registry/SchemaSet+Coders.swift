import Foundation

extension SchemaSet {
    /// The key under which a coder's `userInfo` holds a set.
    private static let key = CodingUserInfoKey(rawValue: "JSONMapping.schemas")

    /// Returns the set in a coder's `userInfo`, or nil if there is none.
    package init?(in userInfo: [CodingUserInfoKey: Any]) {
        guard !userInfo.isEmpty, let key = Self.key, let schemas = userInfo[key] as? SchemaSet else { return nil }
        self = schemas
    }

    /// Stores a set in a coder's `userInfo`, or removes it when `schemas` is nil.
    package static func put<Value>(_ schemas: SchemaSet?, into userInfo: inout [CodingUserInfoKey: Value]) {
        guard let key else { return }
        userInfo[key] = schemas as? Value
    }

    /// The key of a mark of encoders whose text the same program reads again.
    private static let keyOfAll = CodingUserInfoKey(rawValue: "JSONMapping.writesAll")

    /// Returns whether schemas also write the fields that they do not represent. See `writeAll(in:)`.
    package static func writesAll(in userInfo: [CodingUserInfoKey: Any]) -> Bool {
        !userInfo.isEmpty && Self.keyOfAll.map { userInfo[$0] != nil } ?? false
    }

    /// Lets schemas also write the fields that they do not represent. Resources also write the members of nested values that only their
    /// `RemainingMembers` have.
    package static func writeAll(in userInfo: inout [CodingUserInfoKey: any Sendable]) {
        if let key = Self.keyOfAll { userInfo[key] = true }
    }

    /// The key of a mark of encoders that write a value for a patch.
    private static let keyOfPatches = CodingUserInfoKey(rawValue: "JSONMapping.notesAbsent")

    /// Returns whether an encoder is an `AbsenceEncoder`.
    static func notesAbsent(in userInfo: [CodingUserInfoKey: Any]) -> Bool {
        !userInfo.isEmpty && Self.keyOfPatches.map { userInfo[$0] != nil } ?? false
    }

    /// Lets conversions note absent members.
    package static func noteAbsent(in userInfo: inout [CodingUserInfoKey: any Sendable]) {
        if let key = Self.keyOfPatches { userInfo[key] = true }
    }
}

/// An encoder that leaves the members as they are that a value says are absent.
package protocol AbsenceEncoder: Encoder {
    /// Notes that there is no member at a path below the value.
    func noteAbsent(_ path: [String])
}

extension JSONDecoder {
    /// Schemas that replace those of `@Converted` properties.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}

extension JSONEncoder {
    /// Schemas that replace those of `@Converted` properties.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}
