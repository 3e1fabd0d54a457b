// Shortens text for messages.

extension String {
    /// Returns the text itself if it has at most `limit` bytes, or else its beginning, `…`, and its end.
    ///
    /// - Complexity: O(limit).
    package func shortened(to limit: Int) -> String {
        let bytes = utf8
        guard bytes.count > max(limit, 0) else { return self }
        let half = max(limit, 0) / 2
        return String(decoding: bytes.prefix(half).wholeHead, as: UTF8.self) + "…"
            + String(decoding: bytes.suffix(half).drop { $0.isUTF8Continuation }, as: UTF8.self)
    }
}

extension JSONPointer {
    /// Returns the text of the pointer if it is short, or else its beginning, `…`, and its end. The result has about `limit` bytes, and at
    /// most `2 * limit + 3`.
    ///
    /// - Complexity: O(n + `limit`), n = number of tokens.
    package func shortened(to limit: Int) -> String {
        let length = tokens.reduce(0) { $0 + $1.utf8.count + 1 }
        guard length > max(limit, 0) else { return description }
        let half = max(limit, 0) / 2
        var head: [UInt8] = []
        for token in tokens where head.count < half {
            head.append(0x2F)
            Self.spell(token.utf8.prefix(half - head.count), into: &head)
        }
        var tail: [UInt8] = []
        for token in tokens.reversed() where tail.count < half {
            var piece: [UInt8] = []
            let room = half - tail.count
            if token.utf8.count < room { piece.append(0x2F) }
            Self.spell(token.utf8.suffix(room), into: &piece)
            tail = piece + tail
        }
        return String(decoding: head[...].wholeHead, as: UTF8.self) + "…"
            + String(decoding: tail.drop { $0.isUTF8Continuation }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without an incomplete character at the end.
    fileprivate var wholeHead: SubSequence {
        var start = endIndex
        var count = 0
        while start > startIndex {
            formIndex(before: &start)
            count += 1
            let byte = self[start]
            if byte.isUTF8Continuation { continue }
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            return length > count ? self[..<start] : self[...]
        }
        return self[...]
    }
}
