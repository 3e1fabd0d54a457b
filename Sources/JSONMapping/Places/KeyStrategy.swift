import JSONText

/// Converts the names of properties to the names of members.
///
/// The strategy applies to a field without a path of its own, and to a coding key without a dot.
///
/// ```swift
/// MappingSchema(creating: User()) {
///     MappingField(\.userID, "userID")                    // user_id
///     MappingField(\.website, "website", from: "url")     // url: an explicit path is never changed
/// }.keys(.snakeCase)
/// ```
public enum KeyStrategy: Sendable {
    /// Uses the property's name as it is. This is the default.
    case useDefaultKeys
    /// Converts `publishedAt` to `published-at`.
    case kebabCase
    /// Converts `publishedAt` to `published_at`.
    case snakeCase
    /// Calls a closure that returns the member's name for the property's name.
    case custom(@Sendable (String) -> String)

    /// Returns the member's name for a property's name.
    public func memberName(_ name: String) -> String {
        switch self {
        case .useDefaultKeys: name
        case .kebabCase: Self.words(of: name, joinedBy: UInt8(ascii: "-"))
        case .snakeCase: Self.words(of: name, joinedBy: UInt8(ascii: "_"))
        case .custom(let convert): convert(name)
        }
    }

    /// Converts `firstName` to `first-name`. A run of capitals is one word, and its last capital starts the next word: `userURLPath`
    /// becomes `user-url-path`. Digits belong to the word before them.
    private static func words(of name: String, joinedBy separator: UInt8) -> String {
        if let result = words(ofASCII: Array(name.utf8), joinedBy: separator) { return result }
        var result = ""
        let characters = Array(name)
        for (i, character) in characters.enumerated() {
            let followsLower = i > 0 && !characters[i - 1].isUppercase && characters[i - 1] != "_"
            let endsRun = i > 0 && characters[i - 1].isUppercase && i + 1 < characters.count && characters[i + 1].isLowercase
            if character.isUppercase, followsLower || endsRun { result.append(Character(Unicode.Scalar(separator))) }
            result += character.lowercased()
        }
        return result
    }

    /// Does the same for an ASCII name without Unicode look-ups. Returns nil for any other name.
    private static func words(ofASCII bytes: [UInt8], joinedBy separator: UInt8) -> String? {
        func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
        func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        for (i, byte) in bytes.enumerated() {
            // Swift treats a carriage return and a line feed as one character, so those names take the slow path.
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

// MARK: - Back to keys

extension KeyStrategy {
    /// Returns the name of the coding key that `memberName` would turn into this one: `publishedAt` for `published-at`. Nil when that is
    /// not known.
    package func keyName(_ memberName: String) -> String? {
        if case .useDefaultKeys = self { return memberName }
        guard let separator else { return nil }
        let words = memberName.split(separator: separator, omittingEmptySubsequences: false)
        var name = String(words[0])
        for word in words.dropFirst() {
            name.append(word.prefix(1).uppercased())
            name.append(contentsOf: word.dropFirst())
        }
        return name
    }

    private var separator: Character? {
        switch self {
        case .kebabCase: "-"
        case .snakeCase: "_"
        case .useDefaultKeys, .custom: nil
        }
    }

    /// Returns whether there is a coding key that becomes the given member name. `isKey` returns whether a text is a coding key. Nil when
    /// that is not known: for a custom strategy, and for a name of many words.
    ///
    /// Several keys can become one name: `urlID` and `urlId` both become `url-id`.
    package func hasKey(for memberName: String, _ isKey: (String) -> Bool) -> Bool? {
        if case .custom = self { return nil }
        func fits(_ key: String) -> Bool { isKey(key) && UTF8Bytes.areEqual(self.memberName(key), memberName) }
        if fits(memberName) || keyName(memberName).map(fits) == true { return true }
        return keyNames(memberName)?.contains(where: fits)
    }

    /// Returns the texts that a coding key for a member name may have, with each word in lower case, capitalized, or in capitals, and with or
    /// without the separators. Nil for a name of many words.
    private func keyNames(_ memberName: String) -> [String]? {
        guard let separator else { return [] }
        var words: [(before: String, text: String)] = [("", "")]
        for character in memberName {
            if character == separator || !(character.isLetter || character.isNumber) {
                words.append((String(character), ""))
            } else {
                words[words.count - 1].text.append(character)
            }
        }
        guard words.count <= 5 else { return nil }
        return words.reduce([""]) { starts, word in
            let capitals = [word.text.prefix(1).uppercased() + word.text.dropFirst(), word.text.uppercased()]
            let forms = (capitals + [word.text]).map { word.before + $0 } + (word.before == String(separator) ? capitals : [])
            return starts.flatMap { start in forms.map { start + $0 } }
        }
    }
}
