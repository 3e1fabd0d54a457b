import Foundation
import JSONText

/// The bytes of a text for the time of a call. What is made of them may not leave the call, but for a tape that has taken its bytes over.
@safe struct BorrowedText {
    /// In place until the closure to which this was handed returns.
    private let bytes: UnsafeBufferPointer<UInt8>

    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes = bytes }

    /// Parses the text. The tape is good as long as the text is, or as long as it likes once it has its own copy of the bytes.
    func tape(_ options: JSONReadingOptions, reusing memory: TapeMemory? = nil) throws(JSONSyntaxError) -> Tape {
        unsafe try Tape.borrowing(bytes, options: options, reusing: memory)
    }

    /// Line and column of a byte. O(offset).
    func position(of offset: Int) -> TextPosition { unsafe TextPosition(of: offset, in: bytes) }
}

extension Data {
    /// Lends the bytes as a text.
    func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        // Bytes are bytes, whatever type the memory was bound to.
        unsafe try withUnsafeBytes { unsafe try body(BorrowedText($0.bindMemory(to: UInt8.self))) }
    }
}

extension [UInt8] {
    /// Lends the bytes as a text.
    func withText<Result>(_ body: (BorrowedText) throws -> Result) rethrows -> Result {
        unsafe try withUnsafeBufferPointer { unsafe try body(BorrowedText($0)) }
    }
}
