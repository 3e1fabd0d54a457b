import JSONText

// Error objects: <https://jsonapi.org/format/1.1/#error-objects>

extension RuleCheck {
    /// Checks the value of `errors`.
    package mutating func checkErrors(_ errors: Int) {
        guard view.isArray(errors) else { return broken(.errorsArray, .kind, at: errors) }
        let outer = part
        var ids = WordTable(capacity: view.count(at: errors))
        var repeated: [Int] = []
        for element in Elements(view, of: errors) {
            part = element
            guard view.isObject(element) else {
                broken(.errorsArray, .element, at: element)
                continue
            }
            let id = checkError(element)
            if id != 0, view.isString(id), !ids.insert(id, 0, view) { repeated.append(id) }
        }
        part = outer
        for id in repeated { broken(.errorID, .repeated, at: id) }
    }

    /// Checks an error object. Returns the index of its `id`, or 0 if there is none.
    private mutating func checkError(_ error: Int) -> Int {
        var id = 0
        var hasStatus = false
        var hasPointer = false
        var isEmpty = true
        for (name, value) in Members(view, of: error) {
            part = value
            guard view.string(at: name, isOneOf: DefinedMembers.error) else {
                other(name, value, in: .error)
                continue
            }
            isEmpty = false
            if view.string(at: name, equals: "status") {
                hasStatus = true
                if isString(value, .errorStatus), !view.isStatusCode(value) { broken(.errorStatus, .text, at: value) }
            } else if view.string(at: name, equals: "id") {
                id = value
                _ = isString(value, .errorID, view.isNull(value) ? .null : .kind)
            } else if view.string(at: name, equals: "source") {
                hasPointer = checkSource(value)
            } else if view.string(at: name, equals: "links") {
                checkLinksObject(value, of: .error)
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .error)
            } else {
                _ = isString(value, view.string(at: name, equals: "code") ? .errorCode : isTitle(name) ? .errorTitle : .errorDetail)
            }
        }
        part = error
        if isEmpty {
            broken(.errorMember, .missing, at: error)
        } else {
            if !hasStatus { broken(.errorStatusPresent, .missing, at: error) }
            if !hasPointer { broken(.errorPointer, .missing, at: error) }
        }
        return id
    }

    private func isTitle(_ name: Int) -> Bool { view.string(at: name, equals: "title") }

    /// Checks the `source` of an error. Returns false if it certainly has no `pointer`.
    private mutating func checkSource(_ source: Int) -> Bool {
        guard view.isObject(source) else {
            broken(.errorSource, isEmptyArray(source) ? .emptyArray : .kind, at: source)
            return true
        }
        let outer = part
        defer { part = outer }
        var hasPointer = false
        var isEmpty = true
        for (name, value) in Members(view, of: source) {
            part = value
            if view.string(at: name, equals: "pointer") {
                hasPointer = true
                if isString(value, .errorPointer), !view.isPointer(value) { broken(.errorPointer, .text, at: value) }
            } else if view.string(at: name, equals: "parameter") {
                _ = isString(value, .errorParameter)
            } else if view.string(at: name, equals: "header") {
                _ = isString(value, .errorHeader)
            } else {
                other(name, value, in: .errorSource)
                continue
            }
            isEmpty = false
        }
        part = outer
        if isEmpty { broken(.errorSourceMember, .missing, at: source) }
        return hasPointer
    }
}
