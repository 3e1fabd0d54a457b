import JSONText

/// Looks at parts of a document by the rules that all readers share, and gathers what it finds in the order of looking. Nothing
/// recurses on the depth of the document.
///
/// Of members of one name the last is looked at. What a part without faults costs is its walk: no finding, no memory.
package struct RuleLook {
    package let view: TapeView
    package private(set) var findings: [RuleFinding] = []
    /// The part that is looked at now.
    var part = 0

    package init(_ view: TapeView) { self.view = view }

    mutating func add(_ content: RuleFinding.Content, _ word: Int) {
        findings.append(RuleFinding(content: content, word: word, part: part))
    }

    mutating func broken(_ rule: Rule, _ how: RuleFinding.Break, at word: Int) { add(.broken(rule, how), word) }

    /// Whether it is a string; otherwise the rule is broken.
    mutating func isString(_ word: Int, _ rule: Rule, _ how: RuleFinding.Break = .kind) -> Bool {
        if view.isString(word) { return true }
        broken(rule, how, at: word)
        return false
    }

    mutating func other(_ name: Int, _ value: Int, in object: DefinedObject) { add(.other(name: name, object), value) }
}
