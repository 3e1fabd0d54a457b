import Foundation
import JSONText

/// Lines and columns of JSON Pointers in a text.
struct TextPlaces {
    private let text: Data

    init(_ text: Data) { self.text = text }

    /// Where the values are that those pointers lead to, in their order; nil for one that leads nowhere.
    ///
    /// - Complexity: O(bytes + for each pointer the members and elements on its way).
    func positions(of pointers: [JSONPointer]) -> [TextPosition?] {
        guard !pointers.isEmpty else { return [] }
        return text.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            guard let tape = try? Tape.borrowing(bytes, options: JSONReadingOptions()) else { return pointers.map { _ in nil } }
            let offsets = withExtendedLifetime(tape) { pointers.map { TextPlaces.offset(of: $0, tape.view) } }
            return TextPlaces.positions(of: offsets, in: bytes)
        }
    }

    private static func offset(of pointer: JSONPointer, _ view: TapeView) -> Int? {
        var place = view.root
        for token in pointer.tokens {
            let step: Int?
            if view.isObject(place) { step = view.member(token, of: place) } else { step = element(token, of: place, view) }
            guard let step else { return nil }
            place = step
        }
        return view.start(of: place)
    }

    private static func element(_ token: String, of array: Int, _ view: TapeView) -> Int? {
        guard view.isArray(array), let number = JSONPointer.position(token), number < view.count(at: array) else { return nil }
        var element = view.first(in: array)
        for _ in 0..<number { element = view.next(after: element) }
        return element
    }

    /// All positions in one walk, from one offset to the next.
    private static func positions(of offsets: [Int?], in bytes: UnsafeBufferPointer<UInt8>) -> [TextPosition?] {
        var positions = [TextPosition?](repeating: nil, count: offsets.count)
        let order = offsets.indices.filter { offsets[$0] != nil }.sorted { (offsets[$0] ?? 0) < (offsets[$1] ?? 0) }
        // The walk goes on from the beginning of the last line that was found.
        var (line, lineStart) = (1, 0)
        for index in order {
            let offset = offsets[index] ?? 0
            let position = TextPosition(of: offset - lineStart, in: bytes[lineStart...])
            line += position.line - 1
            positions[index] = TextPosition(line: line, column: position.column)
            // A byte-order mark, which counts for nothing, is in front of the first line only.
            if position.line > 1 { lineStart = offset - (position.column - 1) }
        }
        return positions
    }
}
