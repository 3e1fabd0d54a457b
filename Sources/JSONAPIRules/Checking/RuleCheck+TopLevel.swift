import JSONText

// The document itself: <https://jsonapi.org/format/1.1/#document-top-level>

/// The indices of the top-level members of a document on the tape. 0 stands for a missing member.
package struct TopLevel: Sendable {
    package var data = 0
    package var included = 0
    package var errors = 0
    package var meta = 0
    package var links = 0
    package var jsonapi = 0

    package init() {}

    /// Reads the members of a document whose root is an object. If a name is repeated, its last member is used.
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

extension RuleCheck {
    /// Checks that there is at least one of `data`, `errors`, `meta` and an extension member.
    package mutating func checkMinimum(_ top: TopLevel) {
        if top.data != 0 || top.errors != 0 || top.meta != 0 || hasExtensionMember(view.root) { return }
        broken(.requiredMember, .missing, at: view.root)
    }

    /// Checks that `data` and `errors` are not in the same document, even if they are null or empty, and that `included` has `data`.
    package mutating func checkCombinations(_ top: TopLevel) {
        if top.data != 0, top.errors != 0 { broken(.dataAndErrors, .beside, at: view.root) }
        if top.included != 0, top.data == 0 { broken(.includedWithoutData, .beside, at: top.included) }
    }

    /// Reports a member that the specification does not define at the top level.
    package mutating func checkOther(_ name: Int, _ value: Int) { other(name, value, in: .document) }
}
