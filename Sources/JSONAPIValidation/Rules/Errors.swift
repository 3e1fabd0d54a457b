import JSONAPIRules
import JSONText

// Error objects: https://jsonapi.org/format/1.1/#error-objects

extension ValidationRule {
    static let errorMember = ValidationRule(.errorMember)

    static let errors =
        [
            Rule.errorsArray, .errorMember, .errorID, .errorStatus, .errorStatusPresent, .errorCode, .errorTitle, .errorDetail,
            .errorSource,
            .errorSourceMember, .errorPointer, .errorParameter, .errorHeader,
        ].map { ValidationRule($0) } + [
            ValidationRule(
                "errors/error-objects/links-members", .may, "error-objects", "The links of an error are `about` and `type`.",
                reportedAs: [additionalMember])
        ]
}

extension DocumentCheck {
    mutating func checkErrors(_ errors: Int) {
        var look = RuleLook(view)
        look.checkErrors(errors)
        settle(look)
    }

    mutating func settleError(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) {
        let broken = ValidationRule(rule)
        switch (rule, how) {
        case (.errorsArray, .element): reportKind(broken, at: word, "an element of `errors`", "an error object")
        case (.errorsArray, _): reportKind(broken, at: word, "`errors`", "an array of error objects")
        case (.errorMember, _):
            report(broken, at: word, "an error object that says nothing", "add `status`, `title` or another member")
        case (.errorID, .repeated):
            report(broken, at: word, "an error's `id` that an error before it has", "give each occurrence its own, or none")
        // The standard does not say that an id is a string.
        case (.errorID, _): break
        case (.errorStatus, .text):
            report(broken, at: word, "a `status` that is no HTTP status code", "write its three digits, as \"422\"")
        case (.errorStatusPresent, _):
            report(broken, at: word, "an error object without `status`", "add the HTTP status code, a string")
        case (.errorCode, _): reportKind(broken, at: word, "the `code` of an error", "a string")
        case (.errorTitle, _): reportKind(broken, at: word, "the `title` of an error", "a string")
        case (.errorDetail, _): reportKind(broken, at: word, "the `detail` of an error", "a string")
        default: reportKind(broken, at: word, "the `status` of an error", "a string")
        }
    }

    mutating func settleSource(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) {
        let broken = ValidationRule(rule)
        switch (rule, how) {
        case (.errorSourceMember, _):
            report(
                broken, at: word, "a `source` without `pointer`, `parameter` and `header`", "add one of them, or leave it out")
        case (.errorPointer, .missing): checkPointerOfOperation(word)
        case (.errorPointer, .text):
            report(broken, at: word, "a `pointer` that is no JSON Pointer", "write it as \"/data/attributes/title\", or \"\" for all")
        case (.errorPointer, _): reportKind(broken, at: word, "the `pointer` of an error's source", "a string")
        case (.errorParameter, _): reportKind(broken, at: word, "the `parameter` of an error's source", "a string")
        case (.errorHeader, _): reportKind(broken, at: word, "the `header` of an error's source", "a string")
        default: reportKind(broken, at: word, "the `source` of an error", "an object with `pointer`, `parameter` or `header`")
        }
    }
}
