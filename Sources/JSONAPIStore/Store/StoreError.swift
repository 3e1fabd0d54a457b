import JSONAPICodec
import JSONText

/// An error of a store.
///
/// It holds kinds, names and identities, but no values of resources. Two errors are equal if their kinds, identifiers and pointers are.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `unresolved`.
        public let description: String
        private init(_ name: String) { description = name }

        /// A resource without type, or with neither id nor lid, where one is needed.
        public static let missingIdentity = Kind("missingIdentity")
        /// The store does not have the resource.
        public static let unresolved = Kind("unresolved")
        /// The resource is there, of a type that the Swift type is not for.
        public static let unexpectedType = Kind("unexpectedType")
        /// The relationship is not loaded, or is empty.
        public static let missingLinkage = Kind("missingLinkage")
        /// A custom merge returned a resource of another identity.
        public static let identityChanged = Kind("identityChanged")
        /// The request is not in the queue.
        public static let unknownRequest = Kind("unknownRequest")
        /// Other requests of the queue need the resource that the request creates.
        public static let requestNeeded = Kind("requestNeeded")
        /// What was asked for cannot be done inside a transaction.
        public static let insideTransaction = Kind("insideTransaction")
        /// A transaction was written to after its end.
        public static let transactionEnded = Kind("transactionEnded")
    }

    /// What went wrong.
    public let kind: Kind

    /// The resource in question.
    public let identifier: ResourceIdentifier?

    /// The place in the document or resource that was passed in; nil if there was none.
    public let pointer: JSONPointer?

    /// What was needed, in words.
    public let expected: String

    /// What was found, in words, without values.
    public let found: String

    /// How to fix the problem, if that is known.
    public let advice: String?

    init(
        _ kind: Kind, _ identifier: ResourceIdentifier? = nil, at pointer: JSONPointer? = nil, expected: String, found: String,
        advice: String? = nil
    ) {
        self.kind = kind
        self.identifier = identifier
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.advice = advice
    }

    /// One sentence: place, expectation, finding, cure.
    public var description: String {
        var text = pointer.map { $0.tokens.isEmpty ? "the document" : "\($0)" } ?? "the store"
        if let identifier { text += " (\(identifier.type) \(identifier.id ?? identifier.lid ?? ""))" }
        text += ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }

    /// Whether kind, identifier and pointer are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.identifier == b.identifier && a.pointer == b.pointer }

    /// Feeds kind, identifier and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(identifier)
        hasher.combine(pointer)
    }
}

extension StoreError {
    /// A resource that is not there, or not for the Swift type.
    static func unresolved(_ identifier: ResourceIdentifier, _ type: Any.Type, isThere: Bool, types: [String]) -> StoreError {
        if isThere {
            return StoreError(
                .unexpectedType, identifier, expected: "a resource that \(type) is for", found: "one of the type `\(identifier.type)`",
                advice: "read it as the model of that type, as a ResourceUnion or as ResourceObject")
        }
        let hasType = types.contains { UTF8Bytes.areEqual($0, identifier.type) }
        let nearest = hasType ? nil : NearestName.find(identifier.type, in: types)
        return StoreError(
            .unresolved, identifier, expected: "a resource of that identity",
            found: hasType ? "others of its type" : "none of its type", advice: nearest.map { "there are resources of the type `\($0)`" })
    }
}
