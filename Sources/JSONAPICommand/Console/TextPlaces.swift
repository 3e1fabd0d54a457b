import Foundation
import JSONText

/// Finds the lines and columns of JSON Pointers in a text.
struct TextPlaces {
    private let text: Data

    init(_ text: Data) { self.text = text }

    /// Returns the positions of the values at pointers, in their order; nil for a pointer to nothing.
    ///
    /// - Complexity: O(bytes + for each pointer the members on its way), if pointers into one array go forwards.
    func positions(of pointers: [JSONPointer]) -> [TextPosition?] {
        guard !pointers.isEmpty else { return [] }
        return text.withBytes { bytes in
            let offsets = try? Tape.with(bytes, options: JSONReadingOptions()) { tape in
                var finder = PlaceFinder(tape.view)
                return pointers.map { finder.offset(of: $0) }
            }
            guard let offsets else { return pointers.map { _ in nil } }
            return TextPosition.positions(of: offsets, in: bytes)
        }
    }
}

/// Finds values on a tape by their pointers. In an array it continues at the last element that it found.
private struct PlaceFinder {
    private let view: TapeView
    /// The last element found in each array: its number and its word.
    private var lastElements: [Int: (number: Int, word: Int)] = [:]

    init(_ view: TapeView) { self.view = view }

    mutating func offset(of pointer: JSONPointer) -> Int? {
        var place = view.root
        for token in pointer.tokens {
            let step: Int?
            if view.isObject(place) { step = view.member(token, of: place) } else { step = element(token, of: place) }
            guard let step else { return nil }
            place = step
        }
        return view.start(of: place)
    }

    private mutating func element(_ token: String, of array: Int) -> Int? {
        guard view.isArray(array), let number = JSONPointer.position(token), number < view.count(at: array) else { return nil }
        var (position, word) = (0, view.first(in: array))
        if let last = lastElements[array], last.number <= number { (position, word) = last }
        for _ in position..<number { word = view.next(after: word) }
        lastElements[array] = (number, word)
        return word
    }
}
