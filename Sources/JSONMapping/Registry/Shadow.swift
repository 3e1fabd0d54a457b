import JSONText

/// The member of an object in which schemas write and read the fields that they do not represent, while a server reads what a client has
/// sent.
///
/// No client knows its name. So nothing that a client sends can become the value of a hidden field, whatever becomes of the errors, and
/// whichever code reads the value.
package struct Shadow: Sendable {
    /// The name of the member.
    package let name: String
    /// Where objects of the client have members with the names of hidden fields.
    package let refusals: Refusals
    /// The attributes of the primary resource that the client has sent, if a rewriter may have added others.
    package var sent: JSONObject?

    /// Whether the resources that a document includes are the server's own.
    package var trustsIncluded = false
    /// Whether the server has written what is read, so that an object without a shadow has all fields in their places.
    package var isTrusted = false

    /// Creates a shadow with a name that nobody can guess.
    package init() {
        refusals = Refusals()
        var random = SystemRandomNumberGenerator()
        name = "shadow-\(String(random.next(), radix: 16))-\(String(random.next(), radix: 16))"
    }

    /// Paths of hidden fields, each once. A schema has few of them.
    ///
    /// `@unchecked Sendable`: `lock` protects `noted`.
    package final class Refusals: @unchecked Sendable {
        private let lock = Lock()
        private var noted: Set<JSONPointer> = []

        /// The paths, from the objects whose schemas they belong to.
        package var paths: Set<JSONPointer> { lock.withLock { noted } }

        func note(_ paths: Set<JSONPointer>) {
            if !paths.isEmpty { lock.withLock { noted.formUnion(paths) } }
        }
    }
}

// MARK: - In coders

extension Shadow {
    private static let key = CodingUserInfoKey(rawValue: "JSONMapping.shadow")

    /// Returns the shadow in a coder's `userInfo`, or nil if there is none.
    package init?(in userInfo: [CodingUserInfoKey: Any]) {
        guard !userInfo.isEmpty, let key = Self.key, let shadow = userInfo[key] as? Shadow else { return nil }
        self = shadow
    }

    /// Stores the shadow in a coder's `userInfo`.
    package func put<Value>(into userInfo: inout [CodingUserInfoKey: Value]) {
        if let key = Self.key, let value = self as? Value { userInfo[key] = value }
    }
}

/// A decoder that can also return its value with shadows, which its containers leave out.
package protocol ShadowedDecoder: Decoder {
    /// The value.
    var shadowed: JSON { get }
}

// MARK: - In values

extension JSON {
    /// The maximum depth of objects with shadows. The stack of a thread has room for far fewer values of schemas.
    private static let maximumDepth = 1_000

    /// Returns the value with the shadows of an earlier one: those of the objects at the same places. Elements of arrays have none, because
    /// nothing shows which of the new elements is which of the old ones.
    package func keeping(_ shadow: Shadow, of old: JSON, depth: Int = 0) -> JSON {
        guard depth < Self.maximumDepth, let old = old.object, var object else { return self }
        for member in old {
            if UTF8Bytes.areEqual(member.name, shadow.name) {
                object[member.name] = member.value
            } else if member.value.object != nil, let new = object[member.name], new.object != nil {
                object[member.name] = new.keeping(shadow, of: member.value, depth: depth + 1)
            }
        }
        return .object(object)
    }

    /// Whether an object in the value has the shadow.
    package func has(_ shadow: Shadow, depth: Int = 0) -> Bool {
        guard depth < Self.maximumDepth else { return false }
        switch self {
        case .object(let object):
            return object.contains { UTF8Bytes.areEqual($0.name, shadow.name) || $0.value.has(shadow, depth: depth + 1) }
        case .array(let array): return array.contains { $0.has(shadow, depth: depth + 1) }
        default: return false
        }
    }

    /// Returns the value as clients know it.
    func visible(_ userInfo: [CodingUserInfoKey: Any]) -> JSON { Shadow(in: userInfo).map { without($0) } ?? self }

    /// Returns the value without shadows.
    package func without(_ shadow: Shadow, depth: Int = 0) -> JSON {
        guard depth < Self.maximumDepth else { return self }
        switch self {
        case .object(let object): return .object(object.without(shadow, depth: depth))
        case .array(let array): return .array(JSONArray(array.map { $0.without(shadow, depth: depth + 1) }))
        default: return self
        }
    }
}

extension JSONObject {
    /// Returns the object without shadows.
    package func without(_ shadow: Shadow, depth: Int = 0) -> JSONObject {
        JSONObject(
            members: compactMap { member in
                guard !UTF8Bytes.areEqual(member.name, shadow.name) else { return nil }
                return Member(name: member.name, value: member.value.without(shadow, depth: depth + 1))
            })
    }
}
