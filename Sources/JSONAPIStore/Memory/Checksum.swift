/// CRC-32C (Castagnoli), the checksum of archives. It detects every error of up to 32 adjacent bits.
///
/// A value is the state of a computation. Copies are independent.
struct Checksum: Sendable {
    private var state: UInt32 = ~0

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    /// Adds bytes, eight at a time.
    mutating func update(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let tables = unsafe Self.tables
        var state = state
        var position = 0
        // SAFETY: a word is loaded only while eight bytes remain; the tables have 8 × 256 entries, and every index is a table's
        // number times 256 plus a byte.
        while position + 8 <= bytes.count {
            let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(state)
            state =
                unsafe tables[7 << 8 | Int(word & 0xFF)] ^ tables[6 << 8 | Int(word >> 8 & 0xFF)]
                ^ tables[5 << 8 | Int(word >> 16 & 0xFF)] ^ tables[4 << 8 | Int(word >> 24 & 0xFF)]
                ^ tables[3 << 8 | Int(word >> 32 & 0xFF)] ^ tables[2 << 8 | Int(word >> 40 & 0xFF)]
                ^ tables[1 << 8 | Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
            position += 8
        }
        while position < bytes.count {
            state = unsafe tables[Int(UInt8(truncatingIfNeeded: state) ^ bytes[position])] ^ state >> 8
            position += 1
        }
        self.state = state
    }

    /// Adds a byte.
    mutating func update(_ byte: UInt8) {
        // SAFETY: a byte is an index of the first table.
        state = unsafe Self.tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    /// Adds a number, with the lowest byte first.
    mutating func update(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { update(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    /// Table n contains the effect of each byte that is followed by n zero bytes. The tables are created once and never change.
    private nonisolated(unsafe) static let tables: UnsafePointer<UInt32> = {
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
        // SAFETY: every index is below 8 × 256, and 256 below the first one of the second loop is 0.
        for byte in 0..<256 {
            var entry = UInt32(byte)
            for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? 0x82F6_3B78 : 0) }
            unsafe tables[byte] = entry
        }
        for index in 256..<8 * 256 {
            let previous = unsafe tables[index - 256]
            unsafe tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return unsafe UnsafePointer(tables)
    }()
}
