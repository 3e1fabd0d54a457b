import JSONAPIRules
import JSONText

// The document itself: <https://jsonapi.org/format/1.1/#document-top-level>

extension DocumentSurvey {
    mutating func checkTopLevel() throws {
        try checkMinimum()
        try checkExclusions()
        if document.layout.errors != 0, document.layout.data == 0, !isStrict {
            // What the server says counts more than a fault beside it.
            try tolerating(.leniency(.invalidErrorMembers)) { try $0.checkTopLevelMembers() }
        } else {
            try checkTopLevelMembers()
        }
        checkEmbeddedResources()
        try checkEmbeddedMembers()
    }

    private mutating func checkTopLevelMembers() throws {
        var member = view.first(in: view.root)
        let end = view.end(of: view.root)
        while member < end {
            let value = view.next(after: member)
            try attempt { try $0.checkTopLevelMember(member, value) }
            member = view.next(after: value)
        }
    }

    /// Of a name that stands twice the last counts, as it did when the index was built.
    mutating func checkTopLevelMember(_ name: Int, _ value: Int) throws {
        let layout = document.layout
        switch value {
        // Resource objects, or identifiers: only the request tells which.
        case layout.data: try checkResources(0..<document.index.primaryCount)
        case layout.errors: try checkErrors(value)
        case layout.meta: try checkMeta(value)
        case layout.links: try checkLinks(value, of: .document(data: layout.data))
        case layout.jsonapi: try checkJSONAPI(value)
        case layout.included: try checkResources(document.index.includedOrdinals)
        default:
            if view.string(at: name, isOneOf: DefinedMembers.document) {
                // An earlier one of the same name, or an `included` that leniency takes as absent.
                if view.isNull(value), view.string(at: name, equals: "included") {
                    report(.leniency(.nullContainers), at: value, "null in place of the included resources, taken as absent")
                }
            } else {
                try checkAdditional(name, value, in: "a document")
            }
        }
    }

    /// At least one of `data`, `errors`, `meta` and a member of an extension.
    private func checkMinimum() throws {
        let layout = document.layout
        if layout.data != 0 || layout.errors != 0 || layout.meta != 0 || hasExtensionMember(view.root) { return }
        throw failure(
            .missingMember, at: view.root, expected: "one of the members `data`, `errors` and `meta`",
            found: view.count(at: view.root) == 0
                ? "an empty object"
                : "the members " + NearestName.list(Array(view.names(of: view.root).prefix(9).map { $0.shortened(to: 60) })))
    }

    func hasExtensionMember(_ object: Int) -> Bool {
        var member = view.first(in: object)
        let end = view.end(of: object)
        while member < end {
            switch MemberName(view, member) {
            case .ofExtension, .illegalOfExtension: return true
            default: member = view.next(after: view.next(after: member))
            }
        }
        return false
    }

    /// `data` and `errors` exclude each other, be they null or empty; `included` goes with `data` alone.
    private mutating func checkExclusions() throws {
        let layout = document.layout
        if layout.data != 0, layout.errors != 0 || layout.quietErrors != 0 {
            try refuse(
                .documentStructure, at: view.root, unless: .dataWithErrors, expected: "either `data` or `errors`", found: "both",
                "`data` and `errors` in one document; both can be read")
        }
        if layout.included != 0, layout.data == 0 {
            throw failure(
                .documentStructure, at: layout.included, expected: "no `included` where there is no `data`", found: "`included` alone")
        }
    }
}
