// Numbers: only their grammar is checked here; their value is worked out when somebody asks for it.

extension TapeParser {
    /// Reads the number that begins at the parser's position and writes its word.
    func parseNumber() throws(JSONSyntaxError) {
        let start = position
        var flags = TapeView.Flag.integer
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if position < count, bytes[position] == UInt8(ascii: "0") {
            position += 1
            if position < count, isDigit(bytes[position]) {
                throw failure(.invalidNumber, at: position, "a number has no leading zeros")
            }
        } else {
            try skipDigits()
        }
        if position < count, bytes[position] == UInt8(ascii: ".") {
            flags = 0
            position += 1
            try skipDigits()
        }
        if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            flags = 0
            position += 1
            if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        if position - start > options.maximumNumberLength {
            throw failure(.numberLimit, at: start, "a number is longer than \(options.maximumNumberLength) characters")
        }
        try append(kind: .number, flags: flags, start: start, length: position - start)
    }

    @inline(__always)
    private func skipDigits() throws(JSONSyntaxError) {
        var end = position
        while end < count, isDigit(bytes[end]) { end &+= 1 }
        guard end > position else { throw unexpected("a digit", kind: .invalidNumber) }
        position = end
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
