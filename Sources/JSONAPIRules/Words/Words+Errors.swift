import JSONText

// Error objects in words: <https://jsonapi.org/format/1.1/#error-objects>

extension Fault {
    func errorWords(_ view: TapeView) -> Words {
        switch (rule, how) {
        case (.errorsArray, .element):
            kind(
                view, "an element of `errors`", "an error object", expected: "an error object",
                note: tolerated(
                    view, "an error", null: "it says nothing", text: "taken as its detail"))
        case (.errorsArray, _):
            kind(
                view, "`errors`", "an array of error objects", expected: "an array of error objects",
                note: tolerated(
                    view, view.isNull(word) ? "the errors" : "the array of errors", null: "taken as none",
                    text: "taken as the detail of one"))
        case (.errorMember, _):
            Words(
                "at least one member of an error object", "none", note: "an error that says nothing",
                problem: "an error object that says nothing", cure: "add `status`, `title` or another member")
        case (.errorID, .repeated):
            Words(
                "an id of this error alone", "one that an error before it has", note: "an id that an error before it has",
                problem: "an error's `id` that an error before it has", cure: "give each occurrence its own, or none")
        case (.errorID, .kind):
            kind(
                view, "the `id` of an error", "a string", expected: "a string: the error's id", note: "an error's id that is no string")
        case (.errorStatus, .text):
            Words(
                Self.statusCode, "another text", note: "a status that is no HTTP status code; its text is kept",
                problem: "a `status` that is no HTTP status code", cure: "write its three digits, as \"422\"")
        case (.errorStatus, _) where view.kind(at: word) == .number:
            kind(
                view, "the `status` of an error", "a string", expected: Self.statusCode,
                note: "a number in place of the status; its digits are the status")
        case (.errorStatus, _): member(view, "the `status` of an error", Self.statusCode)
        case (.errorStatusPresent, _):
            Words("the member `status`", problem: "an error object without `status`", cure: "add the HTTP status code, a string")
        case (.errorCode, _): member(view, "the `code` of an error", "a string: the error's code")
        case (.errorTitle, _): member(view, "the `title` of an error", "a string: the error's title")
        case (.errorDetail, _): member(view, "the `detail` of an error", "a string: the error's detail")
        default: member(view, "the `id` of an error", "a string: the error's id")
        }
    }

    private static let statusCode = "a string: the HTTP status code"

    /// Null, a text or something else in place of errors.
    private func tolerated(_ view: TapeView, _ what: String, null: String, text: String) -> String {
        switch view.kind(at: word) {
        case .null: "null in place of \(what); \(null)"
        case .string: "a text in place of \(what); \(text)"
        default: "\(view.kindName(at: word)) in place of \(what); read as far as it can be"
        }
    }

    private func member(_ view: TapeView, _ what: String, _ expected: String, _ shape: String = "a string") -> Words {
        kind(
            view, what, shape, expected: expected,
            note: view.isNull(word) ? "null in an error; taken as absent" : "\(view.kindName(at: word)) in place of \(expected)")
    }

    func sourceWords(_ view: TapeView) -> Words {
        switch (rule, how) {
        case (.errorSourceMember, _):
            Words(
                "one of the members `pointer`, `parameter` and `header`",
                problem: "a `source` without `pointer`, `parameter` and `header`", cure: "add one of them, or leave it out")
        case (.errorSource, .emptyArray):
            container(
                view, "an object: the error's source", "the `source` of an error", "an object with `pointer`, `parameter` or `header`")
        case (.errorSource, _):
            member(
                view, "the `source` of an error", "an object: the error's source", "an object with `pointer`, `parameter` or `header`")
        case (.errorPointer, .text):
            Words(
                "a JSON Pointer (RFC 6901)", "another text", note: "no JSON Pointer; its text is kept",
                problem: "a `pointer` that is no JSON Pointer", cure: "write it as \"/data/attributes/title\", or \"\" for all")
        case (.errorPointer, .missing):
            Words(
                "the member `pointer`", problem: "an error without `source.pointer`",
                cure: "point at the operation, as \"/atomic:operations/0\"")
        case (.errorPointer, _): member(view, "the `pointer` of an error's source", "a string: a JSON Pointer")
        case (.errorParameter, _): member(view, "the `parameter` of an error's source", "a string: a name")
        default: member(view, "the `header` of an error's source", "a string: a name")
        }
    }
}
