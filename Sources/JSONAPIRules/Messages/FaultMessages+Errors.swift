import JSONText

// Messages for error objects: <https://jsonapi.org/format/1.1/#error-objects>

extension Fault {
    func errorMessages(_ view: TapeView) -> FaultMessages {
        switch (rule, how) {
        case (.errorsArray, .element):
            kind(
                view, "an element of `errors`", "an error object", expected: "an error object",
                note: tolerated(
                    view, "an error", null: "read as an error without members", text: "used as its detail"))
        case (.errorsArray, _):
            kind(
                view, "`errors`", "an array of error objects", expected: "an array of error objects",
                note: tolerated(
                    view, view.isNull(word) ? "the errors" : "the array of errors", null: "read as no errors",
                    text: "used as the detail of an error"))
        case (.errorMember, _):
            FaultMessages(
                "at least one member of an error object", "none", note: "an error without any member",
                problem: "an error object without any member", cure: "add `status`, `title` or another member")
        case (.errorID, .repeated):
            FaultMessages(
                "a different id for each error", "the id of an earlier error", note: "the id of an earlier error",
                problem: "an error with the `id` of an earlier error", cure: "use a different `id` for each error, or leave it out")
        case (.errorID, .kind):
            kind(
                view, "the `id` of an error", "a string", expected: "a string: the error's id", note: "an error's id that is not a string")
        case (.errorStatus, .text):
            FaultMessages(
                Self.statusCode, "other text", note: "a status that is not an HTTP status code; its text is kept",
                problem: "a `status` that is not an HTTP status code", cure: "use three digits, such as \"422\"")
        case (.errorStatus, _) where view.kind(at: word) == .number:
            kind(
                view, "the `status` of an error", "a string", expected: Self.statusCode,
                note: "a number instead of a string status; its digits are used as the status")
        case (.errorStatus, _): member(view, "the `status` of an error", Self.statusCode)
        case (.errorStatusPresent, _):
            FaultMessages("the member `status`", problem: "an error object without `status`", cure: "add the HTTP status code as a string")
        case (.errorCode, _): member(view, "the `code` of an error", "a string: the error's code")
        case (.errorTitle, _): member(view, "the `title` of an error", "a string: the error's title")
        case (.errorDetail, _): member(view, "the `detail` of an error", "a string: the error's detail")
        default: member(view, "the `id` of an error", "a string: the error's id")
        }
    }

    private static let statusCode = "a string: the HTTP status code"

    /// Returns the note for null, a string or another value instead of errors.
    private func tolerated(_ view: TapeView, _ what: String, null: String, text: String) -> String {
        switch view.kind(at: word) {
        case .null: "null instead of \(what); \(null)"
        case .string: "a string instead of \(what); \(text)"
        default: "\(view.kindName(at: word)) instead of \(what); read as far as possible"
        }
    }

    private func member(_ view: TapeView, _ what: String, _ expected: String, _ shape: String = "a string") -> FaultMessages {
        kind(
            view, what, shape, expected: expected,
            note: view.isNull(word) ? "null in an error; read as a missing member" : "\(view.kindName(at: word)) instead of \(expected)")
    }

    func sourceMessages(_ view: TapeView) -> FaultMessages {
        switch (rule, how) {
        case (.errorSourceMember, _):
            FaultMessages(
                "one of the members `pointer`, `parameter` and `header`",
                problem: "a `source` without `pointer`, `parameter` and `header`", cure: "add one of them, or remove `source`")
        case (.errorSource, .emptyArray):
            container(
                view, "an object: the error's source", "the `source` of an error", "an object with `pointer`, `parameter` or `header`")
        case (.errorSource, _):
            member(
                view, "the `source` of an error", "an object: the error's source", "an object with `pointer`, `parameter` or `header`")
        case (.errorPointer, .text):
            FaultMessages(
                "a JSON Pointer (RFC 6901)", "other text", note: "a pointer that is not a JSON Pointer; its text is kept",
                problem: "a `pointer` that is not a JSON Pointer",
                cure: "use a form such as \"/data/attributes/title\", or \"\" for the whole document")
        case (.errorPointer, .missing):
            FaultMessages(
                "the member `pointer`", problem: "an error without `source.pointer`",
                cure: "point to the operation, such as \"/atomic:operations/0\"")
        case (.errorPointer, _): member(view, "the `pointer` of an error's source", "a string: a JSON Pointer")
        case (.errorParameter, _): member(view, "the `parameter` of an error's source", "a string: a name")
        default: member(view, "the `header` of an error's source", "a string: a name")
        }
    }
}
