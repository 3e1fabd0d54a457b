import JSONText

/// A broken rule, with its place on the tape.
package struct Fault: Sendable {
    package let rule: Rule
    package let how: RuleFinding.Break
    package let word: Int
    /// The index of the value's name if it matters, or else 0.
    package let name: Int
    /// Whether an element of linkage has no identity that can be read.
    package let isOfUnreadableElement: Bool

    package init(_ rule: Rule, _ how: RuleFinding.Break, at word: Int, name: Int = 0, isInElement: Bool = false) {
        self.rule = rule
        self.how = how
        self.word = word
        self.name = name
        isOfUnreadableElement = isInElement && (how == .element || rule.subject == .identifier && how != .lidInstead)
    }

    /// Creates the fault of a value that is not an object.
    package init(notObject rule: Rule, at word: Int, _ view: TapeView) {
        let isEmptyArray = view.isArray(word) && view.count(at: word) == 0
        self.init(rule, view.isNull(word) ? .null : isEmptyArray ? .emptyArray : .kind, at: word)
    }

    package var verdict: Verdict { rule.verdict(how) }
}
