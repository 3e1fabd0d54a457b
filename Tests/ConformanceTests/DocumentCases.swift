import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

/// A document, decoded in one mode.
struct DocumentReading {
    let mode: JSONAPIDecoder.Mode
    let document: DocumentObject?
    let diagnostics: Diagnostics
    let failure: DecodingFailure?

    /// Throws for an error without a place.
    init(_ data: Data, of entry: CaseEntry, in mode: JSONAPIDecoder.Mode) throws {
        self.mode = mode
        var decoder = JSONAPIDecoder(mode: mode)
        if Self.isRequest(entry) { decoder.source = .request }
        if let query = entry["context"]?["query"]?.string { decoder.fields = Query(parsing: query).fields }
        do {
            let read = try decoder.decodeWithDiagnostics(DocumentObject.self, from: data)
            document = read.document
            diagnostics = read.diagnostics
            failure = nil
        } catch let error as DecodingError {
            guard let found = error.failure else { throw error }
            document = nil
            diagnostics = Diagnostics()
            failure = found
        }
    }
}

extension DocumentReading {
    /// Whether the document is a request.
    static func isRequest(_ entry: CaseEntry) -> Bool {
        ["create", "update", "relationship", "atomic-request"].contains(entry["kind"]?.string)
    }
}

/// Cases of whole documents, valid and invalid.
enum DocumentCases {
    /// Decodes the document in standard and strict mode, compares it with the facts, and encodes it again.
    static func checkValid(_ entry: CaseEntry, _ report: inout Report) throws {
        let data = try entry.bytes()
        let original = try JSON(parsing: data)
        guard let expected = entry["expect"]?.object else { throw CaseFolder.Unusable("no expect") }
        for mode in [JSONAPIDecoder.Mode.standard, .strict] {
            let reading = try DocumentReading(data, of: entry, in: mode)
            guard let document = reading.document else {
                report.fail(entry, "\(mode) verdict", "expected to be accepted, found \(reading.failure.map { "\($0)" } ?? "nothing")")
                continue
            }
            for difference in DocumentFacts(document).differences(from: expected) { report.fail(entry, "\(mode) facts", difference) }
            let written = try JSON(parsing: JSONAPIEncoder().encode(document))
            if !written.isIdentical(to: original) { report.fail(entry, "\(mode) writing", "expected the same document, found \(written)") }
        }
        try checkRawDocument(entry, data, original, &report)
    }

    /// Decodes a `Document` with the form of its primary data, and encodes it again.
    private static func checkRawDocument(_ entry: CaseEntry, _ data: Data, _ original: JSON, _ report: inout Report) throws {
        guard original["errors"] == nil else { return }
        var decoder = JSONAPIDecoder()
        if DocumentReading.isRequest(entry) { decoder.source = .request }
        let encoder = JSONAPIEncoder()
        let isLinkage = entry["kind"] == "relationship"
        let written: Data
        switch (original["data"], isLinkage) {
        case (nil, _): written = try encoder.encode(decoder.decode(Document<NoData>.self, from: data))
        case (.array?, false): written = try encoder.encode(decoder.decode(Document<[ResourceObject]>.self, from: data))
        case (.array?, true): written = try encoder.encode(decoder.decode(Document<[ResourceIdentifier]>.self, from: data))
        case (_, false): written = try encoder.encode(decoder.decode(Document<ResourceObject?>.self, from: data))
        case (_, true): written = try encoder.encode(decoder.decode(Document<ResourceIdentifier?>.self, from: data))
        }
        let tree = try JSON(parsing: written)
        if tree != original { report.fail(entry, "raw writing", "expected the same document, found \(tree)") }
    }

    /// Reads a part of a document as a lens, and writes it again.
    static func checkFragment(_ entry: CaseEntry, _ report: inout Report) throws {
        let json = try JSON(parsing: entry.bytes())
        guard let expected = entry["expect"]?.object else { throw CaseFolder.Unusable("no expect") }
        guard let part = entry["fragment_of"]?.string, let facts = DocumentFacts(json, asFragment: part) else {
            throw CaseFolder.Unusable("not the part of a document that fragment_of names")
        }
        for difference in facts.differences(from: expected) { report.fail(entry, "facts", difference) }
    }

    /// Checks that a document is accepted if a reader must ignore its fault, and that a failure has the place of the fault.
    static func checkInvalid(_ entry: CaseEntry, _ report: inout Report) throws {
        let data = try entry.bytes()
        let original = try JSON(parsing: data)
        let expected = try entry.pointers()
        guard let processor = entry["processor"]?.string else { throw CaseFolder.Unusable("no processor") }
        for pointer in expected where original[pointer: pointer] == nil {
            report.fail(entry, "pointer", "\(pointer) of the index leads nowhere")
        }
        for mode in [JSONAPIDecoder.Mode.strict, .standard, .lenient] {
            guard let failure = try DocumentReading(data, of: entry, in: mode).failure else { continue }
            if processor == "must-ignore", mode != .strict {
                report.fail(entry, "\(mode) verdict", "expected not to be refused, found \(failure)")
            }
            if original[pointer: failure.pointer] == nil {
                report.fail(entry, "\(mode) pointer", "expected a value that exists, found \"\(failure.pointer)\": \(failure)")
            }
            if mode == .strict, !expected.contains(where: { $0.isPrefix(of: failure.pointer) }) {
                let places = expected.map { "\"\($0)\"" }.joined(separator: " or ")
                report.fail(entry, "strict pointer", "expected \(places) or below, found \"\(failure.pointer)\": \(failure)")
            }
        }
    }
}
