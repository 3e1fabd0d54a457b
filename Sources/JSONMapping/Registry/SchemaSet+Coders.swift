import Foundation

extension SchemaSet {
    /// Where coders carry a set.
    private static let key = CodingUserInfoKey(rawValue: "JSONMapping.schemas")

    /// The set that a coder carries.
    package init?(in userInfo: [CodingUserInfoKey: Any]) {
        guard !userInfo.isEmpty, let key = Self.key, let schemas = userInfo[key] as? SchemaSet else { return nil }
        self = schemas
    }

    /// Puts a set into what a coder carries, or takes it out.
    package static func put<Value>(_ schemas: SchemaSet?, into userInfo: inout [CodingUserInfoKey: Value]) {
        guard let key else { return }
        userInfo[key] = schemas as? Value
    }
}

extension JSONDecoder {
    /// Schemas that stand in for those of `@Converted` properties.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}

extension JSONEncoder {
    /// Schemas that stand in for those of `@Converted` properties.
    public var schemas: SchemaSet? {
        get { SchemaSet(in: userInfo) }
        set { SchemaSet.put(newValue, into: &userInfo) }
    }
}
