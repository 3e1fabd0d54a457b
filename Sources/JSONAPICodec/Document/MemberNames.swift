import JSONMapping
import JSONText

/// The names of members that coding keys stand for, each converted once for a call.
///
/// Models ask in the same order again and again: the name that followed the last one is tried first, which takes a comparison in place of
/// a hash.
final class MemberNames {
    private struct Pair {
        let key: String
        let member: String
        /// The number of the name that was asked for next.
        var next = 0
    }

    private let strategy: KeyStrategy
    // Unchecked: one thread uses a session, and the strategy's function is called while none of these changes.
    @safe @exclusivity(unchecked) private var pairs: [Pair] = []
    @safe @exclusivity(unchecked) private var last = 0
    private var numbers: [ByteText: Int] = [:]
    private var keys: [ByteText: String] = [:]

    init(_ strategy: KeyStrategy) { self.strategy = strategy }

    /// The name of the member that a coding key of that name stands for. `id`, `type` and paths stay as they are.
    @inline(__always)
    func member(_ key: String) -> String {
        if last < pairs.count {
            let next = pairs[last].next
            if UTF8Bytes.areEqual(pairs[next].key, key) {
                last = next
                return pairs[next].member
            }
        }
        return search(key)
    }

    @inline(never)
    private func search(_ key: String) -> String {
        let number = numbers[ByteText(key)] ?? add(key)
        if last < pairs.count { pairs[last].next = number }
        last = number
        return pairs[number].member
    }

    private func add(_ key: String) -> Int {
        let isKept = DecodingSession.isIdentityName(key) || key.utf8.contains(UInt8(ascii: "."))
        let member = isKept ? key : strategy.memberName(key)
        pairs.append(Pair(key: key, member: member))
        numbers[ByteText(key)] = pairs.count - 1
        keys[ByteText(member)] = key
        return pairs.count - 1
    }

    /// The name of the coding key that a member was asked for by; nil for one that was not asked for.
    func key(_ member: String) -> String? { keys[ByteText(member)] }
}
