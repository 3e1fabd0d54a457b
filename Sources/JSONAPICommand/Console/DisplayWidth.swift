/// How many columns of a terminal a text takes.
///
/// Measured simply: marks that join the letter before take none, ideographs, Hangul and emoji take two, everything else takes
/// one. Terminals differ in the rest.
enum DisplayWidth {
    /// The columns of a text that has no control characters.
    ///
    /// - Complexity: O(n), n = bytes.
    static func of(_ text: String) -> Int {
        var width = 0
        for character in text { width += of(character) }
        return width
    }

    /// Returns the text if it fits into that many columns, otherwise its beginning and `…`.
    static func cut(_ text: String, to columns: Int) -> String {
        // Each column needs at least one byte, so this covers most texts.
        guard text.utf8.count > columns, of(text) > columns else { return text }
        var (result, width) = ("", 0)
        for character in text {
            width += of(character)
            guard width < columns else { break }
            result.append(character)
        }
        return columns > 0 ? result + "…" : ""
    }

    private static func of(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars { width = max(width, of(scalar)) }
        return width
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
