import JSONText

/// A text that `Codable` values are appended to, and the open values in it.
///
/// The container of a value has no end of its own. It ends when the value's `encode(to:)` returns; `close` then writes the bracket. Only
/// the innermost open value can be written to. A container from `nestedContainer` can be written to in any order, until the value around it
/// ends. It has its own sink, whose text then fills a gap.
final class ValueSink {
    let output: JSONOutput
    /// The names of the members that are written here, to find repeated ones; nil when the finished text is checked.
    private let names: FieldNames?
    // Unchecked: one thread uses a sink, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var scopes: [Scope] = []
    /// The number of the innermost open value; 0 when none is open.
    @safe @exclusivity(unchecked) private var current = 0
    @safe @exclusivity(unchecked) private var lastNumber = 0
    /// The sinks whose texts fill gaps in the open values, in order. The numbers of their values increase.
    @safe @exclusivity(unchecked) private var children: [Child] = []
    /// The names from the resource object to the values that are not part of their coding path.
    let group: [String]
    /// The path from there to this sink.
    private let base: [PathStep]
    /// The number of arrays and objects of the document around the text.
    private let depthAround: Int

    enum Kind { case nothing, keyed, unkeyed, single }

    private struct Scope {
        let number: Int
        let step: PathStep
        var kind = Kind.nothing
        var count = 0
        var namesMark = 0
    }

    private struct Child {
        /// The number of the value that has the gap.
        let parent: Int
        let offset: Int
        let sink: ValueSink
    }

    init(
        _ output: JSONOutput = JSONOutput(), names: FieldNames? = nil, at base: [PathStep] = [], in group: [String] = ["attributes"],
        depthAround: Int = 0
    ) {
        self.output = output
        self.names = names
        self.base = base
        self.group = group
        self.depthAround = depthAround
    }

    // MARK: - Values

    /// Returns a number that no value or object in this sink has had before.
    @inline(__always)
    func nextNumber() -> Int {
        lastNumber &+= 1
        return lastNumber
    }

    /// Opens a value, and returns the number by which its containers identify it.
    func open(_ step: PathStep) -> Int {
        current = nextNumber()
        scopes.append(Scope(number: current, step: step))
        return current
    }

    /// Ends the innermost value. A value that wrote nothing becomes an empty object.
    func close() {
        guard let last = scopes.indices.last else { return }
        switch scopes[last].kind {
        case .nothing:
            output.beginObject()
            output.endObject()
        case .keyed:
            output.endObject()
            names?.restore(to: scopes[last].namesMark)
        case .unkeyed: output.endArray()
        case .single: break
        }
        if !children.isEmpty { fillGaps(of: scopes[last].number) }
        closeSilently()
    }

    /// Writes the texts of the sinks inside a value to their gaps.
    @inline(never)
    private func fillGaps(of number: Int) {
        let first = children.lastIndex { $0.parent < number }.map { $0 + 1 } ?? 0
        output.fill(children[first...].map { ($0.offset, $0.sink.finish()) })
        children.removeSubrange(first...)
    }

    /// Drops the innermost values after an error, so that `depth` values are open.
    func abandon(to depth: Int) {
        while scopes.count > depth { closeSilently() }
        // The numbers of the values that are still open are smaller.
        while let child = children.last, child.parent > current { children.removeLast() }
    }

    /// Ends the innermost value when its text was written by other code.
    func closeSilently() {
        guard !scopes.isEmpty else { return }
        scopes.removeLast()
        current = scopes.last?.number ?? 0
    }

    /// The number of open values.
    var depth: Int { scopes.count }

    /// Whether the value with the given number is the innermost open one.
    @inline(__always)
    func isCurrent(_ number: Int) -> Bool { current == number && number > 0 }

    /// Whether no value is open.
    @inline(__always)
    var isIdle: Bool { current == 0 }

    /// Whether the innermost value has no container yet.
    var isUndecided: Bool { scopes.last?.kind == .nothing }

    /// Sets the kind of the innermost value. Returns false when it already has another kind.
    func begin(_ kind: Kind) -> Bool {
        guard let last = scopes.indices.last else { return false }
        switch (scopes[last].kind, kind) {
        case (.nothing, .keyed):
            output.beginObject()
            scopes[last].namesMark = names?.mark ?? 0
        case (.nothing, .unkeyed): output.beginArray()
        case (.nothing, _): break
        case (.keyed, .keyed), (.unkeyed, .unkeyed): return true
        default: return false
        }
        scopes[last].kind = kind
        return true
    }

    /// The number of elements of the innermost array.
    var count: Int { scopes.last?.count ?? 0 }

    func countElement() { if let last = scopes.indices.last { scopes[last].count += 1 } }

    // MARK: - Values in any order

    /// Returns a sink for one value inside the innermost one. It can be written to until the innermost one ends.
    func detached(_ step: PathStep) -> ValueSink {
        let sink = ValueSink(at: path + [step], in: group, depthAround: wireDepth)
        if current > 0 { children.append(Child(parent: current, offset: output.gap(), sink: sink)) }
        return sink
    }

    /// Ends all values and returns the text.
    func finish() -> [UInt8] {
        // Inner sinks first. A loop collects them, because recursion would be as deep as their nesting.
        var sinks = [self]
        var next = 0
        while next < sinks.count {
            sinks += sinks[next].children.map(\.sink)
            next += 1
        }
        for sink in sinks.reversed() { while sink.depth > 0 { sink.close() } }
        return output.bytes
    }

    // MARK: - Places

    /// The number of arrays and objects of the document around the next value.
    var wireDepth: Int { depthAround + output.depth }

    /// The path from the document to the innermost open value.
    var path: [PathStep] { base + scopes.map(\.step) }
}

/// One step of a path: a name or an index.
enum PathStep {
    case name(String)
    case index(Int)
    /// A step that is not visible, for a value that is encoded as another one in the same place.
    case same

    var key: PathKey? {
        switch self {
        case .name(let name): PathKey(name)
        case .index(let index): PathKey(index: index)
        case .same: nil
        }
    }

    var token: String? {
        switch self {
        case .name(let name): name
        case .index(let index): String(index)
        case .same: nil
        }
    }
}
