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
            return TextPosition.positions(of: offsets, in: bytes)
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
}
