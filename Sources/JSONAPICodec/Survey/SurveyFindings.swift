import JSONText

/// What was found in a document so far: words on the tape. Pointers are spelled out at the end, in one walk, as far as the budget
/// of the report goes.
struct SurveyFindings {
    private struct Finding {
        let kind: Diagnostic.Kind
        let word: Int
        let message: String
    }

    private var kept: [Finding] = []
    private var omitted: [Diagnostic.Kind: Int] = [:]

    /// Messages are made only for findings that are kept.
    mutating func add(_ kind: Diagnostic.Kind, _ word: Int, _ message: () -> String) {
        if kept.count < Diagnostics.limit {
            kept.append(Finding(kind: kind, word: word, message: message().shortened(to: Diagnostic.maximumMessageBytes)))
        } else {
            omitted[kind, default: 0] += 1
        }
    }

    /// The diagnostics in the order of the document; of one place, in the order in which they were found.
    ///
    /// - Complexity: O(bytes of the document).
    func diagnostics(_ view: TapeView, maximumBytes: Int) -> Diagnostics {
        let order = kept.indices.sorted { (kept[$0].word, $0) < (kept[$1].word, $1) }
        return diagnostics(view, maximumBytes, order, shownIn: order)
    }

    /// The same in the order in which they were found.
    func diagnosticsAsFound(_ view: TapeView, maximumBytes: Int) -> Diagnostics {
        let order = kept.indices.sorted { (kept[$0].word, $0) < (kept[$1].word, $1) }
        return diagnostics(view, maximumBytes, order, shownIn: Array(kept.indices))
    }

    /// - Parameters:
    ///   - order: The numbers of the findings in the order of the document, in which they are spelled out.
    ///   - shown: The numbers in the order of the result.
    private func diagnostics(_ view: TapeView, _ maximumBytes: Int, _ order: [Int], shownIn shown: [Int]) -> Diagnostics {
        var budget = ReportBudget(maximumBytes)
        var pointers = [JSONPointer?](repeating: nil, count: kept.count)
        var walk = PointerWalk(view)
        for number in order {
            let cost = walk.move(to: kept[number].word) + kept[number].message.utf8.count + Diagnostic.overhead
            if budget.pays(cost) { pointers[number] = walk.pointer }
        }
        var diagnostics = Diagnostics(budget)
        for number in shown {
            let finding = kept[number]
            if let pointer = pointers[number] {
                diagnostics.keep(Diagnostic(finding.kind, at: pointer, finding.message))
            } else {
                diagnostics.omit(finding.kind, 1)
            }
        }
        for (kind, count) in omitted { diagnostics.omit(kind, count) }
        return diagnostics
    }
}

/// The bytes that a report may still take.
///
/// A report repeats the names around a fault for each fault, so without a budget its size is the square of the document's: a name of
/// 50,000 bytes around 10,000 faults makes 500 MB.
package struct ReportBudget: Sendable {
    /// What is left.
    package private(set) var bytes: Int

    package init(_ bytes: Int) { self.bytes = max(bytes, 0) }

    /// Takes the bytes if they are there. Returns whether they were.
    package mutating func pays(_ cost: Int) -> Bool {
        guard cost <= bytes else { return false }
        bytes -= cost
        return true
    }

    /// Bytes of a pointer in JSON text.
    package static func cost(of pointer: JSONPointer) -> Int { pointer.tokens.reduce(0) { $0 + cost(ofToken: $1) } }

    /// Bytes of `/` and a token in JSON text, all escapes counted.
    static func cost(ofToken token: String) -> Int { 1 + cost(of: token) }

    /// Bytes of a text in JSON text, or of a token in a pointer, whichever are more.
    package static func cost(of text: String) -> Int {
        var cost = 0
        for byte in text.utf8 {
            switch byte {
            // U+0080 to U+009F begin with this byte, and are written as six.
            case 0x00..<0x20, 0x7F, 0xC2: cost += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "~"), UInt8(ascii: "/"): cost += 2
            default: cost += 1
            }
        }
        return cost
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
