import Foundation
import JSONAPICodec
import JSONAPIComparison
import JSONText

/// What changed from one document to another, by resource and member.
///
/// ```swift
/// let diff = try DocumentDiff(before, after)
/// #expect(diff.isEmpty, "\(diff)")
/// // articles 1 /attributes/title: "Clocks" → "Watches"
/// ```
///
/// Resources are matched by type and id, or by lid if there is no id, wherever they are. Numbers are equal if their values are, and
/// strings if their bytes are. The order of members and of included resources does not count.
///
/// - Complexity: O(n), n = size of both documents.
public struct DocumentDiff: Sendable {
    /// One difference.
    public struct Change: Sendable, CustomStringConvertible {
        /// The resource that differs, with its id, or with its lid if it has no id; nil for a difference of the document itself.
        public let resource: ResourceIdentifier?
        /// The place in the resource or the document; empty for a resource that only one document has, or that is in another part of the
        /// document.
        public let pointer: JSONPointer
        /// The value in the first document; nil if it has none, or if only the order differs.
        ///
        /// For the linkage of a to-many relationship, this is an array of the identifiers that only the first document has. For `data` and
        /// `included` in another form, it is the form: `absent`, `null`, `one`, or `many`. For a resource in another part of the document,
        /// it is `data` or `included`.
        public let old: JSON?
        /// The value in the second document; nil if it has none, or if only the order differs. The exceptions are those of `old`, for the
        /// second document.
        public let new: JSON?

        /// The place and the values on one line.
        public var description: String {
            let place = [resource.map { "\($0.type) \($0.id ?? $0.lid ?? "without id")" }, pointer.tokens.isEmpty ? nil : "\(pointer)"]
            return "\(place.compactMap(\.self).joined(separator: " ")): \(difference)"
        }

        private var difference: String {
            switch (old, new) {
            case (nil, nil): "other order"
            case (let old?, nil): "- \(old)"
            case (nil, let new?): "+ \(new)"
            case (let old?, let new?): "\(old) → \(new)"
            }
        }
    }

    /// The differences: those of the document first, then those of its resources.
    public let changes: [Change]

    /// Whether the documents are equal.
    public var isEmpty: Bool { changes.isEmpty }

    /// Compares two documents. If `countsOrder` is true, the order of collections and of linkage counts.
    public init(_ old: DocumentObject, _ new: DocumentObject, countsOrder: Bool = true) {
        let comparison = DocumentComparison(old, new, countsOrder: countsOrder)
        changes = comparison.document.map { Change($0, of: nil) } + comparison.resources.flatMap(Change.all)
    }

    /// Compares two documents given as text. Throws `DecodingError` if a text is not a document.
    public init(_ old: Data, _ new: Data, countsOrder: Bool = true) throws {
        self.init(try Self.document(old), try Self.document(new), countsOrder: countsOrder)
    }

    /// Resources without an id are those of a request.
    private static func document(_ text: Data) throws -> DocumentObject {
        var decoder = JSONAPIDecoder(mode: .lenient)
        decoder.source = .request
        return try decoder.decode(DocumentObject.self, from: text)
    }
}

extension DocumentDiff: CustomStringConvertible {
    /// A line for each difference.
    public var description: String { isEmpty ? "no difference" : changes.map(\.description).joined(separator: "\n") }
}

// MARK: - Workings

extension DocumentDiff.Change {
    fileprivate init(_ change: Change, of resource: ResourceIdentifier?) {
        let values: (old: JSON?, new: JSON?) =
            switch change.kind {
            case .added(let value): (nil, value)
            case .removed(let value): (value, nil)
            case .changed(let old, let new): (old, new)
            case .relinked(let added, let removed): (Self.list(removed), Self.list(added))
            case .reordered: (nil, nil)
            case .reshaped(let old, let new): (.string(old.rawValue), .string(new.rawValue))
            }
        self.init(resource: resource, pointer: JSONPointer(tokens: change.path), old: values.old, new: values.new)
    }

    private static func list(_ identifiers: [ResourceIdentifier]) -> JSON? {
        identifiers.isEmpty ? .some(.array([])) : .array(JSONArray(identifiers.map(\.json)))
    }

    fileprivate static func all(_ change: ChangedResource) -> [Self] {
        let resource = change.resource
        let identifier = ResourceIdentifier(
            type: resource.type, id: resource.id, lid: resource.id == nil ? resource.lid : nil, meta: nil)
        switch change.kind {
        case .added: return [Self(resource: identifier, pointer: .root, old: nil, new: resource.json)]
        case .removed: return [Self(resource: identifier, pointer: .root, old: resource.json, new: nil)]
        case .changed:
            let moved = change.formerPlace.map {
                Self(resource: identifier, pointer: .root, old: .string($0.rawValue), new: .string(change.place.rawValue))
            }
            return (moved.map { [$0] } ?? []) + change.changes.map { Self($0, of: identifier) }
        }
    }
}
