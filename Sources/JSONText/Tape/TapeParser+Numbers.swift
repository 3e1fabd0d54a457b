// Numbers: only their grammar is checked here; their value is worked out when somebody asks for it.

extension TapeParser {
    /// Reads the number that begins at `position` and writes its word.
    @inline(__always)
    mutating func parseNumber() throws(JSONSyntaxError) {
        let start = position
        var flags = TapeView.Flag.integer
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if position < count, bytes[position] == UInt8(ascii: "0") {
            position += 1
            if position < count, isDigit(bytes[position]) {
                throw failure(.invalidNumber, at: position, "a number has no leading zeros")
            }
        } else {
            try parseDigits()
        }
        if position < count, bytes[position] == UInt8(ascii: ".") {
            flags = 0
            position += 1
            try parseDigits()
        }
        if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            flags = 0
            position += 1
            if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            try parseDigits()
        }
        if position - start > options.maximumNumberLength {
            throw failure(.numberLimit, at: start, "a number is longer than \(options.maximumNumberLength) characters")
        }
        try append(kind: .number, flags: flags, start: start, length: position - start)
    }

    @inline(__always)
    private mutating func parseDigits() throws(JSONSyntaxError) {
        guard position < count, isDigit(bytes[position]) else { throw unexpected("a digit", kind: .invalidNumber) }
        position += 1
        while position < count, isDigit(bytes[position]) { position += 1 }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
