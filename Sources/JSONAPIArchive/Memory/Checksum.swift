/// CRC-32C (Castagnoli), the checksum of archives. It detects every error of up to 32 adjacent bits.
///
/// A value is the state of a computation. Copies are independent.
struct Checksum: Sendable {
    private var state: UInt32 = ~0

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    /// Adds bytes, sixteen at a time.
    mutating func update(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

    private mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // Loaded once, because each load checks that the tables were created.
        let tables = unsafe Self.tables
        var state = state
        var position = 0
        // SAFETY: words are loaded only while sixteen bytes remain.
        while position &+ 16 <= bytes.count {
            let low = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let high = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self))
            state = unsafe Self.effect(of: low ^ UInt64(state), before: 8, tables) ^ Self.effect(of: high, before: 0, tables)
            position &+= 16
        }
        while position < bytes.count {
            state = unsafe Self.state(state, behind: bytes[position], tables)
            position &+= 1
        }
        self.state = state
    }

    /// Adds a byte.
    mutating func update(_ byte: UInt8) { state = unsafe Self.state(state, behind: byte, Self.tables) }

    /// Adds a number, with the lowest byte first.
    mutating func update(_ number: UInt64) { state = unsafe Self.effect(of: number ^ UInt64(state), before: 0, Self.tables) }

    @unsafe @inline(__always)
    private static func state(_ state: UInt32, behind byte: UInt8, _ tables: UnsafePointer<UInt32>) -> UInt32 {
        // SAFETY: a byte is an index of the first table.
        unsafe tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    /// Returns the effect of eight bytes, the first in the lowest place, that are followed by 0 or 8 zero bytes.
    @unsafe @inline(__always)
    private static func effect(of word: UInt64, before count: Int, _ tables: UnsafePointer<UInt32>) -> UInt32 {
        // SAFETY: there are 16 × 256 entries, and every index is a table's number, at most 15, times 256 plus a byte.
        let tables = unsafe tables + count << 8
        return unsafe tables[7 << 8 | Int(word & 0xFF)] ^ tables[6 << 8 | Int(word >> 8 & 0xFF)]
            ^ tables[5 << 8 | Int(word >> 16 & 0xFF)] ^ tables[4 << 8 | Int(word >> 24 & 0xFF)]
            ^ tables[3 << 8 | Int(word >> 32 & 0xFF)] ^ tables[2 << 8 | Int(word >> 40 & 0xFF)]
            ^ tables[1 << 8 | Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
    }

    /// Table n contains the effect of each byte that is followed by n zero bytes. The tables are created once and never change.
    private nonisolated(unsafe) static let tables: UnsafePointer<UInt32> = {
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 16 * 256)
        // SAFETY: every index is below 16 × 256, and 256 below the first one of the second loop is 0.
        for byte in 0..<256 {
            var entry = UInt32(byte)
            for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? 0x82F6_3B78 : 0) }
            unsafe tables[byte] = entry
        }
        for index in 256..<16 * 256 {
            let previous = unsafe tables[index - 256]
            unsafe tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return unsafe UnsafePointer(tables)
    }()
}
