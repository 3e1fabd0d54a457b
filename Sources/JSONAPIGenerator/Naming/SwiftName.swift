/// Creates Swift names from the names of members and types.
///
/// A name is split into words at every character that is not a letter or a digit: `first-name`, `first_name`, and `first name` have two
/// words, and `firstName` has one.
package enum SwiftName {
    /// Returns a name such as `firstName`. A first word in capitals becomes lowercase: `URLPath` becomes `urlPath`. Empty if nothing is
    /// left.
    static func lowerCamel(_ text: String) -> String {
        let words = words(text)
        guard let first = words.first else { return "" }
        let name = identifier([lowered(first)] + words.dropFirst().map(capitalized))
        // Names of types begin with a capital, and those of properties never do: the lowercase form of `İ` is not a single letter.
        return name.first?.isUppercase == true ? "_" + name : name
    }

    /// Returns a name such as `FirstName`. Empty if nothing is left.
    package static func upperCamel(_ text: String) -> String { identifier(words(text).map(capitalized)) }

    /// Returns the name of a type with its last word in the singular.
    static func singularUpperCamel(_ text: String) -> String {
        var words = words(text)
        if let last = words.popLast() {
            // In a word such as `blogPosts`, only the last part can be a plural.
            let scalars = last.unicodeScalars
            let start = scalars.lastIndex(where: isCapital) ?? scalars.startIndex
            words.append(
                isPluralAcronym(last) ? String(last.dropLast()) : String(last[..<start]) + Singular.form(of: String(last[start...])))
        }
        return identifier(words.map(capitalized))
    }

    /// Whether a word is the plural of an acronym, such as `URLs` or `IDs`.
    private static func isPluralAcronym(_ word: String) -> Bool {
        word.utf8.count > 2 && word.hasSuffix("s") && word.unicodeScalars.dropLast().allSatisfy(isCapital)
    }

    /// Whether the text can be a name as it is, including keywords.
    package static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && identifier([text]) == text && text.unicodeScalars.allSatisfy { isLetterOrDigit($0) || $0 == "_" }
            && text.unicodeScalars.contains { $0 != "_" }
    }

    /// The name, in backticks if it is a keyword.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }
}

// MARK: - Words

extension SwiftName {
    /// The maximum length of a name.
    private static let longest = 80

    private static func words(_ text: String) -> [String] {
        let words = text.unicodeScalars.split { !isLetterOrDigit($0) }.prefix(longest).map(String.init)
        // A name in capitals, such as `FIRST_NAME`, is converted to lowercase first.
        guard words.count > 1, !text.unicodeScalars.contains(where: { isASCIILetter($0) && !isCapital($0) }) else { return words }
        return words.map { $0.lowercased() }
    }

    private static func capitalized(_ word: String) -> String {
        guard let first = word.unicodeScalars.first else { return word }
        let capital = first.properties.uppercaseMapping
        guard capital.unicodeScalars.count == 1, capital.unicodeScalars.allSatisfy(isLetter) else { return word }
        return capital + String(word.unicodeScalars.dropFirst())
    }

    /// Makes a run of capitals at the start lowercase, except the last one if a lowercase letter follows, because it begins a word.
    private static func lowered(_ word: String) -> String {
        let scalars = Array(word.unicodeScalars)
        if let first = scalars.first, !first.isASCII {
            let small = first.properties.lowercaseMapping
            guard small.unicodeScalars.count == 1, small.unicodeScalars.allSatisfy(isLetter) else { return word }
            return small + String(word.unicodeScalars.dropFirst())
        }
        var count = scalars.prefix(while: isCapital).count
        if count > 1, count < scalars.count, isASCIILetter(scalars[count]) { count -= 1 }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars.dropFirst(count))
        var head = String.UnicodeScalarView()
        head.append(contentsOf: scalars.prefix(count))
        return String(head).lowercased() + String(result)
    }

    private static func identifier(_ words: [String]) -> String {
        var name = String.UnicodeScalarView()
        name.append(contentsOf: words.joined().unicodeScalars.prefix(longest))
        guard let first = name.first else { return "" }
        return isLetter(first) || first == "_" ? String(name) : "_" + String(name)
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }

    private static func isASCIILetter(_ scalar: Unicode.Scalar) -> Bool {
        isCapital(scalar) || ("a"..."z").contains(scalar)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool { isLetter(scalar) || ("0"..."9").contains(scalar) }

    /// Letters that can begin a Swift name. Combining marks are excluded, because names that look the same would differ.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isASCIILetter(scalar) }
        let isInGrammar =
            switch scalar.value {
            case 0xC0...0x2FF, 0x370...0x167F, 0x1681...0x180D, 0x180F...0x1DBF, 0x1E00...0x1FFF, 0x2C00...0x2DFF, 0x2E80...0x2FFF,
                0x3004...0x3007, 0x3021...0x302F, 0x3031...0x303F, 0x3040...0xD7FF, 0xF900...0xFAFF:
                true
            default: false
            }
        guard isInGrammar else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return true
        default: return false
        }
    }
}

// MARK: - Keywords

extension SwiftName {
    /// Keywords that are reserved everywhere, and those that begin an expression.
    static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
        "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while", "await", "consume", "copy", "discard", "each", "then", "unsafe", "yield",
    ]
}
