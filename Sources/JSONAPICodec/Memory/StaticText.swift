import Foundation
import JSONMapping
import JSONText

// Memory that the encoder shares with other code: text that becomes `Data`, and dates that are written in place.

extension Data {
    /// Creates data from the written text: a copy, or for a long text the memory that it was written to.
    ///
    /// The output then has memory for another text of that length. Copying 240 KB took 5 % of the instructions of encoding them.
    init(taking output: JSONOutput) {
        let count = output.count
        if count <= 1 << 15 {
            self = output.withText { text in unsafe text.withUnsafeBufferPointer { unsafe Data($0) } }
            return
        }
        // The output gives up its memory, so `Data` is its only owner.
        let next = count + count / 8
        let text = unsafe output.take(continuingWith: next <= EncodingPool.keptCapacity ? next : EncodingPool.firstCapacity)
        self = unsafe text.baseAddress.map { unsafe Data(bytesNoCopy: $0, count: text.count, deallocator: .free) } ?? Data()
    }
}

extension JSONOutput {
    /// Writes a date in the years 0 to 9999.
    func date(_ date: Date) {
        plainString(room: DateText.longest) { memory in
            unsafe memory.withUnsafeMutableBufferPointer { unsafe DateText.write(date, into: $0) ?? 0 }
        }
    }
}
