public import Foundation
import JSONAPICodec
import JSONText

/// An error of a store.
///
/// The error contains kinds, names and identities, but no values of resources. Two errors are equal if their kinds, identifiers and
/// pointers are equal.
public struct StoreError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. New values may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, such as `unresolved`.
        public let description: String
        private init(_ name: String) { description = name }

        /// A resource has no type, or neither an id nor a lid.
        public static let missingIdentity = Kind("missingIdentity")
        /// The store does not have the resource.
        public static let unresolved = Kind("unresolved")
        /// The store has the resource, but the Swift type does not accept its type.
        public static let unexpectedType = Kind("unexpectedType")
        /// The relationship is not loaded, or is empty.
        public static let missingLinkage = Kind("missingLinkage")
        /// A custom merge, or the answer to a request, contains a resource with another identity.
        public static let identityChanged = Kind("identityChanged")
        /// The creation of a resource with the same identity is already queued.
        public static let identityTaken = Kind("identityTaken")
        /// The request is not in the queue.
        public static let unknownRequest = Kind("unknownRequest")
        /// Other requests of the queue need the resource that the request creates.
        public static let requestNeeded = Kind("requestNeeded")
        /// The operation is not possible inside a transaction.
        public static let insideTransaction = Kind("insideTransaction")
        /// A transaction was used for a write after its end.
        public static let transactionEnded = Kind("transactionEnded")
        /// The program asks for something that is not possible, for example for a draft of a class.
        public static let misuse = Kind("misuse")
    }

    /// What went wrong.
    public let kind: Kind

    /// The resource that the error is about; nil if there is none.
    public let identifier: ResourceIdentifier?

    /// The place in the document or resource that was passed in; nil if the error has no place.
    public let pointer: JSONPointer?

    /// A description of what was expected.
    public let expected: String

    /// A description of what was found, without values.
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

    /// One sentence with the place, what was expected, what was found, and the fix.
    public var description: String {
        var text = pointer.map { $0.tokens.isEmpty ? "the document" : "\($0)" } ?? "the store"
        if let identifier { text += " (\(identifier.type) \(identifier.id ?? identifier.lid ?? ""))" }
        text += ": expected \(expected), found \(found)"
        if let advice { text += "; \(advice)" }
        return text
    }

    /// The same as `description`.
    public var errorDescription: String? { description }

    /// Returns whether kinds, identifiers and pointers are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.identifier == b.identifier && a.pointer == b.pointer }

    /// Feeds kind, identifier and pointer to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(identifier)
        hasher.combine(pointer)
    }
}

extension StoreError {
    /// Returns an error for a resource that is missing, or whose type the Swift type does not accept.
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
            found: hasType ? "other `\(identifier.type)`, but not this one" : "none of its type",
            advice: nearest.map { "there are resources of the type `\($0)`" }
                ?? "ingest a document that has it first; `resource(_:_:)` returns nil for a resource that the store does not have")
    }

    /// The error for a resource that a request of the queue deletes.
    static func waitsForDeletion(
        _ identifier: ResourceIdentifier, _ advice: String = "roll back the deletion, or wait for its answer"
    ) -> StoreError {
        StoreError(
            .unresolved, identifier, expected: "a resource that the store shows", found: "one that a waiting request deletes",
            advice: advice)
    }
}
