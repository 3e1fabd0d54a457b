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
        if view.isArray(errors), view.count(at: errors) == 0 {
            report(.documentStructure, at: errors, "an array of errors without any")
        }
        var look = RuleLook(view)
        look.checkErrors(errors)
        try settle(look)
    }

    mutating func settleError(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) throws {
        switch (rule, how) {
        case (.errorsArray, .element): try refuseElement(word)
        case (.errorsArray, _): try refuseErrors(word)
        case (.errorMember, _):
            try refuse(
                .missingMember, at: word, unless: .invalidErrorMembers, expected: "at least one member of an error object", found: "none",
                "an error that says nothing")
        case (.errorID, .repeated):
            try refuseInStrict(
                .invalidValue, at: word, expected: "an id of this error alone", found: "one that an error before it has",
                else: .documentStructure, "an id that an error before it has")
        case (.errorID, _):
            // The specification gives no type; a null says nothing, and another kind is readable.
            if view.isNull(word) { return try refuseErrorMember(word, "a string: the error's id") }
            report(.documentStructure, at: word, "an error's id that is no string")
        default: try refuseStatus(word)
        }
    }

    /// Something in place of the array.
    private mutating func refuseErrors(_ errors: Int) throws {
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

    /// Something in place of an error object.
    private mutating func refuseElement(_ element: Int) throws {
        let found = view.kindName(at: element)
        switch view.kind(at: element) {
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

    /// Null by one leniency, another kind by another.
    mutating func refuseErrorMember(_ value: Int, _ expected: String) throws {
        if view.isNull(value) {
            try refuse(.wrongType, at: value, unless: .nullErrorMembers, expected: expected, "null in an error; taken as absent")
        } else {
            let found = view.kindName(at: value)
            try refuse(.wrongType, at: value, unless: .invalidErrorMembers, expected: expected, "\(found) in place of \(expected)")
        }
    }

    /// Not the HTTP status code, as a string.
    private mutating func refuseStatus(_ value: Int) throws {
        let expected = "a string: the HTTP status code"
        switch view.kind(at: value) {
        case .string:
            try refuse(
                .invalidValue, at: value, unless: .invalidErrorMembers, expected: expected, found: "another text",
                "a status that is no HTTP status code; its text is kept")
        case .number:
            try refuse(
                .wrongType, at: value, unless: .numericStatus, expected: expected,
                "a number in place of the status; its digits are the status")
        default: try refuseErrorMember(value, expected)
        }
    }

    mutating func settleSource(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) throws {
        switch (rule, how) {
        case (_, .missing): break
        case (.errorSource, _):
            // An empty array may be read as an empty object.
            guard view.isArray(word), view.count(at: word) == 0 else { return try refuseErrorMember(word, "an object: the error's source") }
            _ = try isObject(word, "an object: the error's source")
        case (.errorPointer, .text):
            try refuseInStrict(
                .invalidValue, at: word, expected: "a JSON Pointer (RFC 6901)", found: "another text", else: .invalidPointer,
                "no JSON Pointer; its text is kept")
        case (.errorPointer, _): try refuseErrorMember(word, "a string: a JSON Pointer")
        default: try refuseErrorMember(word, "a string: a name")
        }
    }
}
