/// The number of bytes that a report can still use.
///
/// A report repeats the names on the way to each problem, so its size can be quadratic in the size of the document: a name of 50,000
/// bytes around 10,000 problems would take 500 MB.
package struct ReportBudget: Sendable {
    /// The number of bytes left.
    package private(set) var bytes: Int

    package init(_ bytes: Int) { self.bytes = max(bytes, 0) }

    /// Subtracts `cost` if enough bytes are left. Returns whether it did.
    package mutating func pays(_ cost: Int) -> Bool {
        guard cost <= bytes else { return false }
        bytes -= cost
        return true
    }

    /// Returns the number of bytes of a pointer in JSON text.
    package static func cost(of pointer: JSONPointer) -> Int { pointer.tokens.reduce(0) { $0 + cost(ofToken: $1) } }

    /// Returns the number of bytes of `/` and a token in JSON text, including escapes.
    static func cost(ofToken token: String) -> Int { 1 + cost(of: token) }

    /// Returns the number of bytes of a text in JSON text or as a token of a pointer, whichever is larger.
    package static func cost(of text: String) -> Int {
        var cost = 0
        for byte in text.utf8 {
            switch byte {
            // U+0080 to U+009F begin with 0xC2 and are written as escapes of six bytes.
            case 0x00..<0x20, 0x7F, 0xC2: cost += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "~"), UInt8(ascii: "/"): cost += 2
            default: cost += 1
            }
        }
        return cost
    }
}
