import JSONText

/// Texts told apart by their bytes: composed and decomposed é are two.
enum ByteSet {
    /// The texts without those that stand a second time, in order.
    static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert(Array($0.utf8)).inserted }
    }
}
