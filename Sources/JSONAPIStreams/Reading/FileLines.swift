import Foundation
import JSONAPICodec
import JSONText

/// Finds the lines of a file. It counts lines only once and as far as needed, and notes the line every 16 KiB.
///
/// `@unchecked Sendable`: the notes are read and written under the lock.
final class FileLines: @unchecked Sendable {
    private static let distance = 1 << 14

    private let lock = Lock()
    /// The positions noted so far, at offsets that are multiples of `distance`.
    private var notes = [LineLocator()]

    /// Returns the line and column of the byte at an offset; nil when the file cannot be read up to there.
    ///
    /// - Complexity: O(1), plus O(offset) once for all calls together.
    func position(of offset: Int, in file: DocumentFile) -> TextPosition? {
        lock.withLock {
            let number = offset / Self.distance
            while notes.count <= number {
                guard let next = Self.lines(behind: notes[notes.count - 1], Self.distance, file) else { return nil }
                notes.append(next)
            }
            return Self.lines(behind: notes[number], offset - notes[number].count, file)?.position
        }
    }

    private static func lines(behind start: LineLocator, _ count: Int, _ file: DocumentFile) -> LineLocator? {
        var lines = start
        while lines.count < start.count + count {
            let missing = start.count + count - lines.count
            guard let bytes = try? file.bytes(at: lines.count, count: missing), !bytes.isEmpty else { return nil }
            var first = 0
            if lines.count == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
                lines.passMark()
                first = 3
            }
            lines.pass(bytes.span.extracting(first...))
        }
        return lines
    }
}
