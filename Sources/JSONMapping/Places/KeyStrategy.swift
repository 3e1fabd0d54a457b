/// How the names of properties become names of members, where a field states no path and a coding key has no dot.
///
/// ```swift
/// MappingSchema(creating: User()) {
///     MappingField(\.userID, "userID")                    // user_id
///     MappingField(\.website, "website", from: "url")     // url: a stated path is never touched
/// }.keys(.snakeCase)
/// ```
public enum KeyStrategy: Sendable {
    /// The names are equal. The default.
    case useDefaultKeys
    /// `publishedAt` is `published-at`.
    case kebabCase
    /// `publishedAt` is `published_at`.
    case snakeCase
    /// Any other way, from the property's name to the member's.
    case custom(@Sendable (String) -> String)

    /// The member's name for a property's name.
    public func memberName(_ name: String) -> String {
        switch self {
        case .useDefaultKeys: name
        case .kebabCase: Self.words(of: name, joinedBy: "-")
        case .snakeCase: Self.words(of: name, joinedBy: "_")
        case .custom(let convert): convert(name)
        }
    }

    /// `firstName` → `first-name`; a run of capitals is one word, its last letter belongs to the next: `userURLPath` →
    /// `user-url-path`. Digits stay with the word before them.
    private static func words(of name: String, joinedBy separator: Character) -> String {
        if let separator = separator.asciiValue, let result = words(ofASCII: Array(name.utf8), joinedBy: separator) { return result }
        var result = ""
        let characters = Array(name)
        for (i, character) in characters.enumerated() {
            let followsLower = i > 0 && !characters[i - 1].isUppercase && characters[i - 1] != "_"
            let endsRun = i > 0 && characters[i - 1].isUppercase && i + 1 < characters.count && characters[i + 1].isLowercase
            if character.isUppercase, followsLower || endsRun { result.append(separator) }
            result += character.lowercased()
        }
        return result
    }

    /// The same for a name in ASCII, without asking what Unicode says of each letter; nil for any other.
    private static func words(ofASCII bytes: [UInt8], joinedBy separator: UInt8) -> String? {
        func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
        func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        for (i, byte) in bytes.enumerated() {
            // A carriage return and a line feed are one character.
            if byte >= 0x80 || byte == 0x0D { return nil }
            if isUpper(byte), i > 0 {
                let followsLower = !isUpper(bytes[i - 1]) && bytes[i - 1] != UInt8(ascii: "_")
                let endsRun = isUpper(bytes[i - 1]) && i + 1 < bytes.count && isLower(bytes[i + 1])
                if followsLower || endsRun { result.append(separator) }
            }
            result.append(isUpper(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
