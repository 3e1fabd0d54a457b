import JSONText

// The document itself: <https://jsonapi.org/format/1.1/#document-top-level>

/// Where the top-level members of a document lie on the tape; 0 for a member that is absent.
package struct TopLevel: Sendable {
    package var data = 0
    package var included = 0
    package var errors = 0
    package var meta = 0
    package var links = 0
    package var jsonapi = 0

    package init() {}

    /// Of the document whose root is an object. Of a name that stands twice, the last counts.
    package init(_ view: TapeView) {
        for (name, value) in Members(view, of: view.root) {
            if view.string(at: name, equals: "data") {
                data = value
            } else if view.string(at: name, equals: "included") {
                included = value
            } else if view.string(at: name, equals: "errors") {
                errors = value
            } else if view.string(at: name, equals: "meta") {
                meta = value
            } else if view.string(at: name, equals: "links") {
                links = value
            } else if view.string(at: name, equals: "jsonapi") {
                jsonapi = value
            }
        }
    }
}

extension RuleLook {
    /// At least one of `data`, `errors`, `meta` and a member of an extension.
    package mutating func checkMinimum(_ top: TopLevel) {
        if top.data != 0 || top.errors != 0 || top.meta != 0 || hasExtensionMember(view.root) { return }
        broken(.requiredMember, .missing, at: view.root)
    }

    /// `data` and `errors` exclude each other, be they null or empty; `included` goes with `data` alone.
    package mutating func checkCombinations(_ top: TopLevel) {
        if top.data != 0, top.errors != 0 { broken(.dataAndErrors, .beside, at: view.root) }
        if top.included != 0, top.data == 0 { broken(.includedWithoutData, .beside, at: top.included) }
    }

    /// Looks at a member that is not defined at the top level.
    package mutating func checkOther(_ name: Int, _ value: Int) { other(name, value, in: .document) }
}
