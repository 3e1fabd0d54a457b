/// CRC-32C (Castagnoli), the checksum of archives: every error of up to 32 neighbouring bits is found.
///
/// A value is the state of a checksum under way; copies go on independently.
struct Checksum: Sendable {
    private var state: UInt32 = ~0

    /// The checksum of everything fed so far.
    var value: UInt32 { ~state }

    /// Feeds bytes, eight at a time.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let tables = Self.tables
        var state = state
        var position = 0
        // SAFETY: a word is loaded only while eight bytes remain; the tables have 8 × 256 entries, and every index is a table's
        // number times 256 plus a byte.
        while position + 8 <= bytes.count {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(state)
            state =
                tables[7 << 8 | Int(word & 0xFF)] ^ tables[6 << 8 | Int(word >> 8 & 0xFF)]
                ^ tables[5 << 8 | Int(word >> 16 & 0xFF)] ^ tables[4 << 8 | Int(word >> 24 & 0xFF)]
                ^ tables[3 << 8 | Int(word >> 32 & 0xFF)] ^ tables[2 << 8 | Int(word >> 40 & 0xFF)]
                ^ tables[1 << 8 | Int(word >> 48 & 0xFF)] ^ tables[Int(word >> 56)]
            position += 8
        }
        while position < bytes.count {
            state = tables[Int(UInt8(truncatingIfNeeded: state) ^ bytes[position])] ^ state >> 8
            position += 1
        }
        self.state = state
    }

    /// Feeds bytes.
    mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) { update(UnsafeRawBufferPointer(bytes)) }

    /// Feeds one byte.
    mutating func update(_ byte: UInt8) {
        state = Self.tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
    }

    /// Feeds a number, its lowest byte first.
    mutating func update(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { update($0) }
    }

    /// Table n answers what a byte does to the state that n zero bytes follow. Made once, never freed.
    private nonisolated(unsafe) static let tables: UnsafePointer<UInt32> = {
        let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
        for byte in 0..<256 {
            var entry = UInt32(byte)
            for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? 0x82F6_3B78 : 0) }
            tables[byte] = entry
        }
        for index in 256..<8 * 256 {
            let previous = tables[index - 256]
            tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
        }
        return UnsafePointer(tables)
    }()
}
