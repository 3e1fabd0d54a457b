import JSONText

/// The messages for a fault: for failures and diagnostics of the decoder, and for validation reports.
///
/// ```
/// {"data": {"type": "articles", "id": 7}}
///
/// failure     expected a string: the resource's id, found a number
/// diagnostic  an integer instead of a string id; its digits are used as the id
/// report      the `id` of a resource object is a number; make it a string
/// ```
///
/// Messages contain no values of the document.
package struct FaultMessages {
    /// What a failure expected, and what it found. `found` is nil if it is the type of the value.
    package let expected: String
    package let found: String?
    /// The remedy, if there is one besides another mode or a leniency.
    package var advice: String?
    /// The message of a diagnostic. Empty if the fault is an error in all modes, or is never reported while reading.
    package let note: String
    /// The problem, and how to fix it, for a validation report.
    package let problem: String
    package let cure: String

    init(_ expected: String, _ found: String? = nil, note: String = "", problem: String, cure: String) {
        self.expected = expected
        self.found = found
        self.note = note
        self.problem = problem
        self.cure = cure
    }
}

extension Fault {
    /// Returns the messages for the fault.
    package func messages(_ view: TapeView) -> FaultMessages {
        switch rule.subject {
        case .document: documentMessages(view)
        case .container: containerMessages(view)
        case .resource: resourceMessages(view)
        case .name: nameMessages(view)
        case .relationship: relationshipMessages(view)
        case .identifier: identifierMessages(view)
        case .link: linkMessages(view)
        case .version: versionMessages(view)
        case .error: errorMessages(view)
        case .errorSource: sourceMessages(view)
        }
    }

    /// Returns the messages for a value of the wrong type.
    func kind(_ view: TapeView, _ what: String, _ shape: String, expected: String, note: String = "") -> FaultMessages {
        FaultMessages(expected, note: note, problem: "\(what) is \(view.kindName(at: word))", cure: "make it \(shape)")
    }
}

// MARK: - The document, and any object in it

extension Fault {
    fileprivate func documentMessages(_ view: TapeView) -> FaultMessages {
        switch rule {
        case .dataAndErrors:
            FaultMessages(
                "either `data` or `errors`", "both", note: "`data` and `errors` in the same document; both can be read",
                problem: "a document with both `data` and `errors`",
                cure: "send only `errors` if the request failed, and only `data` otherwise")
        case .includedWithoutData:
            FaultMessages(
                "`included` only together with `data`", "`included` without `data`", problem: "`included` in a document without `data`",
                cure: "add `data`, or remove `included`")
        case .duplicateName:
            FaultMessages(
                "each name once in an object", note: "a name that is repeated in this object; the last member is used",
                problem: "a name that is repeated in this object", cure: "use each name once")
        default:
            FaultMessages(
                "one of the members `data`, `errors` and `meta`", membersFound(view),
                problem: "a document without `data`, `errors` and `meta`",
                cure: "add one of them; use `\"data\": null` for an empty result")
        }
    }

    private func membersFound(_ view: TapeView) -> String {
        guard view.count(at: word) > 0 else { return "an empty object" }
        return "the members " + NearestName.list(Array(view.names(of: word).prefix(9).map { $0.shortened(to: 60) }))
    }

    fileprivate func containerMessages(_ view: TapeView) -> FaultMessages {
        switch rule {
        case .attributesObject: container(view, "an object: the attributes", "`attributes`", "an object")
        case .relationshipsObject: container(view, "an object: the relationships", "`relationships`", "an object")
        case .relationshipObject:
            container(view, "a relationship object", "a relationship", "an object with `data`, `links` or `meta`")
        case .linksObject: container(view, "a links object", "`links`", "an object with a member for each link")
        case .jsonapiObject: container(view, "an object: the JSON:API object", "`jsonapi`", "an object")
        default: container(view, "an object: the meta information", "`meta`", "an object")
        }
    }

    /// Returns the messages for null or an empty array instead of an object, which a leniency can allow.
    func container(_ view: TapeView, _ expected: String, _ what: String, _ shape: String) -> FaultMessages {
        let isEmptyArray = how == .emptyArray
        return FaultMessages(
            expected, isEmptyArray ? "an empty array" : nil,
            note: isEmptyArray
                ? "an empty array instead of \(expected); read as an empty object"
                : "null instead of \(expected); read as a missing member",
            problem: "\(what) is \(view.kindName(at: word))", cure: "make it \(shape)")
    }
}
