import Foundation

extension String {
    /// Calls `body` with the UTF-8 bytes of the text.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        var copy = self
        // SAFETY: the bytes outlive the call of the closure, and a span cannot leave it.
        return copy.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
    }
}

extension DateText {
    /// Returns the date of a text whose bytes lie in a buffer. See `date(_:)` for spans.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        // SAFETY: the caller keeps the buffer alive; the span ends with the call.
        unsafe date(Span(_unsafeElements: text))
    }

    /// Writes the text of `text(_:)` into memory for at least `longest` bytes. Returns how many bytes the text has; nil, and
    /// nothing written, outside the years 0 to 9999.
    package static func write(_ date: Date, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard let text = bytes(of: date), buffer.count >= longest else { return nil }
        let target = UnsafeMutableRawBufferPointer(buffer)
        for index in 0..<text.wordCount {
            // SAFETY: the words take 8 × 5 bytes at most, which is `longest`; the raw buffer checks that in debug builds too.
            unsafe target.storeBytes(of: text.words[index].littleEndian, toByteOffset: 8 * index, as: UInt64.self)
        }
        return text.count
    }

    /// Returns the date in UTC with 0, 3, 6, 9, 12, 15 or 18 digits of the second, the fewest that read back as the same date.
    /// Returns nil outside the years 0 to 9999.
    ///
    /// Within 8 milliseconds of 2001-01-01T00:00:00Z a date can be finer than 18 digits tell. There it is rounded, unless it is a
    /// whole number of milliseconds.
    package static func text(_ date: Date) -> String? {
        var isWritten = false
        let text = unsafe String(unsafeUninitializedCapacity: longest) { buffer in
            // SAFETY: the buffer has the capacity that was asked for, or more.
            guard let count = unsafe write(date, into: buffer) else { return 0 }
            isWritten = true
            return count
        }
        return isWritten ? text : nil
    }
}
