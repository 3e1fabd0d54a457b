import JSONText

/// A text that `Codable` values are appended to, and the values that are open in it.
///
/// A value's container has no end of its own: it ends when the value's `encode(to:)` returns, and `close` writes the bracket.
/// Only the innermost open value may be written to. A container that was asked for by `nestedContainer` may be written to in
/// any order, until the value around it ends: it has a sink of its own, which fills a gap then.
final class ValueSink {
    let output: JSONOutput
    private let scopes = StableList<Scope>()
    private var serial = 0
    /// The names that lead from the resource object to the values, without being part of their coding path.
    let group: [String]
    /// The way on from there to this sink.
    private let base: [PathStep]

    enum Kind { case nothing, keyed, unkeyed, single }

    private struct Scope {
        let id: Int
        let step: PathStep
        var kind = Kind.nothing
        var count = 0
        var children: [(offset: Int, sink: ValueSink)] = []
    }

    init(_ output: JSONOutput = JSONOutput(), at base: [PathStep] = [], in group: [String] = ["attributes"]) {
        self.output = output
        self.base = base
        self.group = group
    }

    // MARK: - Values

    /// Opens a value; answers the number by which its containers name it.
    func open(_ step: PathStep) -> Int {
        serial += 1
        scopes.append(Scope(id: serial, step: step))
        return serial
    }

    /// Ends the innermost value. One that wrote nothing is an empty object.
    func close() {
        guard let scope = innermost?.pointee else { return }
        scopes.removeLast()
        switch scope.kind {
        case .nothing:
            output.beginObject()
            output.endObject()
        case .keyed: output.endObject()
        case .unkeyed: output.endArray()
        case .single: break
        }
        if !scope.children.isEmpty { output.fill(scope.children.map { ($0.offset, $0.sink.finish()) }) }
    }

    /// Ends the innermost value, which somebody else wrote.
    func closeSilently() { if scopes.count > 0 { scopes.removeLast() } }

    /// Drops the innermost values after an error, so that `depth` are open.
    func abandon(to depth: Int) { while scopes.count > depth { scopes.removeLast() } }

    /// How many values are open.
    var depth: Int { scopes.count }

    /// Whether the value of that number is the innermost open one.
    @inline(__always)
    func isCurrent(_ id: Int) -> Bool { innermost?.pointee.id == id }

    /// The innermost open value.
    @inline(__always)
    private var innermost: UnsafeMutablePointer<Scope>? { scopes.count > 0 ? scopes.pointer(scopes.count - 1) : nil }

    /// Says what the innermost value is. False when it is something else already.
    func begin(_ kind: Kind) -> Bool {
        guard let scope = innermost else { return false }
        switch (scope.pointee.kind, kind) {
        case (.nothing, .keyed): output.beginObject()
        case (.nothing, .unkeyed): output.beginArray()
        case (.nothing, _): break
        case (.keyed, .keyed), (.unkeyed, .unkeyed): return true
        default: return false
        }
        scope.pointee.kind = kind
        return true
    }

    /// How many elements the innermost array has.
    var count: Int { innermost?.pointee.count ?? 0 }

    func countElement() { innermost?.pointee.count += 1 }

    // MARK: - Values in any order

    /// A sink for one value inside the innermost one, to be written until that ends.
    func detached(_ step: PathStep) -> ValueSink {
        let sink = ValueSink(at: path + [step], in: group)
        if let scope = innermost { scope.pointee.children.append((output.gap(), sink)) }
        return sink
    }

    /// Ends everything; the text.
    func finish() -> [UInt8] {
        while scopes.count > 0 { close() }
        return output.bytes
    }

    // MARK: - Places

    /// How many arrays and objects are at least around this sink, when it is not the document's.
    var depthOfBase: Int { base.count }

    /// The way from the document to the innermost open value.
    var path: [PathStep] { base + (0..<scopes.count).map { scopes[$0].step } }
}

/// One step of a path: a name or an index.
enum PathStep {
    case name(String)
    case index(Int)
    /// A step that does not show: a value that hands on to another in the same place.
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
