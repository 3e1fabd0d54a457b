import JSONAPICodec

/// The header `If-Match` of a request: change the resource only if it is still in the state that the client knows.
///
/// ```swift
/// try IfMatch(headers: request.headers)?.check(EntityTag(article.version))     // 412 when the resource has changed
/// ```
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-if-match>
public enum IfMatch: Sendable, Hashable {
    /// `*`: the resource must exist.
    case any
    /// The resource must have one of these tags.
    case tags([EntityTag])

    /// Creates the condition from the header; nil without the header. Throws `PreconditionFailure.unreadable`, which means status 400.
    public init?(headers: [String: String]) throws(PreconditionFailure) {
        guard let text = HeaderFields.value("If-Match", in: headers) else { return nil }
        try self.init(parsing: text)
    }

    /// Creates the condition from the value of a header: `*`, or tags separated by commas. Throws `PreconditionFailure.unreadable` for any
    /// other text.
    public init(parsing text: String) throws(PreconditionFailure) {
        var scanner = HeaderScanner(text)
        if scanner.take("*") {
            scanner.skipSpace()
            guard scanner.next == nil else { throw .unreadable }
            self = .any
            return
        }
        var tags: [EntityTag] = []
        while let next = scanner.next {
            if next != UInt8(ascii: ",") {
                guard let tag = scanner.entityTag() else { throw .unreadable }
                tags.append(tag)
            }
            guard scanner.next == nil || scanner.take(",") else { throw .unreadable }
            scanner.skipSpace()
        }
        guard !tags.isEmpty else { throw .unreadable }
        self = .tags(tags)
    }

    /// Throws `PreconditionFailure.failed`, which means status 412, unless the resource has one of the tags. Pass nil for a resource that
    /// does not exist. Weak tags never match.
    ///
    /// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-if-match>
    public func check(_ current: EntityTag?) throws(PreconditionFailure) {
        guard let current else { throw .failed }
        switch self {
        case .any: return
        case .tags(let tags): guard tags.contains(where: { $0.matchesStrongly(current) }) else { throw .failed }
        }
    }
}

/// The reason why a request is not carried out because of `If-Match`.
public enum PreconditionFailure: ErrorDocumentRepresentable, Sendable, Hashable {
    /// The resource has changed since the client read it: 412.
    case failed
    /// The header is neither `*` nor a list of entity tags: 400.
    case unreadable
    /// The server changes resources only with this header: 428. Throw it yourself if your server requires the header.
    case required

    /// 412, 400 or 428.
    public var status: Int { contents.status }

    /// A document with one error, whose source is the header.
    public var errorDocument: ErrorDocument {
        let (status, title, detail) = contents
        return ErrorDocument(errors: [
            ErrorObject(status: String(status), title: title, detail: detail, source: ErrorSource(header: "If-Match"))
        ])
    }

    private var contents: (status: Int, title: String, detail: String) {
        switch self {
        case .failed: (412, "Precondition Failed", "The resource has changed: read it again.")
        case .unreadable: (400, "Unreadable Header", "The value is neither `*` nor a list of entity tags.")
        case .required: (428, "Precondition Required", "Send the entity tag of the resource that you want to change.")
        }
    }
}
