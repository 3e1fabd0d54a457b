import Foundation
import JSONAPICodec
import JSONText

extension ResourceStore {
    /// What stays in the store of a document that is decoded through it.
    public struct Keeping: Sendable, Hashable {
        private enum Name { case everything, included, nothing }
        private let name: Name

        /// Primary data and included resources.
        public static let everything = Keeping(name: .everything)

        /// The included resources. The primary ones leave the store, copies of earlier documents as well.
        public static let included = Keeping(name: .included)

        /// Nothing: the store is read, not changed.
        public static let nothing = Keeping(name: .nothing)
    }

    /// The document's primary data as a model, relationships resolved through the document and the store.
    ///
    /// ```swift
    /// let article = try store.decode(Article.self, from: data)
    /// let preview = try store.decode(Article.self, from: data, keeping: .nothing)
    /// ```
    ///
    /// With `.everything`, the default, the document is put in and the value is the store's: merged with what was there. With the
    /// others it is the document's own, detached from the store: its references see the resources of the document as they came,
    /// and everything else as it is in the store when they are asked.
    ///
    /// Throws `ErrorDocument` for a document with `errors`, otherwise `DecodingError`, `StoreError` for primary data without id,
    /// and what a custom policy throws. The store is as before then.
    ///
    /// - Complexity: O(bytes + resources + links).
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model.Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> Model {
        if keeping == .everything, let values = try taken(type, data, isMany: false, policy) { return values[0] }
        let object = try decoder.decode(Document<ResourceObject>.self, from: data)
        return try read(type, [object.data], object.included, JSONPointer("data"), keeping, policy)[0]
    }

    /// The document's primary data as models, in order. One that comes twice is read twice.
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> [Model] {
        if keeping == .everything, let values = try taken(Model.self, data, isMany: true, policy) { return values }
        let object = try decoder.decode(Document<[ResourceObject]>.self, from: data)
        return try read(Model.self, object.data, object.included, nil, keeping, policy)
    }

    /// The document's primary data as a model; nil when it is null.
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> Model? {
        let object = try decoder.decode(Document<ResourceObject?>.self, from: data)
        return try read(Model.self, object.data.map { [$0] } ?? [], object.included, JSONPointer("data"), keeping, policy).first
    }
}

extension ResourceStore {
    /// Takes a document in and reads its primary data; nil if it has to be looked at as a whole, or cannot be read.
    ///
    /// The models are made of the document itself if the store has its resources as they are in it now, which spares reading them again.
    private func taken<Model: ResourceRepresentable>(
        _ type: Model.Type, _ data: Data, isMany: Bool, _ policy: MergePolicy
    ) throws -> [Model]? {
        do {
            return try decoder.withResources(of: data, isMany: isMany) { resources in
                guard let resources else { return nil }
                return try transaction { transaction in
                    let areUnchanged = try transaction.ingest(resources, merging: policy)
                    let identifiers = resources.primary.map(\.identifier)
                    if areUnchanged, let values = try resources.models(type, through: transaction.pending) {
                        return try found(values, identifiers)
                    }
                    do { return try self.values(type, identifiers, transaction.pending) } catch { throw MergedFailure(error: error) }
                }
            }
        } catch let failure as MergedFailure {
            throw failure.error
        }
    }

    /// An error in the store's own text of a resource, which has no place in the document that is read.
    private struct MergedFailure: Error {
        let error: any Error
    }

    /// - Parameter pointer: where the one primary resource is; nil for several.
    private func read<Model: ResourceRepresentable>(
        _ type: Model.Type, _ primary: [ResourceObject], _ included: [ResourceObject], _ pointer: JSONPointer?, _ keeping: Keeping,
        _ policy: MergePolicy
    ) throws -> [Model] {
        let identifiers = try primary.enumerated().map { index, object in
            guard let identifier = object.identifier, identifier.id != nil else {
                throw StoreError(
                    .missingIdentity, at: pointer ?? JSONPointer("data").appending(index), expected: "a resource with a type and an id",
                    found: "one without", advice: "read the document with JSONAPIDecoder, without a store")
            }
            return identifier
        }
        let document = Contents(primary: primary, included: included, identifiers: identifiers)
        guard keeping != .everything else { return try attached(type, document, policy) }
        let values = try detached(type, document, policy)
        guard keeping == .included else { return values }
        try transaction { transaction in
            try transaction.ingest(DocumentObject(data: .absent, included: included), merging: policy)
            for identifier in identifiers { try transaction.remove(identifier) }
        }
        return values
    }

    private struct Contents {
        let primary: [ResourceObject]
        let included: [ResourceObject]
        let identifiers: [ResourceIdentifier]
    }

    /// Puts the document in and reads what the store has then; when that fails, the document is not put in.
    private func attached<Model: ResourceRepresentable>(
        _ type: Model.Type, _ document: Contents, _ policy: MergePolicy
    ) throws -> [Model] {
        try transaction { transaction in
            try transaction.ingest(DocumentObject(data: .many(document.primary), included: document.included), merging: policy)
            return try values(type, document.identifiers, transaction.pending)
        }
    }

    /// Reads the document over the store. The changes are never committed; references of the values see them as long as they live.
    private func detached<Model: ResourceRepresentable>(
        _ type: Model.Type, _ document: Contents, _ policy: MergePolicy
    ) throws -> [Model] {
        let overlay = PendingChanges(self)
        var intake = Intake(overlay)
        for object in document.included { try intake.add(object, at: .root, policy, acceptsLocal: false) }
        for object in document.primary { try intake.add(object, at: .root, .replace, acceptsLocal: false) }
        guard Set(document.identifiers).count < document.identifiers.count else { return try values(type, document.identifiers, overlay) }
        return try zip(document.primary, document.identifiers).map { object, identifier in
            // Of a repeated identity each has its own contents.
            try intake.add(object, at: .root, .replace, acceptsLocal: false)
            return try values(type, [identifier], overlay)[0]
        }
    }

    private func values<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifiers: [ResourceIdentifier], _ source: PendingChanges
    ) throws -> [Model] {
        try found(try reader.resources(type, identifiers, from: source), identifiers)
    }

    private func found<Model>(_ values: [Model?], _ identifiers: [ResourceIdentifier]) throws -> [Model] {
        try zip(values, identifiers).map { value, identifier in
            guard let value else { throw StoreError.unresolved(identifier, Model.self, isThere: true, types: []) }
            return value
        }
    }
}
