import Foundation

extension Data {
    /// Calls `body` with the bytes, in place.
    func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        // In bounds: the span covers the buffer, which is valid until the closure returns; a span cannot leave it.
        try unsafe withUnsafeBytes { raw in try body(unsafe raw.bindMemory(to: UInt8.self).span) }
    }
}
