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

    private let keys = KeyedHash.shared
    private let list = StableList<Known>()
    /// Numbers of entries by the representation of the name, which is the same string over and over.
    private let recent = Scratch<UInt8>(repeating: 0, count: 256)
    private var texts: [JSONOutput] = []
    private static let limit = 16

    /// A type's entry, valid until the next call.
    @inline(__always)
    func known(_ name: String) -> UnsafeMutablePointer<Known> {
        // In bounds: `recent` holds numbers of entries, or 0.
        if list.count > 0 {
            let entry = list.pointer(Int(recent[Self.slot(name)]))
            if UTF8Bytes.areEqual(entry.pointee.name, name) { return entry }
        }
        return search(name)
    }

    /// One of 256 slots for a string: by its first bytes when it holds them itself, by its length and storage otherwise.
    @inline(__always)
    private static func slot(_ name: String) -> Int {
        let word = withUnsafeBytes(of: name) { bytes in
            // SAFETY: a string is as long as two words on each platform.
            bytes.loadUnaligned(as: UInt.self) ^ bytes.loadUnaligned(fromByteOffset: MemoryLayout<UInt>.size, as: UInt.self)
        }
        return Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: word) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    @inline(never)
    private func search(_ name: String) -> UnsafeMutablePointer<Known> {
        let number = (0..<list.count).first { UTF8Bytes.areEqual(list[$0].name, name) } ?? add(name)
        recent[Self.slot(name)] = UInt8(truncatingIfNeeded: number)
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
            name: name, members: UnsafeBufferPointer(rebasing: output.text.dropFirst()), hash: keys.hash(name, after: 0))
    }
}

extension KeyedHash {
    /// The hash of a text behind others.
    @inline(__always)
    func hash(_ text: String, after start: UInt64) -> UInt64 {
        if let hash = text.utf8.withContiguousStorageIfAvailable({ mix($0, into: start) }) { return hash }
        var copy = text
        return copy.withUTF8 { mix($0, into: start) }
    }
}
