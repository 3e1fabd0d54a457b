import JSONText

/// What a survey has found so far: words on the tape. Pointers are made at the end, in one walk.
struct SurveyFindings {
    private struct Finding {
        let kind: Diagnostic.Kind
        let word: Int
        let message: String
    }

    private var kept: [Finding] = []
    private var omitted: [Diagnostic.Kind: Int] = [:]

    /// Messages are made for those only that are kept.
    mutating func add(_ kind: Diagnostic.Kind, _ word: Int, _ message: () -> String) {
        if kept.count < Diagnostics.limit {
            kept.append(Finding(kind: kind, word: word, message: message()))
        } else {
            omitted[kind, default: 0] += 1
        }
    }

    /// The diagnostics in the order of the document; of one place, in the order in which they were found.
    ///
    /// - Complexity: O(words of the tape).
    func diagnostics(_ view: TapeView) -> Diagnostics {
        var diagnostics = Diagnostics()
        var walk = PointerWalk(view)
        for (_, finding) in kept.enumerated().sorted(by: { ($0.element.word, $0.offset) < ($1.element.word, $1.offset) }) {
            let pointer = walk.pointer(to: finding.word)
            diagnostics.append(finding.kind) { Diagnostic(finding.kind, at: pointer, finding.message) }
        }
        for (kind, count) in omitted { diagnostics.omit(kind, count) }
        return diagnostics
    }
}

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
    }

    private let view: TapeView
    private var frames: [Frame] = []
    /// The path of the innermost frame.
    private var tokens: [String] = []

    package init(_ view: TapeView) { self.view = view }

    /// The pointer to the value at `word`, which is not before the one asked for last.
    ///
    /// - Complexity: O(words) for all calls together, and O(depth) for each.
    package mutating func pointer(to word: Int) -> JSONPointer {
        guard word != view.root, view.isContainer(view.root) else { return .root }
        if frames.isEmpty { push(view.root) }
        while frames.count > 1, let frame = frames.last, word >= frame.end {
            frames.removeLast()
            tokens.removeLast()
        }
        while true {
            let (value, token) = advance(to: word)
            if value >= word || !view.isContainer(value) { return JSONPointer(tokens: tokens + [token]) }
            tokens.append(token)
            push(value)
        }
    }

    private mutating func push(_ container: Int) {
        frames.append(
            Frame(isObject: view.isObject(container), end: view.end(of: container), position: view.first(in: container)))
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
