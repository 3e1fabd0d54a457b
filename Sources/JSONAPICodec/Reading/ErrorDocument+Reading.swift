import JSONMapping
import JSONText

extension ErrorDocument {
    /// Throws for a document with data and no errors, which only the leniency `dataWithErrors` reads.
    package init(_ session: DecodingSession) throws {
        try self.init(session.document)
        guard errors.isEmpty, session.document.layout.data != 0 else { return }
        throw Self.nothing(beside: "data", at: session.view.start(of: session.view.root))
    }

    /// Returns the failure of a document with the given member and no errors in `errors`.
    static func nothing(beside name: String, at offset: Int? = nil) -> DecodingFailure {
        DecodingFailure(
            .documentStructure, at: .root, offset: offset, expected: "either `\(name)` or `errors`",
            found: "both, with nothing in `errors`", advice: "set the leniency dataWithErrors to read the rest")
    }

    private init(_ document: ParsedDocument) throws {
        let diagnostics = try DocumentSurvey.runErrors(document)
        self.init(DocumentObject(members: document.view.object(at: document.view.root)), diagnostics)
    }

    /// Creates the errors of a document whose data cannot be indexed; nil when it has no errors.
    init?(besideFaultsIn tape: Tape, options: JSONAPIDecoder) throws {
        guard tape.view.isObject(tape.view.root) else { return nil }
        try self.init(ParsedDocument(errorsOf: tape, options: options))
        if errors.isEmpty { return nil }
    }
}

// MARK: - Errors of properties

extension ErrorDocument {
    /// Returns the errors whose source is the property at the given key path.
    ///
    /// ```swift
    /// let wrong = try document.errors(at: \Article.publishedAt, keyStrategy: decoder.keyStrategy)
    /// ```
    ///
    /// The document does not know the decoder, so pass its `keyStrategy` if it is not the default. Otherwise no error is found under a name
    /// such as `published_at`.
    ///
    /// Throws `EncodingError` when the coding key of the property cannot be found; `Patch.set(_:_:)` explains when that happens.
    /// The names of a `SchemaResource` are those of its own schema, and not of one in the `schemas` of an encoder.
    public func errors<Model: Resource>(
        at property: PartialKeyPath<Model>, keyStrategy: KeyStrategy = .useDefaultKeys
    ) throws -> [ErrorObject] {
        errors(at: try Model.memberName(of: property, keyStrategy))
    }

    /// Returns the errors whose source is the property of a form at the given key path, as the function above does for a model.
    ///
    /// ```swift
    /// struct NewArticle: ResourceFields, Decodable { … }
    /// let wrong = try document.errors(at: \NewArticle.title)
    /// ```
    ///
    /// `Decodable` is needed to find the coding key.
    public func errors<Fields: ResourceFields & Decodable>(
        at property: PartialKeyPath<Fields>, keyStrategy: KeyStrategy = .useDefaultKeys
    ) throws -> [ErrorObject] {
        errors(at: try Fields.memberName(of: property, keyStrategy))
    }
}
