// Outside Apple's platforms, Foundation's network code is a separate module.
#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif
#if canImport(FoundationNetworking) || canImport(Darwin)
    public import Foundation
    import JSONAPICodec

    extension URLRequest {
        /// Creates the request for `URLSession`, with its method, headers and body.
        ///
        /// ```swift
        /// let request = try articles.list(query)
        /// let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
        /// let page = try request.answer(data, response)
        /// ```
        ///
        /// `URLSession` follows redirects by default. Its delegate can prevent that.
        public init<Answer>(_ request: JSONAPIRequest<Answer>) {
            self.init(url: request.url)
            httpMethod = request.method.rawValue
            for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
            httpBody = request.body
        }
    }

    extension JSONAPIRequest {
        /// Returns the answer from a response of `URLSession`. Throws what `answer(status:headers:body:)` throws. For a response that is
        /// not HTTP's, it throws `UnexpectedAnswer` with status 0.
        public func answer(_ data: Data, _ response: URLResponse) throws -> Answer {
            try answer(JSONAPIResponse(data, response))
        }
    }

    extension JSONAPIResponse {
        /// Creates a response from that of `URLSession`: status, headers and body. The status is 0 when the response is not HTTP's.
        public init(_ data: Data, _ response: URLResponse) {
            guard let response = response as? HTTPURLResponse else {
                self.init(status: 0, body: data)
                return
            }
            let fields = response.allHeaderFields.map { (name: String(describing: $0.key), value: String(describing: $0.value)) }
            self.init(status: response.statusCode, headers: HeaderFields.dictionary(fields), body: data)
        }
    }
#endif
