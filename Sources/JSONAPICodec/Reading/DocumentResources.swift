import Foundation
import JSONText

/// The resources of a document in the form that a store needs: compact texts, and models from the same tape.
package struct DocumentResources {
    /// A resource object of the document.
    package struct Item {
        package let identifier: ResourceIdentifier
        /// Its compact text.
        package let text: [UInt8]
    }

    /// The primary resources, in order.
    package let primary: [Item]
    /// The included ones, in order.
    package let included: [Item]
    private let session: DecodingSession

    /// Returns nil if the whole document must be checked: because of a tolerated fault, a resource without an id, or a repeated identity.
    fileprivate init?(_ session: DecodingSession, isMany: Bool) throws {
        let document = session.document
        let (view, data) = (session.view, document.layout.data)
        guard data != 0, isMany ? view.isArray(data) : view.isObject(data), document.index.duplicates.isEmpty,
            document.index.embedded.isEmpty,
            // What nothing links to is only reported outside strict mode, and is kept like all other resources.
            try DocumentSurvey.run(document, isPart: document.options.mode != .strict).isEmpty
        else { return nil }
        let output = JSONOutput()
        func item(_ ordinal: Int) -> Item? {
            guard let identifier = document.identifier(of: ordinal), identifier.id != nil else { return nil }
            return Item(identifier: identifier, text: view.compactText(at: Int(document.index.entries[ordinal].word), output))
        }
        let primary = (0..<document.index.primaryCount).compactMap(item)
        let included = document.index.includedOrdinals.compactMap(item)
        guard primary.count == document.index.primaryCount, included.count == document.index.includedOrdinals.count else { return nil }
        self.primary = primary
        self.included = included
        self.session = session
    }

    /// Returns the primary resources as models. Their references resolve through a source that has the unchanged resources of the document.
    /// Returns nil if the models embed resources that the document does not contain.
    package func models<Model: ResourceRepresentable>(_ type: Model.Type, through source: any ResourceSource) throws -> [Model?]? {
        let document = session.document
        let resolver = SourceResolver(source, document.options)
        return try DecodingSession.run(DecodingSession(document, source: resolver)) { session in
            let (values, failure) = session.firstValues(type, document.index.primaryCount)
            guard session.wanted.isEmpty else { return nil }
            if let failure { throw failure }
            return values
        }
    }
}

extension JSONAPIDecoder {
    /// Calls `body` with the resources of a document, which is parsed once. Calls it with nil if the document must be decoded as
    /// `Document<ResourceObject>`, or with an array.
    ///
    /// - Parameter isMany: Whether the primary data must be an array.
    package func withResources<Result>(of data: Data, isMany: Bool, _ body: (DocumentResources?) throws -> Result) throws -> Result {
        // These options can change the contents of a document. It is then decoded as a whole.
        guard mode != .lenient, leniencies == Leniencies(), rewriters.isEmpty, problems == .first,
            reading.maximumDepth <= JSONWriter().maximumDepth
        else { return try body(nil) }
        return try withSession(data, of: ResourceObject.self) { session in
            guard session.document.layout.errors == 0 else { return try body(nil) }
            session.keepDocument()
            return try body(try DocumentResources(session, isMany: isMany))
        }
    }
}
