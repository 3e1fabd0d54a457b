import JSONText

// Errors of the cursor pagination profile: https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#error-cases

extension ValidationRule {
    static let unsupportedSort = ValidationRule(
        "cursor-pagination/errors/unsupported-sort/error-object", .must, "errors-unsupported-sort",
        "The error for an unsupported sort order must have the `source.parameter` `sort` and the profile's URI as its `type` link.")
    static let maximumSize = ValidationRule(
        "cursor-pagination/errors/max-size/error-object", .must, "errors-max-page-size-exceeded",
        "The error for a page size over the maximum must have the `source.parameter` `page[size]`, an integer `meta.page.maxSize` and the profile's URI as its `type` link."
    )
    static let invalidParameter = ValidationRule(
        "cursor-pagination/errors/invalid-parameter/400", .must, "errors-invalid-query-parameter",
        "The error for an invalid parameter must name it in `source`.")
    static let rangeNotSupported = ValidationRule(
        "cursor-pagination/errors/range-not-supported/error-object", .must, "errors-range-pagination-not-supported",
        "The error for unsupported range pagination must have the profile's URI as its `type` link.")

    static let cursorErrors = [unsupportedSort, maximumSize, invalidParameter, rangeNotSupported]
}

/// The members that an error object of the profile requires.
private struct CursorErrorShape {
    let rule: ValidationRule
    /// The query parameter in `source`, or nil if none or any is required.
    var parameter: String?
    /// The last part of the URI in the `type` link, or nil if it is not required.
    var type: String?
    var hasMaximumSize = false
    /// Whether a parameter is required but its name is unknown.
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
    /// Checks that one of the errors has the form that the profile requires. Otherwise the closest error is reported.
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
            return report(shape.rule, at: top.errors, "`errors` without the error that the profile requires", "add it")
        }
        report(shape.rule, at: fault.word, "an error of the profile without \(fault.what)", "add the members that the profile requires")
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

    /// Returns the place of a missing or wrong `type` link, or nil if it is correct.
    private func misplacedType(_ error: Int, _ uri: String) -> Int? {
        var (place, found) = descend(error, ["links", "type"])
        if found, view.isObject(place) { (place, found) = descend(place, ["href"]) }
        return found && view.isString(place) && view.string(at: place, equals: uri) ? nil : place
    }

    /// Returns the value at the end of a path, or the last existing value on the path.
    private func descend(_ object: Int, _ path: [StaticString]) -> (word: Int, found: Bool) {
        var word = object
        for name in path {
            guard view.isObject(word), let next = view.member(name, of: word) else { return (word, false) }
            word = next
        }
        return (word, true)
    }
}
