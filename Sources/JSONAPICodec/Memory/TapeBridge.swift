import JSONText

struct TapeNameIndex {
    private var values: [[UInt8]: Int] = [:]
    init(_ view: TapeView, of object: Int) {
        view.forEachMember(of: object) { name, value in values[Array(view.string(at: name).utf8)] = value }
    }
    func value(of name: Span<UInt8>, in view: TapeView) -> Int? { values[name.withUnsafeBufferPointer { Array($0) }] }
}

extension TapeView {
    /// The word of the name in front of a member's value. A name beyond 16 MB has its length in a word of its own behind, which is
    /// never that of a string.
    func nameWord(of value: Int) -> Int { isString(value - 1) ? value - 1 : value - 2 }
}
