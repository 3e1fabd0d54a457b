/// Makes JSON text safe for a terminal.
///
/// JSON allows DEL and the control characters U+0080 to U+009F in strings, and terminals obey some of them: U+009B begins a command, as
/// ESC does. They only occur in strings and names, where an escape has the same meaning.
enum TerminalSafe {
    /// Returns the text with these characters escaped.
    ///
    /// - Complexity: O(n), n = bytes.
    static func escaped(_ text: String) -> String { needsEscapes(text.utf8) ? String(decoding: escaped(text.utf8), as: UTF8.self) : text }

    /// The same for UTF-8.
    static func escaped(_ text: [UInt8]) -> [UInt8] { needsEscapes(text) ? escapedBytes(text) : text }

    private static func escaped(_ text: String.UTF8View) -> [UInt8] { escapedBytes(text) }

    private static func needsEscapes(_ text: some Sequence<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            if byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
            previous = byte
        }
        return false
    }

    private static func escapedBytes(_ text: some Collection<UInt8>) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.count + 64)
        for byte in text {
            if byte == 0x7F {
                escaped += Array("\\u007f".utf8)
            } else if byte < 0xA0, byte >= 0x80, escaped.last == 0xC2 {
                escaped.removeLast()
                escaped += Array("\\u00\(String(byte, radix: 16))".utf8)
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }
}
