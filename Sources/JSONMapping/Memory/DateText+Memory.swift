import Foundation

extension DateText {
    /// Writes the text of `text(_:)` to a buffer of at least `longest` bytes. Returns the number of bytes. Returns nil and writes nothing
    /// for a date outside the years 0 to 9999, or if the buffer is too small.
    package static func write(_ date: Date, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard let parts = parts(of: date), buffer.count >= longest else { return nil }
        let text = UnsafeMutableRawBufferPointer(buffer)
        // SAFETY: the buffer has at least `longest` (40) bytes. The text has 20, and a fraction adds at most 19.
        unsafe text.storeBytes(of: parts.date.littleEndian, as: UInt64.self)
        unsafe text.storeBytes(of: parts.time.littleEndian, toByteOffset: 8, as: UInt64.self)
        unsafe text.storeBytes(of: parts.end.littleEndian, toByteOffset: 16, as: UInt32.self)
        guard parts.digitCount > 0 else { return parts.count }
        var rest = parts.fraction.units
        var place = 19 + parts.digitCount
        while place >= 20 {
            unsafe text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            place -= 1
        }
        unsafe text[20 + parts.digitCount] = UInt8(ascii: "Z")
        return parts.count
    }

    /// Returns the date in UTC with 0, 3, 6, 7, 8, 9, 12, 15 or 18 fraction digits, the fewest that read back as the same date. Returns nil
    /// outside the years 0 to 9999.
    ///
    /// Within 8 milliseconds of 2001-01-01T00:00:00Z, a date can be more precise than 18 digits. Such a date is rounded, unless it is a
    /// whole number of milliseconds.
    package static func text(_ date: Date) -> String? {
        var isWritten = false
        let text = unsafe String(unsafeUninitializedCapacity: longest) { buffer in
            // SAFETY: the buffer has at least the requested capacity.
            guard let count = unsafe write(date, into: buffer) else { return 0 }
            isWritten = true
            return count
        }
        return isWritten ? text : nil
    }
}
