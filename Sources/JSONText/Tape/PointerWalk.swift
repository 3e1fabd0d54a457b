/// Creates the pointers of many values in one walk over the tape. The values must be requested in the order of the tape.
///
///     requested words    /data/0/id, /data/7/type, /links
///     walked             data → 0 → id, on to 7 → type, on to links
///
/// `TapeView.pointer(to:)` starts at the root each time. That is fast enough for one failure, but not for a thousand.
package struct PointerWalk {
    private struct Frame {
        let isObject: Bool
        let end: Int
        var position: Int
        var number = 0
        /// The number of bytes of the path to the container.
        let bytes: Int
    }

    private let view: TapeView
    private var frames: [Frame] = []
    /// The path to the innermost frame.
    private var tokens: [String] = []
    /// The last token of the current place, or nil at the root.
    private var last: String?

    package init(_ view: TapeView) { self.view = view }

    /// Moves to the value at `word`, which must not be before the previous one. Returns the number of bytes of its pointer in JSON text.
    ///
    /// - Complexity: O(n) for all calls together, n = number of bytes, plus O(d) for each, d = number of levels left or entered.
    package mutating func move(to word: Int) -> Int {
        guard word != view.root, view.isContainer(view.root) else {
            last = nil
            return 0
        }
        if frames.isEmpty { push(view.root, bytes: 0) }
        while frames.count > 1, let frame = frames.last, word >= frame.end {
            frames.removeLast()
            tokens.removeLast()
        }
        while true {
            let (value, token) = advance(to: word)
            let bytes = (frames.last?.bytes ?? 0) + ReportBudget.cost(ofToken: token)
            if value >= word || !view.isContainer(value) {
                last = token
                return bytes
            }
            tokens.append(token)
            push(value, bytes: bytes)
        }
    }

    /// The pointer to the current place.
    ///
    /// - Complexity: O(n), n = depth.
    package var pointer: JSONPointer { last.map { JSONPointer(tokens: tokens + [$0]) } ?? .root }

    /// Returns the pointer to the value at `word`, which must not be before the previous one.
    package mutating func pointer(to word: Int) -> JSONPointer {
        _ = move(to: word)
        return pointer
    }

    private mutating func push(_ container: Int, bytes: Int) {
        frames.append(
            Frame(
                isObject: view.isObject(container), end: view.end(of: container), position: view.first(in: container), bytes: bytes))
    }

    /// Returns the element or member of the innermost frame that is the word or contains it.
    private mutating func advance(to word: Int) -> (value: Int, token: String) {
        let last = frames.count - 1
        var frame = frames[last]
        var value = frame.isObject ? view.next(after: frame.position) : frame.position
        var following = view.next(after: value)
        while word >= following, following < frame.end {
            frame.position = following
            frame.number += 1
            value = frame.isObject ? view.next(after: following) : following
            following = view.next(after: value)
        }
        frames[last] = frame
        return (value, frame.isObject ? view.string(at: frame.position) : String(frame.number))
    }
}
