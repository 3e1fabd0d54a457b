import Foundation
import JSONAPICodec
import JSONText

/// Reads the response of a server by its status and body. It ignores the media type of the response, because servers often send a wrong
/// one.
struct AnswerReader: Sendable {
    var decoder: JSONAPIDecoder

    /// Returns the document of a response, with the `data` that the request needs.
    func document<Primary: PrimaryValue>(_ response: JSONAPIResponse) throws -> Document<Primary> {
        guard let body = try body(of: response) else { throw UnexpectedAnswer(.noDocument, response) }
        return try decode(Document<Primary>.self, body, response)
    }

    /// Returns the response to a change, with or without a document. One that names no resource is none.
    func change<Primary: PrimaryValue>(_ response: JSONAPIResponse) throws -> ChangeAnswer<Primary> {
        do {
            let answer: ChangeAnswer<Primary> = try documented(response)
            // A leniency reads null as an empty collection.
            guard (answer.data as? any Collection)?.isEmpty == true, textWithoutResource(of: response) != nil else { return answer }
            return ChangeAnswer(response, nil, meta: answer.meta, decoder)
        } catch {
            guard let body = textWithoutResource(of: response) else { throw error }
            return ChangeAnswer(response, nil, meta: try? decoder.decode(Document<NoData>.self, from: body).meta, decoder)
        }
    }

    private func documented<Primary: PrimaryValue>(_ response: JSONAPIResponse) throws -> ChangeAnswer<Primary> {
        guard let body = try body(of: response) else { return ChangeAnswer(response, nil, meta: nil, decoder) }
        if response.status == 202 {
            let meta = try accepted(response, body).meta
            return ChangeAnswer(response, nil, meta: meta, decoder)
        }
        let document = try decode(Document<PossibleData<Primary>>.self, body, response)
        return ChangeAnswer(response, document.data.value.map { document.replacingData(with: $0) }, meta: document.meta, decoder)
    }

    /// Returns the results of atomic operations; nil when there is no document, for a text that names no resource, and for status 202.
    func results(_ response: JSONAPIResponse, of operations: AtomicOperations) throws -> AtomicResults? {
        do {
            return try documentedResults(response, of: operations)
        } catch {
            if textWithoutResource(of: response) == nil { throw error }
            return nil
        }
    }

    private func documentedResults(_ response: JSONAPIResponse, of operations: AtomicOperations) throws -> AtomicResults? {
        guard let body = try body(of: response) else { return nil }
        if response.status == 202 {
            _ = try accepted(response, body)
            return nil
        }
        return try noting(response, body) { try decoder.decode(AtomicResults.self, from: body, for: operations) }
    }
}

// MARK: - Parts

extension AnswerReader {
    /// Creates the reader for an address. The decoder receives the fieldsets of the address's query, unless it has its own.
    init(_ decoder: JSONAPIDecoder, for url: URL) {
        self.decoder = decoder
        if decoder.fields.isEmpty { self.decoder.fields = Query(of: url).fields }
    }

    /// Returns the body of a success if it names no resource, or if it is a document whose `data` is null.
    private func textWithoutResource(of response: JSONAPIResponse) -> Data? {
        guard (200...299).contains(response.status), let body = response.body else { return nil }
        if AnswerBody.namesNothing(body, decoder.reading) { return body }
        guard let document = try? decoder.decode(DocumentObject.self, from: body), document.data == .null,
            ErrorDocument(in: document) == nil, !document.members.contains(name: "atomic:results")
        else { return nil }
        return body
    }

    /// Throws when the status is not a success: the document of errors, or `UnexpectedAnswer`.
    private func check(_ response: JSONAPIResponse) throws {
        guard !(200...299).contains(response.status) else { return }
        if let body = response.body, AnswerBody(body) == .object, var document = errors(in: body) {
            document.httpStatus = response.status
            throw document
        }
        throw UnexpectedAnswer(.status, response)
    }

    /// Returns the errors of a document, read in standard mode; nil when it has no `errors`.
    private func errors(in body: Data) -> ErrorDocument? {
        var reader = JSONAPIDecoder()
        reader.reading = decoder.reading
        reader.maximumDiagnosticBytes = decoder.maximumDiagnosticBytes
        do {
            _ = try reader.decode(Document<NoData>.self, from: body)
            return nil
        } catch {
            return error as? ErrorDocument
        }
    }

    /// Returns the body of a success when it is a JSON object; nil when there is none. Throws for any other text, and for a failure.
    private func body(of response: JSONAPIResponse) throws -> Data? {
        try check(response)
        guard let body = AnswerBody.text(of: response.body, status: response.status) else { return nil }
        guard AnswerBody(body) == .object else { throw UnexpectedAnswer(.notJSONAPI, response) }
        return body
    }

    private func decode<Primary: PrimaryValue>(
        _ type: Document<Primary>.Type, _ body: Data, _ response: JSONAPIResponse
    ) throws -> Document<Primary> {
        try noting(response, body) { try decoder.decode(type, from: body) }
    }

    /// Returns the document of a request that the server has accepted. Throws its errors also with the leniency `dataWithErrors`, because the
    /// answer has no document in which they could be found.
    private func accepted(_ response: JSONAPIResponse, _ body: Data) throws -> Document<NoData> {
        try noting(response, body) {
            let document = try decoder.decode(Document<NoData>.self, from: body)
            if !document.errors.isEmpty, let errors = errors(in: body) { throw errors }
            return document
        }
    }

    /// Whether a text that could not be read is JSON but not a document: it has no `data`, `errors` or `meta`, and no extension member.
    private func isForeign(_ body: Data) -> Bool {
        guard let members = try? JSON(parsing: body, options: decoder.reading).object else { return false }
        return !members.contains { ["data", "errors", "meta"].contains($0.name) || $0.name.utf8.contains(UInt8(ascii: ":")) }
    }

    /// Adds the status of the response to a document of errors. Throws `UnexpectedAnswer` for a text that is no document.
    private func noting<Result>(_ response: JSONAPIResponse, _ body: Data, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch var document as ErrorDocument {
            document.httpStatus = response.status
            throw document
        } catch let error as DecodingError {
            if isForeign(body) { throw UnexpectedAnswer(.notJSONAPI, response) }
            throw error
        }
    }
}
