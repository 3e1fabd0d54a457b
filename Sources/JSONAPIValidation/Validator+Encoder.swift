import Foundation
import JSONAPICodec

extension Validator {
    /// Looks at each document that an encoder writes, by every rule, and refuses one that breaks a MUST. For debugging and
    /// tests: it reads every text once more.
    ///
    /// ```swift
    /// var encoder = JSONAPIEncoder()
    /// encoder.check = Validator.encoderCheck
    /// ```
    ///
    /// Throws `ValidationReport`. A body for an endpoint that takes several resources, and a document that is given as it is,
    /// are not looked at: what they are for cannot be told.
    public static let encoderCheck: @Sendable (Data, DocumentKind) throws -> Void = { data, kind in
        var context: ValidationContext
        switch kind {
        case .response(let query):
            context = ValidationContext(.response)
            context.query = query
        case .create: context = ValidationContext(.create)
        case .update: context = ValidationContext(.update)
        case .relationship: context = ValidationContext(.relationship)
        case .atomicRequest: context = ValidationContext(.atomicRequest)
        case .any: return
        }
        let report = Validator(context).validate(data)
        if !report.isValid { throw report }
    }
}
