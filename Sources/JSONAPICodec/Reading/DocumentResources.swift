import Foundation
import JSONText

/// The resources of a document that is being read, as a store takes them: compact texts, and models made of the same tape.
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

    /// Nil if anything of the document is not as usual, so that it has to be looked at as a whole: a tolerated fault, a resource without id, or
    /// one identity twice.
    fileprivate init?(_ session: DecodingSession, isMany: Bool) throws {
        let document = session.document
        let (view, data) = (session.view, document.layout.data)
        guard data != 0, isMany ? view.isArray(data) : view.isObject(data), document.index.duplicates.isEmpty,
            document.index.embedded.isEmpty,
            try DocumentSurvey.run(document).isEmpty
        else { return nil }
        let output = JSONOutput()
        func item(_ ordinal: Int) -> Item? {
            guard let identifier = document.identifier(of: ordinal), identifier.id != nil else { return nil }
            output.reset(to: .start)
            view.write(Int(document.index.entries[ordinal].word), into: output)
            return Item(identifier: identifier, text: output.bytes)
        }
        let primary = (0..<document.index.primaryCount).compactMap(item)
        let included = document.index.includedOrdinals.compactMap(item)
        guard primary.count == document.index.primaryCount, included.count == document.index.includedOrdinals.count else { return nil }
        self.primary = primary
        self.included = included
        self.session = session
    }

    /// The primary resources as models, whose references resolve through a source that has the resources of the document as they are. Nil if
    /// the models embed resources that the document does not have.
    package func models<Model: ResourceRepresentable>(_ type: Model.Type, through source: any ResourceSource) throws -> [Model?]? {
        let document = session.document
        let resolver = SourceResolver(source, document.options)
        return try DecodingSession.run(DecodingSession(document, source: resolver)) { session in
            let plan = session.elementPlan(for: type)
            let results = (0..<document.index.primaryCount).map { ordinal in
                Result<Model?, any Error> {
                    guard plan.accepts(session, typeAt: Int(session.entries[ordinal].type)) else { return nil }
                    return try plan.value(session, ordinal, through: 0)
                }
            }
            guard session.wanted.isEmpty else { return nil }
            return try results.map { try $0.get() }
        }
    }
}

extension JSONAPIDecoder {
    /// Calls `body` with the resources of a document, read once; with nil if the document has to be read as `Document<ResourceObject>`, or an
    /// array of them.
    ///
    /// - Parameter isMany: whether the primary data have to be an array.
    package func withResources<Result>(of data: Data, isMany: Bool, _ body: (DocumentResources?) throws -> Result) throws -> Result {
        // These options can change what a document has; then it is read as a whole.
        guard mode != .lenient, leniencies == Leniencies(), rewriters.isEmpty, problems == .first,
            reading.maximumDepth <= JSONWriter().maximumDepth
        else { return try body(nil) }
        return try withSession(data) { session in
            guard session.document.layout.errors == 0 else { return try body(nil) }
            session.keepDocument()
            return try body(try DocumentResources(session, isMany: isMany))
        }
    }
}
