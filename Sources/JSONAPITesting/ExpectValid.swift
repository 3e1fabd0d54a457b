import Foundation
import JSONAPICodec
import JSONAPIValidation

/// Throws a report of all broken rules when a text is no valid document of that kind.
///
/// ```swift
/// @Test func createsAnArticle() throws {
///     let body = try JSONAPIEncoder().encode(Create(article))
///     try expectValid(body, as: .create)
/// }
/// ```
///
/// Needs no test framework: in a test that throws, the `ValidationReport` is the message. Recommendations do not count, unless
/// `context` is strict about them.
public func expectValid(_ body: Data, as kind: ValidationContext.Kind = .response) throws {
    try expectValid(body, in: ValidationContext(kind))
}

/// The same with all that is known of the document besides: the query, the extensions, the number of operations.
public func expectValid(_ body: Data, in context: ValidationContext) throws {
    let report = Validator(context).validate(body)
    guard report.isValid else { throw report }
}
