import JSONAPIRules
import JSONText

// Error objects: https://jsonapi.org/format/1.1/#error-objects

extension ValidationRule {
    static let errorsArray = ValidationRule("errors/array", .must, "error-objects", "`errors` is an array of error objects.")
    static let errorMember = ValidationRule(
        "errors/error-objects/at-least-one-member", .must, "error-objects",
        "An error object has `id`, `links`, `status`, `code`, `title`, `detail`, `source` or `meta`.")
    static let errorID = ValidationRule(
        "errors/error-objects/id-unique", .must, "error-objects", "No two error objects have the same `id`.")
    static let errorStatus = ValidationRule(
        "errors/error-objects/status-string", .must, "error-objects", "`status` of an error is an HTTP status code, as a string.")
    static let errorStatusPresent = ValidationRule(
        "errors/error-objects/status-provided", .should, "error-objects", "An error object has `status`.")
    static let errorCode = ValidationRule("errors/error-objects/code-string", .must, "error-objects", "`code` of an error is a string.")
    static let errorTitle = ValidationRule("errors/error-objects/title-string", .must, "error-objects", "`title` of an error is a string.")
    static let errorDetail = ValidationRule(
        "errors/error-objects/detail-string", .must, "error-objects", "`detail` of an error is a string.")
    static let errorSource = ValidationRule(
        "errors/error-objects/source-object", .must, "error-objects", "`source` of an error is an object.")
    static let errorSourceMember = ValidationRule(
        "errors/error-objects/source-member", .should, "error-objects", "`source` of an error has `pointer`, `parameter` or `header`.")
    static let errorPointer = ValidationRule(
        "errors/error-objects/pointer-syntax", .must, "error-objects", "`pointer` of an error's source is a JSON Pointer.")
    static let errorParameter = ValidationRule(
        "errors/error-objects/parameter-string", .must, "error-objects", "`parameter` of an error's source is a string.")
    static let errorHeader = ValidationRule(
        "errors/error-objects/header-string", .must, "error-objects", "`header` of an error's source is a string.")

    static let errors = [
        errorsArray, errorMember, errorID, errorStatus, errorStatusPresent, errorCode, errorTitle, errorDetail, errorSource,
        errorSourceMember, errorPointer, errorParameter, errorHeader,
        ValidationRule(
            "errors/error-objects/links-members", .may, "error-objects", "The links of an error are `about` and `type`.",
            reportedAs: [additionalMember]),
    ]
}

extension DocumentCheck {
    mutating func checkErrors(_ errors: Int) {
        guard view.isArray(errors) else { return reportKind(.errorsArray, at: errors, "`errors`", "an array of error objects") }
        var ids = WordTable(capacity: view.count(at: errors))
        for element in elements(of: errors) {
            guard view.isObject(element) else {
                reportKind(.errorsArray, at: element, "an element of `errors`", "an error object")
                continue
            }
            let id = checkError(element)
            if id != 0, view.isString(id), !ids.insert(id, 0, view) {
                report(.errorID, at: id, "an error's `id` that an error before it has", "give each occurrence its own, or none")
            }
        }
    }

    /// Answers the word of its id, 0 for none.
    private mutating func checkError(_ error: Int) -> Int {
        var id = 0
        var hasStatus = false
        var hasPointer = false
        var isEmpty = true
        for (name, value) in members(of: error) {
            if view.string(at: name, equals: "status") {
                hasStatus = true
                checkStatus(value)
            } else if view.string(at: name, equals: "id") {
                id = value
            } else if view.string(at: name, equals: "source") {
                hasPointer = checkSource(value)
            } else if view.string(at: name, equals: "links") {
                _ = checkLinks(value, of: .error)
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .error)
            } else if !checkErrorText(name, value) {
                continue
            }
            isEmpty = false
        }
        if isEmpty {
            report(.errorMember, at: error, "an error object that says nothing", "add `status`, `title` or another member")
        } else {
            if !hasStatus {
                report(.errorStatusPresent, at: error, "an error object without `status`", "add the HTTP status code, a string")
            }
            if !hasPointer { checkPointerOfOperation(error) }
        }
        return id
    }

    /// `code`, `title` and `detail`. Answers whether the member is one of them.
    private mutating func checkErrorText(_ name: Int, _ value: Int) -> Bool {
        if view.string(at: name, equals: "code") {
            _ = checkString(value, .errorCode, "the `code` of an error")
        } else if view.string(at: name, equals: "title") {
            _ = checkString(value, .errorTitle, "the `title` of an error")
        } else if view.string(at: name, equals: "detail") {
            _ = checkString(value, .errorDetail, "the `detail` of an error")
        } else {
            _ = checkOther(name, value, in: "an error object", defined: DefinedMembers.error)
            return false
        }
        return true
    }

    /// <https://www.rfc-editor.org/rfc/rfc9110#section-15>
    private mutating func checkStatus(_ status: Int) {
        guard checkString(status, .errorStatus, "the `status` of an error") else { return }
        if !view.isStatusCode(status) {
            report(.errorStatus, at: status, "a `status` that is no HTTP status code", "write its three digits, as \"422\"")
        }
    }

    /// Answers whether it has a pointer.
    private mutating func checkSource(_ source: Int) -> Bool {
        guard view.isObject(source) else {
            reportKind(.errorSource, at: source, "the `source` of an error", "an object with `pointer`, `parameter` or `header`")
            return true
        }
        var hasPointer = false
        var isEmpty = true
        for (name, value) in members(of: source) {
            if view.string(at: name, equals: "pointer") {
                hasPointer = true
                checkSourcePointer(value)
            } else if view.string(at: name, equals: "parameter") {
                _ = checkString(value, .errorParameter, "the `parameter` of an error's source")
            } else if view.string(at: name, equals: "header") {
                _ = checkString(value, .errorHeader, "the `header` of an error's source")
            } else {
                _ = checkOther(
                    name, value, in: "the `source` of an error", defined: DefinedMembers.errorSource,
                    advice: "put it into `meta` of the error")
                continue
            }
            isEmpty = false
        }
        if isEmpty {
            report(
                .errorSourceMember, at: source, "a `source` without `pointer`, `parameter` and `header`", "add one of them, or leave it out"
            )
        }
        return hasPointer
    }

    private mutating func checkSourcePointer(_ value: Int) {
        guard checkString(value, .errorPointer, "the `pointer` of an error's source") else { return }
        guard !view.isPointer(value) else { return }
        report(.errorPointer, at: value, "a `pointer` that is no JSON Pointer", "write it as \"/data/attributes/title\", or \"\" for all")
    }
}
