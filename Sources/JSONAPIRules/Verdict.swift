/// What follows from a break of a rule, for each of those who ask.
package struct Verdict: Sendable, Hashable {
    /// What the decoder makes of it, by mode.
    ///
    /// ```
    ///                     strict     standard   lenient
    /// refused             throws     throws     throws
    /// refusedUnlessSet    throws     throws     reports     a leniency of its own decides
    /// refusedInStrict     throws     reports    reports
    /// reported            reports    reports    reports
    /// passed              -          -          -
    /// ```
    package enum Reading: Sendable { case refused, refusedUnlessSet, refusedInStrict, reported, passed }

    /// What the encoder makes of it in a resource object that it wrote.
    package enum Writing: Sendable { case refused, passed }

    /// What the validator makes of it: an issue, which is an error or a warning by the rule's level; an error by the strict reading of the
    /// standard and else a warning; an error by the strict reading alone; nothing.
    package enum Validation: Sendable { case issue, contested, strictOnly, passed }

    package let reading: Reading
    package let writing: Writing
    package let validation: Validation

    init(_ reading: Reading, _ writing: Writing, _ validation: Validation) {
        self.reading = reading
        self.writing = writing
        self.validation = validation
    }
}
