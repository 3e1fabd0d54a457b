// Checks the grammar of numbers. Their values are computed when they are requested.

extension TapeParser {
    /// Parses the number at the parser's position and writes its word.
    func parseNumber() throws(JSONSyntaxError) {
        let start = position
        var flags = TapeView.Flag.integer
        if text[position] == UInt8(ascii: "-") { position += 1 }
        if text.byteOrZero(at: position) == UInt8(ascii: "0") {
            position += 1
            if isDigit(text.byteOrZero(at: position)) {
                throw failure(.invalidNumber, at: position, "a number has no leading zeros")
            }
        } else {
            try skipDigits()
        }
        if text.byteOrZero(at: position) == UInt8(ascii: ".") {
            flags = 0
            position += 1
            try skipDigits()
        }
        if text.byteOrZero(at: position) | 0x20 == UInt8(ascii: "e") {
            flags = 0
            position += 1
            let sign = text.byteOrZero(at: position)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
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
        while isDigit(text.byteOrZero(at: end)) { end &+= 1 }
        guard end > position else { throw unexpected("a digit", kind: .invalidNumber) }
        position = end
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
