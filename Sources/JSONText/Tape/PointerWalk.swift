/// Makes the pointers of many values in one walk over the tape, as long as they are asked for in its order.
///
///     words asked for    /data/0/id, /data/7/type, /links
///     walked             data → 0 → id, on to 7 → type, on to links
///
/// `TapeView.pointer(to:)` begins at the root each time, which is right for one failure and wrong for a thousand.
package struct PointerWalk {
    private struct Frame {
        let isObject: Bool
        let end: Int
        var position: Int
        var number = 0
        /// Bytes of the path to the container, spelled out.
        let bytes: Int
    }

    private let view: TapeView
    private var frames: [Frame] = []
    /// The path of the innermost frame.
    private var tokens: [String] = []
    /// The last token of the place; nil at the root.
    private var last: String?

    package init(_ view: TapeView) { self.view = view }

    /// Goes to the value at `word`, which is not before the one asked for last. Returns how many bytes its pointer takes in JSON text.
    ///
    /// - Complexity: O(bytes) for all calls together, and O(levels left or entered) for each.
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

    /// The pointer to the place that the walk is at.
    ///
    /// - Complexity: O(depth).
    package var pointer: JSONPointer { last.map { JSONPointer(tokens: tokens + [$0]) } ?? .root }

    /// The pointer to the value at `word`, which is not before the one asked for last.
    package mutating func pointer(to word: Int) -> JSONPointer {
        _ = move(to: word)
        return pointer
    }

    private mutating func push(_ container: Int, bytes: Int) {
        frames.append(
            Frame(
                isObject: view.isObject(container), end: view.end(of: container), position: view.first(in: container), bytes: bytes))
    }

    /// The element or member of the innermost frame that is, or holds, the word.
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
