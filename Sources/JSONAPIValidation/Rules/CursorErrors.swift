import JSONText

// Errors of the profile for cursor pagination: https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#error-cases

extension ValidationRule {
    static let unsupportedSort = ValidationRule(
        "cursor-pagination/errors/unsupported-sort/error-object", .must, "errors-unsupported-sort",
        "The error for an unsupported sort has `source.parameter` `sort` and the profile's URI as `type` link.")
    static let maximumSize = ValidationRule(
        "cursor-pagination/errors/max-size/error-object", .must, "errors-max-page-size-exceeded",
        "The error for too large a page has `source.parameter` `page[size]`, an integer `meta.page.maxSize` and the profile's URI as `type` link."
    )
    static let invalidParameter = ValidationRule(
        "cursor-pagination/errors/invalid-parameter/400", .must, "errors-invalid-query-parameter",
        "The error for an invalid parameter names it in `source`.")
    static let rangeNotSupported = ValidationRule(
        "cursor-pagination/errors/range-not-supported/error-object", .must, "errors-range-pagination-not-supported",
        "The error for an unsupported range has the profile's URI as `type` link.")

    static let cursorErrors = [unsupportedSort, maximumSize, invalidParameter, rangeNotSupported]
}

/// What an error object of the profile has to say.
private struct CursorErrorShape {
    let rule: ValidationRule
    /// The query parameter that it names; nil for none.
    var parameter: String?
    /// The last part of the URI of its `type` link; nil for none.
    var type: String?
    var hasMaximumSize = false
    /// Whether it has to name some parameter, when it is not known which.
    var namesAny = false

    init(_ error: ValidationContext.CursorError, parameter: String?) {
        switch error {
        case .unsupportedSort: (rule, self.parameter, type) = (.unsupportedSort, "sort", "unsupported-sort")
        case .maximumSize: (rule, self.parameter, type, hasMaximumSize) = (.maximumSize, "page[size]", "max-size-exceeded", true)
        case .invalidParameter: (rule, self.parameter, namesAny) = (.invalidParameter, parameter, parameter == nil)
        case .rangeNotSupported: (rule, type) = (.rangeNotSupported, "range-pagination-not-supported")
        }
    }

    var typeURI: String? { type.map { "\(ValidationContext.cursorPaginationProfile)/\($0)" } }
}

extension DocumentCheck {
    /// Among the errors one has to be as the profile wants it. What is missing is reported at the one that comes nearest.
    mutating func checkCursorError() {
        guard let error = context.cursorError, top.errors != 0, view.isArray(top.errors) else { return }
        let shape = CursorErrorShape(error, parameter: context.parameter)
        var best: (faults: [(word: Int, what: String)], error: Int)?
        for element in elements(of: top.errors) where view.isObject(element) {
            let faults = faults(of: element, shape)
            if faults.isEmpty { return }
            if best.map({ faults.count < $0.faults.count }) ?? true { best = (faults, element) }
        }
        guard let best, let fault = best.faults.first else {
            return report(shape.rule, at: top.errors, "errors without the one of the profile", "add it")
        }
        report(shape.rule, at: fault.word, "an error of the profile without \(fault.what)", "add what the profile asks for")
    }

    private func faults(of error: Int, _ shape: CursorErrorShape) -> [(word: Int, what: String)] {
        var faults: [(word: Int, what: String)] = []
        if shape.parameter != nil || shape.namesAny {
            let (place, found) = descend(error, ["source", "parameter"])
            let isRight = found && view.isString(place) && (shape.parameter.map { view.string(at: place, equals: $0) } ?? true)
            if !isRight { faults.append((place, "the parameter in `source`")) }
        }
        if let uri = shape.typeURI, let place = misplacedType(error, uri) { faults.append((place, "the `type` link of the profile")) }
        if shape.hasMaximumSize {
            let (place, found) = descend(error, ["meta", "page", "maxSize"])
            if !found || !isInteger(place) { faults.append((place, "an integer `maxSize` in `meta.page`")) }
        }
        return faults
    }

    /// Where the `type` link is missing or another; nil when it is right.
    private func misplacedType(_ error: Int, _ uri: String) -> Int? {
        var (place, found) = descend(error, ["links", "type"])
        if found, view.isObject(place) { (place, found) = descend(place, ["href"]) }
        return found && view.isString(place) && view.string(at: place, equals: uri) ? nil : place
    }

    /// The value at the end of the path, or the last one on it that exists.
    private func descend(_ object: Int, _ path: [StaticString]) -> (word: Int, found: Bool) {
        var word = object
        for name in path {
            guard view.isObject(word), let next = view.member(name, of: word) else { return (word, false) }
            word = next
        }
        return (word, true)
    }
}
