/// Mutates a text: bytes, runs of bytes, and JSON values.
package struct FuzzMutator {
    package var random: FuzzRandom
    let others: [[UInt8]]
    static let longest = 20_000

    package init(random: FuzzRandom, others: [[UInt8]]) {
        self.random = random
        self.others = others
    }

    /// Applies one to four mutations, and none in one of sixteen cases.
    package mutating func mutate(_ bytes: inout [UInt8]) {
        if random.chance(1, in: 16) { return }
        for _ in 0...random.below(4) {
            if random.chance(3, in: 5) { mutateValue(&bytes) } else { mutateBytes(&bytes) }
            if bytes.count > Self.longest { bytes.removeSubrange(Self.longest...) }
        }
    }

    // MARK: - Bytes

    package mutating func mutateBytes(_ bytes: inout [UInt8]) {
        let place = random.below(bytes.count)
        switch random.below(9) {
        case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where !bytes.isEmpty:
            bytes[place] = random.pick(Array("{}[]\",:\\/ \n0-.eEntfu".utf8) + [0, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF])
        case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 3 where !bytes.isEmpty: bytes.remove(at: place)
        case 4: bytes.removeSubrange(place...)
        case 5: bytes.removeSubrange(place..<min(bytes.count, place + random.below(32)))
        case 6: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(64))], at: place)
        case 7:
            // The beginning of this text, and the end of another.
            let other = random.pick(others)
            bytes = Array(bytes[..<place]) + other[random.below(other.count)...]
        default: bytes.insert(contentsOf: random.pick(FuzzCorpus.values), at: place)
        }
    }

    // MARK: - Values

    private mutating func mutateValue(_ bytes: inout [UInt8]) {
        let spans = Self.values(in: bytes)
        guard !spans.isEmpty else { return mutateBytes(&bytes) }
        let span = random.pick(spans)
        switch random.below(8) {
        case 0: bytes.replaceSubrange(span, with: random.pick(FuzzCorpus.values))
        case 1:
            let isString = bytes[span.lowerBound] == UInt8(ascii: "\"")
            bytes.replaceSubrange(span, with: random.pick(isString ? FuzzCorpus.words : FuzzCorpus.values))
        case 2: bytes.replaceSubrange(span, with: bytes[random.pick(spans)])
        case 3: delete(span, from: &bytes)
        case 4: bytes.insert(contentsOf: [UInt8(ascii: ",")] + bytes[span], at: span.upperBound)
        case 5:
            let other = random.pick(others)
            let values = Self.values(in: other)
            if !values.isEmpty { bytes.replaceSubrange(span, with: other[random.pick(values)]) }
        case 6: wrap(span, in: &bytes)
        default:
            let digits = [UInt8](repeating: UInt8(ascii: "7"), count: 1 + random.below(random.chance(1, in: 20) ? 2000 : 25))
            bytes.replaceSubrange(span, with: digits)
        }
    }

    /// Deletes a value with its comma, or with its name.
    private mutating func delete(_ span: Range<Int>, from bytes: inout [UInt8]) {
        var span = span
        while span.upperBound < bytes.count, bytes[span.upperBound] <= 0x20 { span = span.lowerBound..<span.upperBound + 1 }
        if span.upperBound < bytes.count, bytes[span.upperBound] == UInt8(ascii: ",") || random.chance(1, in: 8) {
            span = span.lowerBound..<span.upperBound + 1
        }
        if span.lowerBound > 0, let colon = bytes[..<span.lowerBound].lastIndex(where: { $0 > 0x20 }), bytes[colon] == UInt8(ascii: ":"),
            let quote = bytes[..<colon].lastIndex(of: UInt8(ascii: "\"")),
            let start = bytes[..<quote].lastIndex(of: UInt8(ascii: "\""))
        {
            span = start..<span.upperBound
        }
        bytes.removeSubrange(span)
    }

    private mutating func wrap(_ span: Range<Int>, in bytes: inout [UInt8]) {
        let depth = random.chance(1, in: 50) ? 480 + random.below(60) : 1 + random.below(6)
        let isArray = random.chance(2, in: 3)
        let value = Array(bytes[span])
        let before = [[UInt8]](repeating: Array((isArray ? "[" : "{\"a\":").utf8), count: depth).joined()
        let after = [UInt8](repeating: UInt8(ascii: isArray ? "]" : "}"), count: depth)
        bytes.replaceSubrange(span, with: Array(before) + value + after)
    }

    /// The ranges of values and names, as far as the text looks like JSON. O(n).
    package static func values(in bytes: [UInt8]) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        var open: [Int] = []
        var position = 0
        while position < bytes.count {
            let start = position
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position = min(position + 1, bytes.count)
                spans.append(start..<position)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(position)
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                position += 1
                if let start = open.popLast() { spans.append(start..<position) }
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                while position < bytes.count, bytes[position] > 0x20, !",]}:".utf8.contains(bytes[position]) { position += 1 }
                spans.append(start..<position)
            default: position += 1
            }
        }
        return spans
    }
}
