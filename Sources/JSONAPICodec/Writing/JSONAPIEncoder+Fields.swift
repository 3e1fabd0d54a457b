import JSONText

/// The fields of a model.
package struct ModelFields {
    /// All attributes and relationships, under the names that the model gives them. Those that are nil or not loaded have no value.
    package let object: ResourceObject
    /// The paths of the attributes that the model has only in part: `address` and `city` for the key `attributes.address.city`.
    package let parts: [[String]]
    /// The paths of the values in meta, each beginning with `meta`; none if the model has the whole of meta.
    package let metaParts: [[String]]
    /// The paths of attributes, and of values inside them, that coding keys lead to. Complete only for a model with `RestrictedFields`. The
    /// empty path stands for `RemainingMembers` of all attributes.
    package let places: [[String]]
    /// The other places from which properties with `@Alternatives` are read. Those of a schema only if it is a model with `RestrictedFields`.
    package let alternatives: [AlternativePlaces]
}

extension JSONAPIEncoder {
    /// Returns a model as a raw resource object, as it would be written in `data` without the encoder's `rewriters`. Throws `EncodingError`
    /// when the model has neither id nor lid, and when it cannot be encoded.
    ///
    /// ```swift
    /// let object = try JSONAPIEncoder().resourceObject(article)
    /// object[attribute: "title"]
    /// ```
    public func resourceObject(_ model: some ResourceRepresentable) throws -> ResourceObject {
        guard let identifier = model.identifier else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), expected: "a resource with an id or a lid", found: "a resource with neither"
            ).encodingError
        }
        return try withSession { try $0.resourceObject(model, as: identifier) }
    }

    /// Returns the fields of a model. Throws `EncodingError` if the model cannot be encoded.
    package func fields(of model: some Resource) throws -> ModelFields {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        encoder.checksNames = false
        // Members that only a response has.
        encoder.linkMaker = nil
        return try encoder.withSession { session in
            session.absentFields = .named
            let identity = model.identifier ?? ResourceIdentifier(ofObject: type(of: model).type)
            try session.data.write(model, as: identity)
            let read = model is any RestrictedFields ? ModelNames.attributePaths(of: type(of: model), keyStrategy) : []
            return ModelFields(
                object: try session.resourceObject(), parts: session.attributeParts.paths, metaParts: session.attributeParts.metaPaths,
                places: (session.resource.extras?.places ?? []) + read.map { Array($0.dropFirst()) },
                alternatives: session.resource.extras?.alternatives ?? [])
        }
    }
}
