import Foundation
import JSONText

/// Whether a model's `init(from:)` reads what its `encode(to:)` writes.
///
/// A hand-written `init(from:)` that names places by `Key`, beside an `encode(to:)` that the compiler makes of `CodingKeys`, reads
/// `attributes.address.city` and writes `city`: a server would get an attribute that it does not have.
enum CodingMatch {
    /// Throws where what a patch changes is not read back. Only models that are read by `Key` and written by other keys are looked at.
    static func check<Model: ResourceRepresentable>(
        _ model: Model, _ changes: ResourceObject, _ encoder: JSONAPIEncoder
    ) throws {
        guard let (names, _) = ModelNames.of(Model.self), names.isOpen, changes.attributes != nil, let decoder = encoder.mirror,
            try !encoder.writesByKey(model), let again = try readBack(model, encoder, decoder)
        else { return }
        let written = try encoder.resourceObject(again)
        for member in changes.attributes ?? JSONObject() where member.value != .null {
            let value = try encoder.resourceObject(model)[attribute: member.name]
            guard written[attribute: member.name] != value else { continue }
            throw mismatch(JSONPointer("data", "attributes", member.name), model.identifier)
        }
    }

    /// The model read from what it writes, with placeholders for what is not there; nil where that does not get through.
    private static func readBack<Model: ResourceRepresentable>(
        _ model: Model, _ encoder: JSONAPIEncoder, _ decoder: JSONAPIDecoder
    ) throws -> Model? {
        let session = EncodingSession(encoder, include: .none, fields: [:])
        guard let identifier = model.identifier else { return nil }
        session.isRequest = true
        try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identifier)
        let text = Array(#"{"data":"#.utf8) + session.output.bytes + Array("}".utf8)
        let tape = try text.withText { text in
            let tape = try text.tape(.unlimited)
            tape.takeOwnership()
            return tape
        }
        let document = try ParsedDocument(tape, options: decoder)
        return ProblemCollector.value(Model.self, document)
    }

    fileprivate static func mismatch(_ pointer: JSONPointer, _ resource: ResourceIdentifier?) -> EncodingFailure {
        EncodingFailure(
            .wrongPlace, at: pointer, resource: resource, expected: "a value that init(from:) reads where encode(to:) writes it",
            found: "one that is read from another place, or not at all",
            advice: "write encode(to:) by hand with the same keys as init(from:), or name the places by CodingKeys and write neither")
    }
}

extension JSONAPIEncoder {
    /// Throws unless a model's `init(from:)` reads back what its `encode(to:)` writes. For tests, and while a model is being written.
    ///
    /// ```swift
    /// try JSONAPIEncoder().checkCoding(of: article)
    /// ```
    ///
    /// `decoder` has to read what this encoder writes: the same strategies. Throws `EncodingError` for the first place that differs, and for
    /// a document that the decoder refuses. Of relationships that are not loaded nothing is written, and nothing is checked.
    ///
    /// - Complexity: that of writing the model twice and reading it once, with all that is at hand.
    public func checkCoding<Model: Resource>(of model: Model, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        let data = try encode(model)
        let again: Model
        do { again = try decoder.decode(Model.self, from: data) } catch {
            throw EncodingFailure(
                .wrongPlace, at: (error as? DecodingError)?.failure?.pointer ?? JSONPointer("data"), resource: model.identifier,
                expected: "what init(from:) reads",
                found: "a document that it refuses: \((error as? DecodingError)?.failure?.description ?? "\(error)")",
                advice: "write encode(to:) by hand with the same keys as init(from:)"
            ).encodingError
        }
        let (first, second) = (try resourceObject(model), try resourceObject(again))
        for group in ["attributes", "relationships", "meta", "links"] {
            let (old, new) = (first.members[group]?.object ?? JSONObject(), second.members[group]?.object ?? JSONObject())
            let names = Array(old.names) + Array(new.names)
            guard let name = names.first(where: { old[$0] != new[$0] }) else { continue }
            throw CodingMatch.mismatch(JSONPointer("data", group, name), model.identifier).encodingError
        }
    }

    /// A decoder that reads what this encoder writes; nil where its strategies are the program's own.
    fileprivate var mirror: JSONAPIDecoder? {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = keyStrategy
        decoder.missingResources = .omit
        switch dateEncodingStrategy {
        case .iso8601: decoder.dateDecodingStrategy = .iso8601
        case .deferredToDate: decoder.dateDecodingStrategy = .deferredToDate
        case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
        default: return nil
        }
        guard case .base64 = dataEncodingStrategy else { return nil }
        return decoder
    }

    /// Whether a model's `encode(to:)` asks for a container by `Key`.
    fileprivate func writesByKey(_ model: some ResourceRepresentable) throws -> Bool {
        let session = EncodingSession(self, include: .none, fields: [:])
        session.isRequest = true
        let check = NameCheck(omitting: [], keyStrategy)
        session.nameCheck = check
        guard let identifier = model.identifier else { return true }
        try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identifier)
        return check.hasSeenKey
    }
}
