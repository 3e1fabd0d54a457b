import JSONAPIRules
import JSONText

/// A source of single resource objects, such as a store or an archive.
///
/// References that were read from a source keep it alive. A source that keeps values with such references must therefore pass an object
/// that refers to it weakly.
package protocol ResourceSource: AnyObject, Sendable {
    /// Returns the JSON text of the resource object with the given identity (type and id, or type and lid); nil when there is none.
    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]?

    /// Appends that text to others. Returns false when there is none.
    func appendText(of identifier: ResourceIdentifier, to texts: inout [UInt8]) throws -> Bool

    /// Whether the source can tell that a resource is missing.
    var knowsWhatIsMissing: Bool { get }

    /// Whether a model with UUIDs as ids, which writes them in upper case, also finds a resource that has its UUID in lower case.
    var findsLowercasedUUIDs: Bool { get }

    /// Whether a model may be newer than what the source has.
    var isStorage: Bool { get }

    /// The object whose resources the source shows, possibly as they were at some moment; nil when they are its own.
    var owner: AnyObject? { get }

    /// Returns the place of the resource in the document that the source represents; nil when the source is not a document.
    func place(of identifier: ResourceIdentifier) -> SourcePlace?

    /// Returns the resource as a model: the result of `read`, or a value that the source kept from an earlier read.
    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model?
}

extension ResourceSource {
    package func appendText(of identifier: ResourceIdentifier, to texts: inout [UInt8]) throws -> Bool {
        guard let text = try resourceText(identifier) else { return false }
        texts += text
        return true
    }

    package var knowsWhatIsMissing: Bool { true }

    package var findsLowercasedUUIDs: Bool { true }

    package var isStorage: Bool { true }

    package var owner: AnyObject? { nil }

    package func place(of identifier: ResourceIdentifier) -> SourcePlace? { nil }

    package func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        try read()
    }
}

/// The place of a resource of a source in a document.
package struct SourcePlace {
    let pointer: JSONPointer
    /// The offset of its text; nil when the source returns a different text.
    let offset: Int?
    /// Returns the line and column of an offset, if positions are wanted.
    let position: (Int) -> TextPosition?

    package init(pointer: JSONPointer, offset: Int?, position: @escaping (Int) -> TextPosition?) {
        (self.pointer, self.offset, self.position) = (pointer, offset, position)
    }
}

/// Resolves references through a source. Each reference reads its resource on access.
package final class SourceResolver: ReferenceResolver, @unchecked Sendable {
    let source: any ResourceSource
    private let decoder: JSONAPIDecoder

    package init(_ source: any ResourceSource, _ decoder: JSONAPIDecoder) {
        self.source = source
        self.decoder = decoder
    }

    override var options: JSONAPIDecoder? { decoder }

    override var origin: AnyObject { source }

    package override func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        try source.resourceValue(type, identifier) { try newValue(type, identifier) }
    }

    override func newValue<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        guard var gathering = try ResourceGathering([identifier], source, decoder, of: type) else { return nil }
        return try gathering.values(type, self)[0]
    }

    /// Returns the resources with the given identities, read together; nil for each that `value` returns nil for.
    func values<Target: ResourceRepresentable>(_ type: Target.Type, _ identifiers: [ResourceIdentifier]) throws -> [Target?] {
        guard var gathering = try ResourceGathering(identifiers, source, decoder, of: type) else { return identifiers.map { _ in nil } }
        return try gathering.values(type, self)
    }

    override func locate(_ identifier: ResourceIdentifier) throws -> LocatedResource? {
        guard let document = try ResourceGathering([identifier], source, decoder)?.document() else { return nil }
        return LocatedResource(document: document, ordinal: 0, resolver: self)
    }

    /// Whether the resource may exist for a model, also where reading it fails.
    func mayHave(_ identifier: ResourceIdentifier, for model: Any.Type) -> Bool {
        guard source.knowsWhatIsMissing else { return true }
        do {
            if try source.resourceText(identifier) != nil { return true }
            guard let other = source.respelling(of: identifier, [ResourceIdentifier.typeWithUUIDs(model)].compactMap(\.self)) else {
                return false
            }
            return try source.resourceText(other) != nil
        } catch {
            return true
        }
    }
}

extension ResourceSource {
    /// Returns the identity under which a missing resource may be found instead: the same UUID in lower case, for the given types. Nil when
    /// there is none.
    func respelling(of identifier: ResourceIdentifier, _ types: [String]) -> ResourceIdentifier? {
        guard findsLowercasedUUIDs, types.contains(where: { UTF8Bytes.areEqual($0, identifier.type) }) else { return nil }
        return identifier.lowercasedUUID
    }
}

extension JSONAPIDecoder {
    /// Returns the resource with the given identity as a model. Embedded relationships are resolved through the source now, references on
    /// access. Nil when the source does not have it, and when `Model` does not accept its type.
    package func resource<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, from source: any ResourceSource
    ) throws -> Model? {
        try DecodingFailure.converted { try SourceResolver(source, self).value(type, identifier) }
    }

    /// Returns the resources with the given identities, in order. They are read together, at the cost of one document.
    package func resources<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifiers: [ResourceIdentifier], from source: any ResourceSource
    ) throws -> [Model?] {
        try DecodingFailure.converted { try SourceResolver(source, self).values(type, identifiers) }
    }
}
