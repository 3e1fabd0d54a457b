import Foundation
import JSONText

/// The bytes of a text for the duration of a call. Nothing made from them may leave the call, except a tape that has taken over its bytes.
@safe struct BorrowedText {
    /// Valid until the closure that received them returns.
    private let bytes: UnsafeBufferPointer<UInt8>

    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

    /// Parses the text. The tape is valid as long as the text, or without limit once it has its own copy of the bytes.
    func tape(_ options: JSONReadingOptions, reusing memory: TapeMemory? = nil) throws(JSONSyntaxError) -> Tape {
        unsafe try Tape.borrowing(bytes, options: options, reusing: memory)
    }

    /// Returns the lines and columns of bytes, in the same order; nil for a nil offset. One walk over the text, for any number of them.
    func positions(of offsets: [Int?]) -> [TextPosition?] { unsafe TextPosition.positions(of: offsets, in: bytes.span) }
}

extension Data {
    /// Calls `body` with the bytes as a text.
    func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        // Bytes can be read as `UInt8`, whatever type the memory was bound to.
        unsafe try withUnsafeBytes { unsafe try body(BorrowedText($0.bindMemory(to: UInt8.self))) }
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as a text.
    func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        unsafe try withUnsafeBufferPointer { unsafe try body(BorrowedText($0)) }
    }
}
