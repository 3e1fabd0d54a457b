extension JSONAPIEncoder {
    /// Returns the paths of the attributes that a model has only in part: `address` and `city` for the key `attributes.address.city`. The
    /// properties can be nil. Throws `EncodingError` if the model cannot be encoded.
    package func attributeParts(of model: some Resource) throws -> [[String]] {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        encoder.checksNames = false
        // Members that only a response has.
        encoder.linkMaker = nil
        return try encoder.withSession(isRequest: false) { session in
            let identity = model.identifier ?? ResourceIdentifier(ofObject: type(of: model).type)
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identity)
            return session.attributeParts.paths
        }
    }
}
