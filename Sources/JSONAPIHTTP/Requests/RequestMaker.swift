import Foundation
import JSONAPICodec

/// What an endpoint and a server have in common: each request has their headers, and their decoder reads the response.
protocol RequestMaker {
    var headers: [String: String] { get }
    var mediaType: MediaType { get }
    /// The media type for responses. Nil stands for `mediaType`.
    var accepts: MediaType? { get }
    var decoder: JSONAPIDecoder { get }
}

extension RequestMaker {
    /// Returns a request for the document at a URL.
    func fetch<Primary: PrimaryValue>(_ url: URL) -> JSONAPIRequest<Document<Primary>> {
        let reader = AnswerReader(decoder, for: url)
        return JSONAPIRequest(method: .get, url: url, headers: requestHeaders(hasDocument: false)) { try reader.document($0) }
    }

    /// Returns a request that sends a document, if there is one, to a URL.
    func change<Primary: PrimaryValue>(_ method: RequestMethod, _ url: URL, _ body: Data?) -> JSONAPIRequest<ChangeAnswer<Primary>> {
        let reader = AnswerReader(decoder, for: url)
        let headers = requestHeaders(hasDocument: body != nil)
        return JSONAPIRequest(method: method, url: url, headers: headers, body: body) { try reader.change($0) }
    }

    private func requestHeaders(hasDocument: Bool) -> [String: String] {
        HeaderFields.merge(mediaType.requestHeaders(hasDocument: hasDocument, accepting: accepts), headers)
    }
}
