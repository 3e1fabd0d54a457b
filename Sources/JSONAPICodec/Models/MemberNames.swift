import JSONMapping
import JSONText

/// The member names for coding keys. Each key is converted once per call of the decoder or encoder.
///
/// Models ask for their keys in the same order every time. The name that followed the last one is tried first, which costs a comparison
/// instead of a hash.
final class MemberNames {
    private struct Pair {
        let key: String
        let member: String
        /// The index of the name that was asked for next.
        var next = 0
    }

    private let strategy: KeyStrategy
    // Unchecked: only one thread uses a session, and the strategy's function is called while none of these changes.
    @safe @exclusivity(unchecked) private var pairs: [Pair] = []
    @safe @exclusivity(unchecked) private var last = 0
    private var numbers: [ByteText: Int] = [:]
    private var keys: [ByteText: String] = [:]

    private init(_ strategy: KeyStrategy) { self.strategy = strategy }

    /// Returns the names that a strategy makes; nil when keys stay as they are.
    static func of(_ strategy: KeyStrategy) -> MemberNames? {
        if case .useDefaultKeys = strategy { return nil }
        return MemberNames(strategy)
    }

    /// Returns the member name for the coding key with the given name.
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
        let member = strategy.resourceName(key)
        pairs.append(Pair(key: key, member: member))
        numbers[ByteText(key)] = pairs.count - 1
        keys[ByteText(member)] = key
        return pairs.count - 1
    }

    /// Returns the name of the coding key that asked for a member; nil when no key asked for it.
    func key(_ member: String) -> String? { keys[ByteText(member)] }
}

extension KeyStrategy {
    /// Returns the name in a resource for a coding key of its model. `id`, `type`, the groups of fields and paths stay as they are. A key
    /// that is not the identity does not become it: the name is then that of an attribute.
    func resourceName(_ key: String) -> String {
        if ResourcePart.isIdentity(key) || ResourcePart(rawValue: key)?.holdsFields == true { return key }
        if UTF8Bytes.contains(UInt8(ascii: "."), in: key) { return key }
        let name = memberName(key)
        return ResourcePart.isIdentity(name) ? "attributes.\(name)" : name
    }
}

extension MemberNames? {
    /// Returns the member name for a coding key.
    @inline(__always)
    func member(_ key: some CodingKey) -> String {
        guard let names = self else { return key.stringValue }
        let name = names.member(key.stringValue)
        return UTF8Bytes.contains(UInt8(ascii: "."), in: name) ? identity(name, key) : name
    }

    /// Returns the identity for a key that a strategy converts to it, if no other key of the model is the identity.
    @inline(never)
    private func identity<Key: CodingKey>(_ name: String, _ key: Key) -> String {
        let identity = name == "attributes.id" ? "id" : name == "attributes.type" ? "type" : nil
        guard let identity, name != key.stringValue, Key(stringValue: identity) == nil else { return name }
        return identity
    }
}
