import Foundation
import JSONAPICodec
import JSONText

extension ResourceStore {
    /// Which resources of a decoded document the store keeps.
    public struct Keeping: Sendable, Hashable {
        private enum Name { case everything, included, nothing }
        private let name: Name

        /// Keeps primary data and included resources.
        public static let everything = Keeping(name: .everything)

        /// Keeps the included resources. Removes the primary ones from the store, including copies from earlier documents.
        public static let included = Keeping(name: .included)

        /// Keeps nothing. The store does not change.
        public static let nothing = Keeping(name: .nothing)
    }

    /// Decodes a document and returns its primary data as a model. Relationships resolve through the document and the store.
    ///
    /// ```swift
    /// let article = try store.decode(Article.self, from: data)
    /// let preview = try store.decode(Article.self, from: data, keeping: .nothing)
    /// ```
    ///
    /// With `.everything`, the default, the store ingests the document. The model is then the store's, merged with earlier values. With the
    /// other options, the model is detached from the store. Its references resolve to the primary resources as they arrived, and to the
    /// included ones merged with those of the store, as the policy says. They resolve to all other resources as the store has them at that
    /// time.
    ///
    /// Throws `ErrorDocument` for a document with `errors`. Otherwise throws `DecodingError`, `StoreError` for primary data without an id,
    /// and the errors of a custom policy. With `.everything`, also throws `StoreError` if a request that deletes the resource waits in a
    /// `RequestQueue`, because the store hides the resource. The store does not change then.
    ///
    /// - Complexity: O(n), n = bytes of the document, plus the number of its resources and links.
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model.Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> Model {
        if let type = subclass(in: type) as? any (ResourceRepresentable & PrimaryElement).Type,
            let model = try decode(type, from: data, keeping: keeping, merging: policy) as? Model
        {
            return model
        }
        if keeping == .everything, let values = try taken(type, data, isMany: false, policy) { return values[0] }
        let object = try decoder.decode(Document<ResourceObject>.self, from: data)
        return try read(type, [object.data], object.included, JSONPointer("data"), keeping, policy, omitsHidden: false)[0]
    }

    /// Decodes a document and returns its primary data as models, in order. A resource that appears twice is read twice. With `.everything`,
    /// resources that waiting requests of a `RequestQueue` delete are left out, because the store hides them.
    ///
    /// Throws `DecodingError` if one of them cannot be read, even if `invalidElements` of the decoder is `drop`. To keep the rest, ingest the
    /// document, and read `values(_:where:sort:)`, which leaves out what cannot be read.
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> [Model] {
        if keeping == .everything, let values = try taken(Model.self, data, isMany: true, policy) { return values }
        let object = try decoder.decode(Document<[ResourceObject]>.self, from: data)
        return try read(Model.self, object.data, object.included, nil, keeping, policy)
    }

    /// Decodes a document and returns its primary data as a model; nil if the data are null. With `.everything`, also nil if a waiting
    /// request of a `RequestQueue` deletes the resource. Throws as the first of these functions does.
    public func decode<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, from data: Data, keeping: Keeping = .everything, merging policy: MergePolicy = .fields
    ) throws -> Model? {
        let object = try decoder.decode(Document<ResourceObject?>.self, from: data)
        return try read(Model.self, object.data.map { [$0] } ?? [], object.included, JSONPointer("data"), keeping, policy).first
    }
}

