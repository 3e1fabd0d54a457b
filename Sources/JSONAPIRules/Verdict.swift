/// The consequences of a broken rule for the decoder, the encoder and the validator.
package struct Verdict: Sendable, Hashable {
    /// The consequences for the decoder, by mode.
    ///
    /// ```
    ///                     strict     standard   lenient
    /// refused             throws     throws     throws
    /// refusedUnlessSet    throws     throws     reports     depends on a separate leniency
    /// refusedInStrict     throws     reports    reports
    /// reported            reports    reports    reports
    /// passed              -          -          -
    /// ```
    package enum Reading: Sendable { case refused, refusedUnlessSet, refusedInStrict, reported, passed }

    /// The consequences for the encoder, in a resource object that it wrote: `refused` throws an error.
    package enum Writing: Sendable { case refused, passed }

    /// The consequences for the validator.
    ///
    /// - `issue`: an error or a warning, depending on the level of the rule.
    /// - `contested`: an error in strict mode, and otherwise a warning.
    /// - `strictOnly`: an error in strict mode, and otherwise nothing.
    /// - `passed`: nothing.
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
