import JSONAPIRules
import JSONText

// Error objects: <https://jsonapi.org/format/1.1/#error-objects>

extension DocumentSurvey {
    /// A document of errors: its data are nobody's business, and nothing else in it may hide the server's message.
    mutating func checkDocumentOfErrors() throws {
        let layout = document.layout
        if isStrict { return layout.errors == 0 ? () : try checkErrors(layout.errors) }
        try tolerating(.leniency(.invalidErrorMembers)) { survey in
            var member = survey.view.first(in: survey.view.root)
            let end = survey.view.end(of: survey.view.root)
            while member < end {
                let value = survey.view.next(after: member)
                try survey.attempt { try $0.checkMemberBesideErrors(member, value) }
                member = survey.view.next(after: value)
            }
        }
    }

    private mutating func checkMemberBesideErrors(_ name: Int, _ value: Int) throws {
        if view.string(at: name, equals: "data") || view.string(at: name, equals: "included") {
            let text = view.string(at: name)
            report(.leniency(.dataWithErrors), at: value, "`\(text)` beside `errors`; the errors count")
        } else {
            try checkTopLevelMember(name, value)
        }
    }

    /// An array of error objects, not ruled out to be empty. But for strict mode, every fault in it is reported and none is thrown.
    mutating func checkErrors(_ errors: Int) throws {
        guard !isStrict else { return try checkErrorList(errors) }
        try tolerating(.leniency(.invalidErrorMembers)) { try $0.checkErrorList(errors) }
    }

    private mutating func checkErrorList(_ errors: Int) throws {
        guard view.isArray(errors) else { return try checkLoneErrors(errors) }
        if view.count(at: errors) == 0 { report(.documentStructure, at: errors, "an array of errors without any") }
        var element = view.first(in: errors)
        let end = view.end(of: errors)
        while element < end {
            try attempt { try $0.checkElement(element) }
            element = view.next(after: element)
        }
        if view.count(at: errors) > 1 { try checkErrorIDs(errors) }
    }

    /// Something in place of the array.
    private mutating func checkLoneErrors(_ errors: Int) throws {
        let expected = "an array of error objects"
        let found = view.kindName(at: errors)
        switch view.kind(at: errors) {
        case .null:
            try refuse(
                .wrongType, at: errors, unless: .nullErrorMembers, expected: expected, "null in place of the errors; taken as none")
        case .string:
            try refuse(
                .wrongType, at: errors, unless: .textErrors, expected: expected,
                "a text in place of the array of errors; taken as the detail of one")
        default:
            try refuse(
                .wrongType, at: errors, unless: .invalidErrorMembers, expected: expected,
                "\(found) in place of the array of errors; read as far as it can be")
        }
    }

    private mutating func checkElement(_ element: Int) throws {
        let found = view.kindName(at: element)
        switch view.kind(at: element) {
        case .object: try checkError(element)
        case .string:
            try refuse(
                .wrongType, at: element, unless: .textErrors, expected: "an error object",
                "a text in place of an error; taken as its detail")
        case .null:
            try refuse(
                .wrongType, at: element, unless: .nullErrorMembers, expected: "an error object",
                "null in place of an error; it says nothing")
        default:
            try refuse(
                .wrongType, at: element, unless: .invalidErrorMembers, expected: "an error object",
                "\(found) in place of an error; read as far as it can be")
        }
    }

    private mutating func checkError(_ error: Int) throws {
        var isEmpty = true
        var member = view.first(in: error)
        let end = view.end(of: error)
        while member < end {
            let value = view.next(after: member)
            if view.string(at: member, isOneOf: DefinedMembers.error) { isEmpty = false }
            try attempt { try $0.checkErrorMember(member, value) }
            member = view.next(after: value)
        }
        if isEmpty {
            try refuse(
                .missingMember, at: error, unless: .invalidErrorMembers, expected: "at least one member of an error object", found: "none",
                "an error that says nothing")
        }
    }