extension ResourceStore {
    /// Ingests a document and reads its primary data. Returns nil if the document must be read as a whole, or cannot be read.
    ///
    /// If the store then has the resources exactly as in the document, the models are read from the document. That avoids reading them
    /// again.
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
                        return try found(values, identifiers, transaction.pending, omitsHidden: isMany)
                    }
                    do { return try self.values(type, identifiers, transaction.pending, omitsHidden: isMany) } catch {
                        throw MergedFailure(error: error)
                    }
                }
            }
        } catch let failure as MergedFailure {
            throw failure.error
        }
    }

    /// An error in the stored text of a resource. It has no place in the document that is read.
    private struct MergedFailure: Error {
        let error: any Error
    }

    /// - Parameter pointer: the place of the single primary resource; nil for several.
    private func read<Model: ResourceRepresentable>(
        _ type: Model.Type, _ primary: [ResourceObject], _ included: [ResourceObject], _ pointer: JSONPointer?, _ keeping: Keeping,
        _ policy: MergePolicy, omitsHidden: Bool = true
    ) throws -> [Model] {
        let primary = primary.map { typed($0, type) }
        let identifiers = try primary.enumerated().map { index, object in
            guard let identifier = object.identifier, identifier.id != nil else {
                throw StoreError(
                    .missingIdentity, at: pointer ?? JSONPointer("data").appending(index), expected: "a resource with a type and an id",
                    found: "one without", advice: "read the document with JSONAPIDecoder, without a store")
            }
            return identifier
        }
        if keeping == .everything {
            // If the primary data cannot be read from the store, the document is not ingested.
            return try transaction { transaction in
                try transaction.ingest(DocumentObject(data: .many(primary), included: included), merging: policy)
                return try self.values(type, identifiers, transaction.pending, omitsHidden: omitsHidden)
            }
        }
        let values = try detached(type, primary, included, identifiers, policy)
        guard keeping == .included else { return values }
        try transaction { transaction in
            try transaction.ingest(included, embeddedIn: primary, merging: policy)
            for identifier in identifiers { _ = transaction.removeExactly(identifier) }
        }
        return values
    }

    /// Returns a primary resource with the type of the model, which a leniency assumes for one without a type.
    private func typed<Model: ResourceRepresentable>(_ object: ResourceObject, _ type: Model.Type) -> ResourceObject {
        guard decoder.leniencies.contains(.missingTypes), !object.members.contains(name: "type"), let model = type as? any Resource.Type
        else { return object }
        var members = object.members
        members["type"] = .string(model.type)
        return ResourceObject(members: members)
    }

    /// Reads the document on top of the store, without the changes of waiting requests to its resources. The changes are never committed.
    /// References of the values use them as long as the values exist.
    private func detached<Model: ResourceRepresentable>(
        _ type: Model.Type, _ primary: [ResourceObject], _ included: [ResourceObject], _ identifiers: [ResourceIdentifier],
        _ policy: MergePolicy
    ) throws -> [Model] {
        let overlay = PendingChanges(self, isDetached: true)
        var intake = Intake(overlay, isBelowRequests: false)
        let data = JSON.array(JSONArray(included.map { JSON.object($0.members) }))
        try intake.add([(data: data, pointer: JSONPointer("included"))], embeddedIn: primary + included, policy)
        for object in primary { try intake.add(object, at: .root, .replace, acceptsLocal: false) }
        try intake.finish()
        guard Set(identifiers.compactMap(StoredIdentity.init)).count < identifiers.count else {
            return try values(type, identifiers, overlay)
        }
        // Each occurrence of a repeated identity is read with its own contents. The first one is read last, because references lead to it.
        return try zip(primary, identifiers).reversed().map { object, identifier in
            try intake.add(object, at: .root, .replace, acceptsLocal: false)
            try intake.finish()
            return try values(type, [identifier], overlay)[0]
        }.reversed()
    }

    private func values<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifiers: [ResourceIdentifier], _ source: PendingChanges, omitsHidden: Bool = true
    ) throws -> [Model] {
        try found(try reader.resources(type, identifiers, from: source), identifiers, source, omitsHidden: omitsHidden)
    }

    /// Returns the values without those of hidden resources. The source lacks a resource that just arrived only if a waiting request deletes
    /// it.
    private func found<Model>(
        _ values: [Model?], _ identifiers: [ResourceIdentifier], _ source: PendingChanges, omitsHidden: Bool
    ) throws -> [Model] {
        let found = values.compactMap { $0 }
        guard found.count < values.count else { return found }
        for (value, identifier) in zip(values, identifiers) where value == nil {
            if try source.resourceText(identifier) != nil {
                throw StoreError.unresolved(identifier, Model.self, isThere: true, types: [])
            }
            guard omitsHidden else {
                throw StoreError.waitsForDeletion(identifier, "decode an optional, which is nil then, or set keeping to .nothing")
            }
        }
        return found
    }
}
