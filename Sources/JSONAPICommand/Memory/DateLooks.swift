import JSONMapping
import JSONText

extension String {
    /// Whether the text is a date of RFC 3339.
    var isDateText: Bool {
        // In bounds: the buffer is valid until the closure returns, and is not kept.
        unsafe UTF8Bytes.with(self) { bytes in unsafe DateText.date(bytes) != nil }
    }
}
