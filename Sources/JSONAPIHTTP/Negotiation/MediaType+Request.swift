extension MediaType {
    /// The headers of a client's request: `Accept`, and `Content-Type` when it has a document.
    ///
    /// ```swift
    /// let atomic = MediaType(ext: ["https://jsonapi.org/ext/atomic"])
    /// for (name, value) in atomic.requestHeaders(hasDocument: true) { request.setValue(value, forHTTPHeaderField: name) }
    /// ```
    ///
    /// In `Content-Type` the extensions and profiles are those of the document that is sent. In `Accept` they are what the
    /// response is to have: the server must apply the extensions or answer 406, and may apply the profiles. Where the two
    /// differ, give the response its own media type.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-clients>
    public func requestHeaders(hasDocument: Bool = false, accepting response: MediaType? = nil) -> [String: String] {
        var headers = ["Accept": (response ?? self).description]
        if hasDocument { headers["Content-Type"] = description }
        return headers
    }
}