    private mutating func checkErrorMember(_ name: Int, _ value: Int) throws {
        if view.string(at: name, equals: "status") {
            try checkStatus(value)
        } else if view.string(at: name, equals: "id") {
            // The specification gives no type; a null says nothing, and another kind is readable.
            if view.isNull(value) {
                try checkErrorText(value, "a string: the error's id")
            } else if !view.isString(value) {
                report(.documentStructure, at: value, "an error's id that is no string")
            }
        } else if view.string(at: name, equals: "code") {
            try checkErrorText(value, "a string: the error's code")
        } else if view.string(at: name, equals: "title") {
            try checkErrorText(value, "a string: the error's title")
        } else if view.string(at: name, equals: "detail") {
            try checkErrorText(value, "a string: the error's detail")
        } else if view.string(at: name, equals: "source") {
            try checkSource(value)
        } else if view.string(at: name, equals: "links") {
            try checkLinks(value, of: .error, null: .nullErrorMembers)
        } else if view.string(at: name, equals: "meta") {
            _ = try isObject(value, "an object: the meta information", null: .nullErrorMembers)
        } else {
            try checkAdditional(name, value, in: "an error object")
        }
    }

    /// A string; null by one leniency, another kind by another.
    private mutating func checkErrorText(_ value: Int, _ expected: String) throws {
        if !view.isString(value) { try refuseErrorMember(value, expected) }
    }

    private mutating func refuseErrorMember(_ value: Int, _ expected: String) throws {
        if view.isNull(value) {
            try refuse(.wrongType, at: value, unless: .nullErrorMembers, expected: expected, "null in an error; taken as absent")
        } else {
            let found = view.kindName(at: value)
            try refuse(.wrongType, at: value, unless: .invalidErrorMembers, expected: expected, "\(found) in place of \(expected)")
        }
    }

    /// The HTTP status code, as a string.
    private mutating func checkStatus(_ value: Int) throws {
        let expected = "a string: the HTTP status code"
        switch view.kind(at: value) {
        case .string:
            guard !view.isStatusCode(value) else { return }
            try refuse(
                .invalidValue, at: value, unless: .invalidErrorMembers, expected: expected, found: "another text",
                "a status that is no HTTP status code; its text is kept")
        case .number:
            try refuse(
                .wrongType, at: value, unless: .numericStatus, expected: expected,
                "a number in place of the status; its digits are the status")
        default: try checkErrorText(value, expected)
        }
    }
}

// MARK: - The source

extension DocumentSurvey {
    private mutating func checkSource(_ source: Int) throws {
        guard view.isObject(source) else {
            if view.isArray(source), view.count(at: source) == 0 {
                _ = try isObject(source, "an object: the error's source")
                return
            }
            return try refuseErrorMember(source, "an object: the error's source")
        }
        var member = view.first(in: source)
        let end = view.end(of: source)
        while member < end {
            let value = view.next(after: member)
            try attempt { try $0.checkSourceMember(member, value) }
            member = view.next(after: value)
        }
    }

    private mutating func checkSourceMember(_ name: Int, _ value: Int) throws {
        if view.string(at: name, equals: "pointer") {
            try checkSourcePointer(value)
        } else if view.string(at: name, equals: "parameter") || view.string(at: name, equals: "header") {
            try checkErrorText(value, "a string: a name")
        } else {
            try checkAdditional(name, value, in: "an error's source")
        }
    }

    /// A JSON Pointer (RFC 6901). Whether it leads anywhere only the request tells.
    private mutating func checkSourcePointer(_ value: Int) throws {
        guard view.isString(value) else { return try checkErrorText(value, "a string: a JSON Pointer") }
        guard !view.isPointer(value) else { return }
        try refuseInStrict(
            .invalidValue, at: value, expected: "a JSON Pointer (RFC 6901)", found: "another text", else: .invalidPointer,
            "no JSON Pointer; its text is kept")
    }

    /// An id is of one occurrence, so no two errors share it.
    ///
    /// - Complexity: O(errors).
    private mutating func checkErrorIDs(_ errors: Int) throws {
        var ids = WordTable(capacity: view.count(at: errors))
        var element = view.first(in: errors)
        let end = view.end(of: errors)
        while element < end {
            if view.isObject(element), let id = view.member("id", of: element), view.isString(id), !ids.insert(id, 0, view) {
                try refuseInStrict(
                    .invalidValue, at: id, expected: "an id of this error alone", found: "one that an error before it has",
                    else: .documentStructure, "an id that an error before it has")
            }
            element = view.next(after: element)
        }
    }
}
