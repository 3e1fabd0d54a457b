import JSONText

extension JSONAPIEncoder {
    /// Returns the names of all attributes and of all relationships of a model, including those that are nil or not loaded.
    package func fieldNames(
        of model: some Resource
    ) throws -> (attributes: [String], relationships: [String]) {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        encoder.checksNames = false
        let session = EncodingSession(encoder, include: .none, fields: [:])
        session.clearsRelationships = true
        session.namesRelationships = true
        let identity = model.identifier ?? ResourceIdentifier(ofObject: type(of: model).type)
        do {
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identity)
            let object = ResourceObject(members: try session.json(session.output.bytes).object ?? JSONObject())
            return (object.attributes.map { Array($0.names) } ?? [], object.relationships?.names ?? [])
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }

    /// Creates an encoder that writes what `decoder` reads. Custom strategies cannot be reversed.
    package init(matching decoder: JSONAPIDecoder) {
        self.init()
        keyStrategy = decoder.keyStrategy
        userInfo = decoder.userInfo
        switch decoder.dateDecodingStrategy {
        case .layout(let layout): dateEncodingStrategy = .layout(layout)
        case .deferredToDate: dateEncodingStrategy = .deferredToDate
        case .secondsSince1970: dateEncodingStrategy = .secondsSince1970
        case .millisecondsSince1970: dateEncodingStrategy = .millisecondsSince1970
        case .text(let form): dateEncodingStrategy = .text(form)
        default: dateEncodingStrategy = .iso8601
        }
        if case .deferredToData = decoder.dataDecodingStrategy { dataEncodingStrategy = .deferredToData }
        if case .convertFromString(let positive, let negative, let nan) = decoder.nonConformingFloatDecodingStrategy {
            nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        }
    }
}
