import Foundation
import JSONAPICodec
import JSONText

/// The answer to a request that creates, changes or deletes.
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
/// | 200 or 201 without `data`, 204 | false | nil: the server took the resource as it was sent |
/// | 202 | true | nil: nothing is done yet; `document(as:)` reads what the answer says of the job |
///
/// A document of errors is thrown.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses>,
/// <https://jsonapi.org/format/1.1/#crud-updating-responses>, <https://jsonapi.org/format/1.1/#crud-deleting-responses>
public struct ChangeAnswer<Primary: PrimaryValue>: Sendable {
    /// The HTTP status code: 200, 201, 202 or 204.
    public let status: Int
    /// Header fields by name.
    public let headers: [String: String]
    /// The document; nil when the answer has none, or none with `data`, and for 202.
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
        body = response.body
        self.decoder = decoder
    }

    /// The resource, or what a relationship links to, as the server has it now; nil when the server says nothing of it.
    public var data: Primary? { document?.data }

    /// Whether the server took the request and has not finished it.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-202>
    public var isAccepted: Bool { status == 202 }

    /// The header `Location`: the address of a created resource.
    public var location: String? { HeaderFields.value("Location", in: headers) }

    /// The header `Content-Location`: after a 202, by recommendation the address of the job.
    ///
    /// <https://jsonapi.org/recommendations/#asynchronous-processing>
    public var contentLocation: String? { HeaderFields.value("Content-Location", in: headers) }

    /// The document of the answer with other primary data, as that of a 202, which is about a job. Nil without a document; throws
    /// `DecodingError`.
    public func document<Other: PrimaryValue>(as type: Other.Type) throws -> Document<Other>? {
        guard let body, AnswerBody(body) == .object else { return nil }
        return try decoder.decode(Document<Other>.self, from: body)
    }
}
