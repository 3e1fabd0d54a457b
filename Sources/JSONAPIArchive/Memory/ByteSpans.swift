import Foundation
import JSONAPICodec

extension String {
    /// Calls `body` with the UTF-8 bytes of the text.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var copy = self
        // SAFETY: the bytes are valid during the call, and a span cannot escape from it.
        return copy.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
    }
}

extension Array<UInt8> {
    /// Creates a copy of the bytes.
    init(copying bytes: Span<UInt8>) { self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }

    mutating func append(copying bytes: Span<UInt8>) {
        // SAFETY: the buffer is used within the call.
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    /// Appends the UTF-8 bytes of a text.
    mutating func append(bytesOf text: String) {
        var text = text
        // SAFETY: the buffer is used within the call.
        text.withUTF8 { unsafe append(contentsOf: $0) }
    }
}

extension Span<UInt8> {
    /// Returns whether both contain the same bytes.
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                // SAFETY: both have `count` bytes.
                return unsafe memcmp(mine, theirs, count) == 0
            }
        }
    }

    /// Skips a part of the bytes, which begins at `position`. Returns whether it is there.
    func skips(_ part: String, at position: inout Int) -> Bool {
        defer { position += part.utf8.count }
        return part.withBytes { part in
            count - position >= part.count && extracting(position..<position + part.count).equals(part)
        }
    }

    /// Returns whether the bytes contain others.
    package func contains(_ part: [UInt8]) -> Bool { firstIndex(of: part, from: 0) != nil }

    /// Returns the first index, from an offset on, at which the bytes contain others.
    package func firstIndex(of part: [UInt8], from start: Int) -> Int? {
        guard let first = part.first, count >= part.count else { return nil }
        var position = start
        while position <= count - part.count {
            if self[position] == first, extracting(position..<position + part.count).equals(part.span) { return position }
            position += 1
        }
        return nil
    }

    /// Returns whether these bytes sort before the others, compared as unsigned numbers from the left.
    func precedes(_ other: Span<UInt8>) -> Bool {
        for index in 0..<Swift.min(count, other.count) where self[index] != other[index] { return self[index] < other[index] }
        return count < other.count
    }
}
