import Foundation
import JSONAPICodec
import JSONText

/// The response to a request that creates, changes or deletes.
///
/// ```swift
/// let answer = try articles.create(draft).answer(status: status, headers: headers, body: data)
/// if answer.isAccepted { return wait(for: answer.contentLocation) }
/// let article = answer.data ?? draft
/// ```
///
/// | status | `isAccepted` | `document` |
/// | --- | --- | --- |
/// | 201, 200 with `data` | false | the resource as it is now |
/// | 200 or 201 without `data`, 204, 205 | false | nil: the server accepted the resource as it was sent |
/// | 202 | true | nil: nothing is done yet; `document(as:)` reads the information about the job |
///
/// A body of whitespace, `null`, or `{}`, or a document whose `data` is null although the request needs a resource, also counts as no
/// `data`; `document(as:)` reads what such a document includes. What a server sends with 204 or 205 is ignored. A document of errors is
/// thrown. With the leniency `dataWithErrors`, `document` can have errors beside its data; for status 202, they are thrown.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses>,
/// <https://jsonapi.org/format/1.1/#crud-updating-responses>, <https://jsonapi.org/format/1.1/#crud-deleting-responses>
public struct ChangeAnswer<Primary: PrimaryValue>: Sendable {
    /// The HTTP status code: 200, 201, 202, 204 or 205.
    public let status: Int
    /// The header fields by name.
    public let headers: [String: String]
    /// The document; nil when the response has no document or no `data`, and for status 202.
    public let document: Document<Primary>?
    /// The document's meta, with or without `data`; nil when there is none.
    public let meta: JSONObject?

    private let body: Data?
    private let decoder: JSONAPIDecoder

    init(_ response: JSONAPIResponse, _ document: Document<Primary>?, meta: JSONObject?, _ decoder: JSONAPIDecoder) {
        status = response.status
        headers = response.headers
        self.document = document
        self.meta = meta
        body = AnswerBody.text(of: response.body, status: response.status)
        self.decoder = decoder
    }

    /// The resource, or the linkage of a relationship, as the server has it now; nil when the response has none.
    public var data: Primary? { document?.data }

    /// Whether the server has accepted the request and not finished it.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-202>
    public var isAccepted: Bool { status == 202 }

    /// The header `Location`: the address of a created resource.
    public var location: String? { HeaderFields.value("Location", in: headers) }

    /// The header `Content-Location`: after status 202, the recommended place for the address of the job.
    ///
    /// <https://jsonapi.org/recommendations/#asynchronous-processing>
    public var contentLocation: String? { HeaderFields.value("Content-Location", in: headers) }

    /// Returns the document of the response with other primary data, for example the job of a 202. Nil when there is no document. Throws
    /// `DecodingError` when the document cannot be read, and `ErrorDocument` when it has errors.
    public func document<Other: PrimaryValue>(as type: Other.Type) throws -> Document<Other>? {
        guard let body, AnswerBody(body) == .object else { return nil }
        return try decoder.decode(Document<Other>.self, from: body)
    }
}
