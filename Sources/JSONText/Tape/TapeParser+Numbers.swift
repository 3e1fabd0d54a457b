// Numbers: only their grammar is checked here; their value is worked out when somebody asks for it.

extension TapeParser {
    /// Reads the number that begins at the scan's position and writes its word.
    @inline(__always)
    func parseNumber(_ scan: inout TapeScan) throws(JSONSyntaxError) {
        let start = scan.position
        var flags = TapeView.Flag.integer
        if scan.bytes[scan.position] == UInt8(ascii: "-") { scan.position &+= 1 }
        if scan.position < scan.count, scan.bytes[scan.position] == UInt8(ascii: "0") {
            scan.position &+= 1
            if scan.position < scan.count, isDigit(scan.bytes[scan.position]) {
                settle(scan)
                throw failure(.invalidNumber, at: position, "a number has no leading zeros")
            }
        } else {
            try parseDigits(&scan)
        }
        if scan.position < scan.count, scan.bytes[scan.position] == UInt8(ascii: ".") {
            flags = 0
            scan.position &+= 1
            try parseDigits(&scan)
        }
        if scan.position < scan.count, scan.bytes[scan.position] | 0x20 == UInt8(ascii: "e") {
            flags = 0
            scan.position &+= 1
            if scan.position < scan.count, scan.bytes[scan.position] == UInt8(ascii: "+") || scan.bytes[scan.position] == UInt8(ascii: "-")
            {
                scan.position &+= 1
            }
            try parseDigits(&scan)
        }
        if scan.position - start > options.maximumNumberLength {
            settle(scan)
            throw failure(.numberLimit, at: start, "a number is longer than \(options.maximumNumberLength) characters")
        }
        try append(kind: .number, flags: flags, start: start, length: scan.position - start, &scan)
    }

    @inline(__always)
    private func parseDigits(_ scan: inout TapeScan) throws(JSONSyntaxError) {
        guard scan.position < scan.count, isDigit(scan.bytes[scan.position]) else {
            throw unexpected("a digit", scan, kind: .invalidNumber)
        }
        scan.position &+= 1
        while scan.position < scan.count, isDigit(scan.bytes[scan.position]) { scan.position &+= 1 }
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
