import JSONAPIRules
import JSONText

// The checks, in the order of the document: <https://jsonapi.org/format/1.1/#document-top-level>

extension DocumentSurvey {
    mutating func checkTopLevel() throws {
        try checkMembersTogether()
        if document.layout.errors != 0, document.layout.data == 0, !isStrict {
            // The server's message matters more than a fault beside it.
            try tolerating(.leniency(.invalidErrorMembers)) { try $0.checkTopLevelMembers() }
        } else {
            try checkTopLevelMembers()
        }
        try checkEmbeddedResources()
    }

    private mutating func checkMembersTogether() throws {
        var top = document.layout.top
        if top.errors == 0 { top.errors = document.layout.quietErrors }
        try check {
            $0.checkMinimum(top)
            $0.checkCombinations(top)
        }
    }

    private mutating func checkTopLevelMembers() throws { try checkMembers { try $0.checkTopLevelMember($1, $2) } }

    /// Checks the members of the top level one by one.
    private mutating func checkMembers(_ check: (inout DocumentSurvey, _ name: Int, _ value: Int) throws -> Void) throws {
        let view = view
        try view.forEachMember(of: view.root) { name, value in
            _ = try attempt { try check(&$0, name, value) }
        }
    }

    /// Checks a member of the top level. Of repeated names the last is used, as in the index.
    private mutating func checkTopLevelMember(_ name: Int, _ value: Int) throws {
        let layout = document.layout
        switch value {
        // Resource objects or identifiers; only the request shows which.
        case layout.data: try checkResources(0..<document.index.primaryCount, options.source == .request ? .create : .response)
        case layout.included:
            try checkResources(document.index.includedOrdinals, options.source == .request ? .includedInRequest : .included)
        case layout.errors: try checkErrors(value)
        case layout.meta: try check { $0.checkMeta(value, of: .collection) }
        case layout.links: try check { $0.checkLinksObject(value, of: .document(data: layout.data)) }
        case layout.jsonapi: try check { $0.checkJSONAPIObject(value) }
        default: try checkOtherMember(name, value)
        }
    }

    private mutating func checkOtherMember(_ name: Int, _ value: Int) throws {
        guard view.string(at: name, isOneOf: DefinedMembers.document) else { return try check { $0.checkOther(name, value) } }
        // An earlier member with the same name, or an `included` that a leniency reads as absent.
        if view.isNull(value), view.string(at: name, equals: "included") {
            report(.leniency(.nullContainers), at: value, "null in place of the included resources was read as absent")
        }
    }

    /// Checks a part of the document, and handles the findings.
    mutating func check(_ body: (inout RuleCheck) -> Void) throws {
        var ruleCheck = makeCheck()
        body(&ruleCheck)
        try settle(&ruleCheck)
    }

    private func makeCheck() -> RuleCheck { RuleCheck(view, embedded: document.index.embedded) }
}

// MARK: - Resources

extension DocumentSurvey {
    private mutating func checkResources(_ ordinals: Range<Int>, _ role: ResourceRole) throws {
        var ruleCheck = makeCheck()
        for ordinal in ordinals {
            let word = Int(document.index.entries[ordinal].word)
            if view.isObject(word) {
                ruleCheck.checkResource(word, role)
            } else if role.isIncluded {
                // What reads the primary data reports its elements.
                let kind = view.kindName(at: word)
                report(.droppedElement, at: word, "left out: expected a resource object, found \(kind)")
            }
            try settle(&ruleCheck)
        }
    }

    /// Checks whole resources in place of identifiers, which leniencies accept. Other modes ignore their members, so faults in those are no
    /// reason to reject the document.
    private mutating func checkEmbeddedResources() throws {
        for ordinal in document.index.embeddedOrdinals {
            let entry = document.index.entries[ordinal]
            let word = Int(entry.word)
            if entry.id == 0, entry.lid == 0, view.member("id", of: word) == nil {
                report(.leniency(.identifiersWithoutID), at: word, "an identifier without `id` was read as a resource without identity")
            }
            if let fields = view.member("attributes", of: word) ?? view.member("relationships", of: word) {
                report(.leniency(.embeddedResources), at: fields, "a whole resource in place of an identifier was read as included")
            }
        }
        for ordinal in document.index.embeddedOrdinals {
            try tolerating(.documentStructure) {
                try $0.checkResources(ordinal..<(ordinal + 1), $0.options.source == .request ? .includedInRequest : .included)
            }
        }
    }
}

// MARK: - Errors

extension DocumentSurvey {
    /// Checks a document of errors. Its data is ignored, and nothing else in it may hide the server's message.
    mutating func checkDocumentOfErrors() throws {
        let layout = document.layout
        if isStrict { return layout.errors == 0 ? () : try checkErrors(layout.errors) }
        try tolerating(.leniency(.invalidErrorMembers)) { survey in
            try survey.checkMembers { try $0.checkMemberBesideErrors($1, $2) }
        }
    }

    private mutating func checkMemberBesideErrors(_ name: Int, _ value: Int) throws {
        if view.string(at: name, equals: "data") || view.string(at: name, equals: "included") {
            let text = view.string(at: name)
            report(.leniency(.dataWithErrors), at: value, "`\(text)` beside `errors` is ignored")
        } else {
            try checkTopLevelMember(name, value)
        }
    }

    /// Checks an array of error objects, which may be empty. Outside strict mode, every fault in it is reported and none is thrown.
    private mutating func checkErrors(_ errors: Int) throws {
        if view.isArray(errors), view.count(at: errors) == 0 { report(.documentStructure, at: errors, "an empty array of errors") }
        if isStrict { return try check { $0.checkErrors(errors) } }
        try tolerating(.leniency(.invalidErrorMembers)) { survey in try survey.check { $0.checkErrors(errors) } }
    }
}
