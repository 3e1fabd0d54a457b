import JSONAPICodec
import JSONText

extension ValidationIssue {
    /// The issue as an error object of JSON:API, for a server that refuses a request.
    ///
    /// ```
    /// {"status": "422", "code": "crud/creating/type-required", "title": "A resource object to be created has `type`.",
    ///  "detail": "a resource object without `type`; give it one, a string", "source": {"pointer": "/data"}}
    /// ```
    ///
    /// The status is `400` for a text that is no JSON and `422` for a document that breaks a rule; `errorObject(status:)` takes
    /// another one.
    ///
    /// <https://jsonapi.org/format/1.1/#error-objects>
    public var errorObject: ErrorObject { errorObject(status: rule == .syntax ? "400" : "422") }

    /// The same with a status of the caller's.
    public func errorObject(status: String) -> ErrorObject {
        ErrorObject(
            status: status, code: rule.id, title: rule.sentence, detail: "\(message); \(cure)", source: ErrorSource(pointer: pointer))
    }
}

extension ValidationReport {
    /// An error object for every error, in the order of the document; warnings are left out. When the report leaves errors out, a last
    /// error object says how many.
    ///
    /// All together take no more than about `Validator.maximumReportBytes`.
    public var errorObjects: [ErrorObject] {
        errors.map(\.errorObject) + (omittedErrors > 0 ? [.omitted(omittedErrors)] : [])
    }
}
