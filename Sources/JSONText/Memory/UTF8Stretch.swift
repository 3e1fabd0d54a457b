/// Checks that a stretch of a text is UTF-8 (The Unicode Standard, table 3-7), sixteen bytes at a time.
///
/// Bounds: the loops read the bytes of the range, and at most three bytes before it. `isValid` checks that they are inside the text.
enum UTF8Stretch {
    /// Returns the start of the character at `end`, which is at most three bytes before `end`.
    static func boundary(atOrBefore end: Int, in text: TextBytes) -> Int {
        var place = end
        while place > max(end - 3, 0), text.byteOrZero(at: place) & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    /// Returns whether the bytes in the range are UTF-8. The end must be the start of a character. The start can be inside one.
    static func isValid(_ text: TextBytes, from start: Int, to end: Int) -> Bool {
        precondition(start >= 0 && start <= end && end <= text.count)
        // The loops below read sixteen bytes, and three bytes before them.
        guard end >= 19, start == 0 || start >= 3 else { return isValidOneByOne(text, to: end) && !isOpen(text, at: end) }
        let bytes = unsafe UnsafeRawPointer(text.address)
        var place = start
        if place == 0 {
            guard isValidOneByOne(text, to: 3) else { return false }
            place = 3
        }
        while place &+ 128 <= end {
            // In bounds, here and below: the bytes up to `end` and the three bytes before `place` are in the text.
            let isSettled = unsafe isASCII(bytes + place) && text[place &- 1] < 0x80
            if !isSettled, unsafe !isValid(bytes + place, chunks: 8) { return false }
            place &+= 128
        }
        while place &+ 16 <= end {
            if unsafe !isValid(bytes + place, chunks: 1) { return false }
            place &+= 16
        }
        // The last sixteen bytes. Some of them are checked again.
        return unsafe isValid(bytes + (end &- 16), chunks: 1) && !isOpen(text, at: end)
    }

    /// Returns whether a character that begins before `end` continues at `end`.
    private static func isOpen(_ text: TextBytes, at end: Int) -> Bool {
        text.byteOrZero(at: end &- 1) >= 0xC0 || text.byteOrZero(at: end &- 2) >= 0xE0 || text.byteOrZero(at: end &- 3) >= 0xF0
    }

    private static func isValidOneByOne(_ text: TextBytes, to end: Int) -> Bool {
        var place = 0
        while place < end {
            if text.byteOrZero(at: place) < 0x80 {
                place += 1
            } else if let length = UTF8Sequence.length(at: place, in: text) {
                place += length
            } else {
                return false
            }
        }
        return true
    }

    /// Returns whether none of 128 bytes has its highest bit set.
    @unsafe @inline(__always)
    private static func isASCII(_ block: UnsafeRawPointer) -> Bool {
        var all = SIMD16<UInt8>(repeating: 0)
        for chunk in 0..<8 { all |= unsafe block.loadUnaligned(fromByteOffset: chunk &* 16, as: SIMD16<UInt8>.self) }
        return !hasHighBit(all)
    }

    /// Returns whether none of sixteen bytes has its highest bit set.
    @unsafe @inline(__always)
    private static func isASCII(chunk: UnsafeRawPointer) -> Bool {
        !hasHighBit(unsafe chunk.loadUnaligned(as: SIMD16<UInt8>.self))
    }

    /// Returns whether sixteen bytes and the one before them are ASCII. Then they are valid: a character that is still open at that byte is
    /// a fault there. In text with few other characters, this skips most chunks.
    @unsafe @inline(__always)
    private static func isSettled(_ chunk: UnsafeRawPointer) -> Bool {
        unsafe isASCII(chunk: chunk) && (chunk - 1).load(as: UInt8.self) < 0x80
    }

    @inline(__always)
    private static func hasHighBit(_ lanes: SIMD16<UInt8>) -> Bool {
        let words = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
        return (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// Returns whether these chunks of sixteen bytes are valid after the three bytes before them.
    @unsafe @inline(__always)
    private static func isValid(_ start: UnsafeRawPointer, chunks: Int) -> Bool {
        // Only the highest bit of each lane matters. This uses arithmetic, because comparisons of SIMD vectors in the standard library are
        // compiled to loops.
        var faults = SIMD16<UInt8>(repeating: 0)
        var longLeads = SIMD16<UInt8>(repeating: 0)
        for chunk in 0..<chunks {
            let place = unsafe start + chunk &* 16
            if unsafe isSettled(place) { continue }
            let byte = unsafe bytes(place, 0)
            let (first, second, third) = unsafe (bytes(place, 1), bytes(place, 2), bytes(place, 3))
            let isContinuation = byte & ~(byte &+ byte)
            // The byte after a lead of two or more bytes, the second after a lead of three or more, and the third after a lead of four.
            let behindLead = first & shifted(first, 1)
            let behindLongLead = behindLead & shifted(first, 2)
            let isSecond = second & shifted(second, 1) & shifted(second, 2)
            let isThird = third & shifted(third, 1) & shifted(third, 2) & shifted(third, 3)
            faults |= (behindLead | isSecond | isThird) ^ isContinuation
            // C0 and C1 would begin overlong forms of ASCII characters.
            faults |= isZero((byte ^ SIMD16(repeating: 0xC0)) & SIMD16(repeating: 0xFE))
            longLeads |= behindLongLead
        }
        guard !hasHighBit(faults) else { return false }
        guard hasHighBit(longLeads) else { return true }
        for chunk in 0..<chunks {
            let place = unsafe start + chunk &* 16
            if unsafe isSettled(place) { continue }
            faults |= faultsBehindLongLeads(unsafe bytes(place, 1), unsafe bytes(place, 0))
        }
        return !hasHighBit(faults)
    }

    /// Returns the faults of second bytes. After E0, ED, F0 and F4, the range is narrower, which excludes overlong forms, surrogates and
    /// code points above U+10FFFF. F5 and higher bytes are never leads.
    @inline(__always)
    private static func faultsBehindLongLeads(_ lead: SIMD16<UInt8>, _ byte: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let isFourByteLead = lead & shifted(lead, 1) & shifted(lead, 2) & shifted(lead, 3)
        // From A0 on after a lead of three bytes, and from 90 on after a lead of four.
        let isHigh = shifted(byte, 2) | isFourByteLead & shifted(byte, 3)
        let isE0OrF0 = isZero((lead & SIMD16(repeating: 0xEF)) ^ SIMD16(repeating: 0xE0))
        let isEDOrF4 = isZero(lead ^ SIMD16(repeating: 0xED)) | isZero(lead ^ SIMD16(repeating: 0xF4))
        let isTooHighLead = isFourByteLead & ((lead & SIMD16(repeating: 0x0F)) &+ SIMD16(repeating: 0x7B))
        return isE0OrF0 & ~isHigh | isEDOrF4 & isHigh | isTooHighLead
    }

    /// Returns lanes whose highest bit is set if the lane is zero.
    @inline(__always)
    private static func isZero(_ lanes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        ~((lanes & SIMD16(repeating: 0x7F)) &+ SIMD16(repeating: 0x7F) | lanes)
    }

    /// Shifts each lane left by a number of bits.
    @inline(__always)
    private static func shifted(_ lanes: SIMD16<UInt8>, _ bits: Int) -> SIMD16<UInt8> {
        var lanes = lanes
        for _ in 0..<bits { lanes = lanes &+ lanes }
        return lanes
    }

    /// Returns sixteen bytes, the first of which is `distance` bytes before `place`.
    @unsafe @inline(__always)
    private static func bytes(_ place: UnsafeRawPointer, _ distance: Int) -> SIMD16<UInt8> {
        unsafe (place - distance).loadUnaligned(as: SIMD16<UInt8>.self)
    }
}
