/// The bytes that a report may still take.
///
/// A report repeats the names around a fault for each fault, so without a budget its size is the square of the document's: a name of
/// 50,000 bytes around 10,000 faults makes 500 MB.
package struct ReportBudget: Sendable {
    /// What is left.
    package private(set) var bytes: Int

    package init(_ bytes: Int) { self.bytes = max(bytes, 0) }

    /// Takes the bytes if they are there. Returns whether they were.
    package mutating func pays(_ cost: Int) -> Bool {
        guard cost <= bytes else { return false }
        bytes -= cost
        return true
    }

    /// Bytes of a pointer in JSON text.
    package static func cost(of pointer: JSONPointer) -> Int { pointer.tokens.reduce(0) { $0 + cost(ofToken: $1) } }

    /// Bytes of `/` and a token in JSON text, all escapes counted.
    static func cost(ofToken token: String) -> Int { 1 + cost(of: token) }

    /// Bytes of a text in JSON text, or of a token in a pointer, whichever are more.
    package static func cost(of text: String) -> Int {
        var cost = 0
        for byte in text.utf8 {
            switch byte {
            // U+0080 to U+009F begin with this byte, and are written as six.
            case 0x00..<0x20, 0x7F, 0xC2: cost += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "~"), UInt8(ascii: "/"): cost += 2
            default: cost += 1
            }
        }
        return cost
    }
}
