import JSONAPICodec
import JSONText

extension ValidationIssue {
    /// The issue as a JSON:API error object, for a server that rejects a request.
    ///
    /// ```
    /// {"status": "422", "code": "crud/creating/type-required", "title": "The resource object of a creation must have `type`.",
    ///  "detail": "a resource object without `type`; add `type`, a string", "source": {"pointer": "/data"}}
    /// ```
    ///
    /// The status is `400` for text that is not JSON, and `422` for a document that breaks a rule. To use another status, call
    /// `errorObject(status:)`.
    ///
    /// <https://jsonapi.org/format/1.1/#error-objects>
    public var errorObject: ErrorObject { errorObject(status: rule == .syntax ? "400" : "422") }

    /// Returns the issue as a JSON:API error object with the given status.
    public func errorObject(status: String) -> ErrorObject {
        ErrorObject(
            status: status, code: rule.id, title: rule.sentence, detail: "\(message); \(cure)", source: ErrorSource(pointer: pointer))
    }
}

extension ValidationReport {
    /// The errors of the report as error objects, in the order of the document. Warnings are not included. If the report omits errors, the
    /// last error object contains their number.
    ///
    /// The total size is limited to about `Validator.maximumReportBytes`.
    public var errorObjects: [ErrorObject] {
        errors.map(\.errorObject) + (omittedErrors > 0 ? [.omitted(omittedErrors)] : [])
    }
}
