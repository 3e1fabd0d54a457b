// Foundation's own network code is a module of its own beside Apple's platforms.
#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif
#if canImport(FoundationNetworking) || canImport(Darwin)
    public import Foundation
    import JSONAPICodec

    extension URLRequest {
        /// The request for `URLSession`, with its method, headers and body.
        ///
        /// ```swift
        /// let request = try articles.list(query)
        /// let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
        /// let page = try request.answer(data, response)
        /// ```
        ///
        /// `URLSession` follows redirects by itself; its delegate can forbid it.
        public init<Answer>(_ request: JSONAPIRequest<Answer>) {
            self.init(url: request.url)
            httpMethod = request.method.rawValue
            for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
            httpBody = request.body
        }
    }

    extension JSONAPIRequest {
        /// The answer that `URLSession` brought. Throws as `answer(status:headers:body:)` does; `UnexpectedAnswer` with status 0 for a response
        /// that is none of HTTP's.
        public func answer(_ data: Data, _ response: URLResponse) throws -> Answer {
            try answer(JSONAPIResponse(data, response))
        }
    }

    extension JSONAPIResponse {
        /// What `URLSession` brought: status, headers and body. The status is 0 for a response that is none of HTTP's.
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
