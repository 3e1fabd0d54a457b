import Foundation
import JSONAPICodec
import JSONAPIValidation

/// Throws a report of all broken rules if a text is not a valid document of the given kind.
///
/// ```swift
/// @Test func createsAnArticle() throws {
///     let body = try JSONAPIEncoder().encode(Create(article))
///     try expectValid(body, as: .create)
/// }
/// ```
///
/// It works with any test framework: the test throws the `ValidationReport`, whose description lists the rules. Recommendations do
/// not count, unless `context` is strict about them.
public func expectValid(_ body: Data, as kind: ValidationContext.Kind = .response) throws {
    try expectValid(body, in: ValidationContext(kind))
}

/// Validates a text with more context, such as the query, the extensions or the number of operations. Throws the `ValidationReport` if the
/// document is not valid.
public func expectValid(_ body: Data, in context: ValidationContext) throws {
    let report = Validator(context).validate(body)
    guard report.isValid else { throw report }
}
