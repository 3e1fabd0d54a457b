import JSONText

/// The types of the resources of one document: what stands in front of their ids, and where the hashes of their identities begin.
///
/// A few types are all that most documents have; beyond sixteen they are made anew each time.
final class KnownTypes {
    struct Known {
        let name: String
        /// `"type":"people","id":`, kept by `texts`.
        let members: UnsafeBufferPointer<UInt8>
        let hash: UInt64
        /// Whether resources may have this type, as far as it was asked.
        var isChecked = false
    }

    private let list = StableList<Known>()
    /// Numbers of entries by the representation of the name, which is the same string over and over.
    private let recent = Scratch<Int>(repeating: 0, count: 16)
    private var texts: [JSONOutput] = []
    private static let limit = 16

    /// A type's entry, valid until the next call.
    @inline(__always)
    func known(_ name: String) -> UnsafeMutablePointer<Known> {
        // In bounds: `recent` holds numbers of entries, or 0.
        if list.count > 0 {
            let entry = list.pointer(recent[Self.slot(name)])
            if UTF8Bytes.areEqual(entry.pointee.name, name) { return entry }
        }
        return search(name)
    }

    /// One of 16 slots for a string: by its first bytes when it holds them itself, by its length and storage otherwise.
    @inline(__always)
    private static func slot(_ name: String) -> Int {
        let word = withUnsafeBytes(of: name) { bytes in
            // SAFETY: a string is as long as two words on each platform.
            bytes.loadUnaligned(as: UInt.self) ^ bytes.loadUnaligned(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
        }
        return Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: word) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }

    @inline(never)
    private func search(_ name: String) -> UnsafeMutablePointer<Known> {
        let number = (0..<list.count).first { UTF8Bytes.areEqual(list[$0].name, name) } ?? add(name)
        recent[Self.slot(name)] = number
        return list.pointer(number)
    }

    private func add(_ name: String) -> Int {
        // One type more than the limit takes the place of the one that came last.
        if list.count == Self.limit {
            list.removeLast()
            texts.removeLast()
        }
        return list.append(make(name))
    }

    private func make(_ name: String) -> Known {
        let output = JSONOutput()
        output.beginObject()
        output.name("type")
        output.string(name)
        output.name("id")
        texts.append(output)
        return Known(
            name: name, members: UnsafeBufferPointer(rebasing: output.text.dropFirst()), hash: SeededHash.hash(name, after: 0))
    }
}

/// A hash of texts whose seed changes with each process: nobody can choose ids that collide.
enum SeededHash {
    private static let seed = UInt64.random(in: .min ... .max)

    @inline(__always)
    static func hash(_ text: String, after start: UInt64) -> UInt64 {
        if let hash = text.utf8.withContiguousStorageIfAvailable({ hash($0, after: start) }) { return hash }
        var copy = text
        return copy.withUTF8 { hash($0, after: start) }
    }

    /// Eight bytes at a time, each product of two words folded into one; the last eight bytes may be hashed twice.
    @inline(__always)
    static func hash(_ bytes: UnsafeBufferPointer<UInt8>, after start: UInt64) -> UInt64 {
        let raw = UnsafeRawBufferPointer(bytes)
        let count = bytes.count
        var hash = folded(start ^ seed, 0x9E37_79B9_7F4A_7C15)
        guard count >= 8 else {
            var word: UInt64 = 0
            for byte in bytes { word = word << 8 | UInt64(byte) }
            return folded(hash ^ word, UInt64(truncatingIfNeeded: count) ^ 0xD6E8_FEB8_6659_FD93)
        }
        var offset = 0
        // SAFETY: a word is loaded only while eight bytes remain.
        while count - offset > 8 {
            hash = folded(hash ^ raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self), 0xA076_1D64_78BD_642F)
            offset += 8
        }
        let word = raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        return folded(hash ^ word, UInt64(truncatingIfNeeded: count) ^ 0xD6E8_FEB8_6659_FD93)
    }

    @inline(__always)
    private static func folded(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
