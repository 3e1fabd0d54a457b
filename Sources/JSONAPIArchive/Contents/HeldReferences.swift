import JSONAPICodec
import JSONText

/// The references in the text of a plain value to the resources that it holds, such as `{"@resource":{"type":"articles","id":"1"}}`.
enum HeldReferences {
    private static let mark = Array(#""@resource":{"#.utf8)

    /// Returns a text with other identities in its references.
    ///
    /// - Complexity: O(n), n = number of bytes.
    static func replaced(in text: [UInt8], by replacement: (StoredIdentity) -> StoredIdentity) throws -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        while let found = text.span.firstIndex(of: mark, from: position) {
            let start = found + mark.count - 1
            let end = Self.end(ofIdentifierAt: start, in: text)
            position = end
            // In a string, a backslash is before each quotation mark.
            guard found > 0, text[found - 1] != UInt8(ascii: "\\"),
                let identifier = (try? JSON(parsing: text[start..<end]))?.object.flatMap(ResourceIdentifier.init(members:)),
                let key = StoredIdentity(identifier), case let other = replacement(key), other != key
            else { continue }
            result += text[copied..<start]
            result += try JSONWriter().write(other.identifier.json)
            copied = end
        }
        return result + text[copied...]
    }

    /// Returns the end of an object that contains only strings.
    private static func end(ofIdentifierAt start: Int, in text: [UInt8]) -> Int {
        var isInString = false
        var position = start
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "\\") where isInString: position += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "}") where !isInString: return position + 1
            default: break
            }
            position += 1
        }
        return text.count
    }
}
