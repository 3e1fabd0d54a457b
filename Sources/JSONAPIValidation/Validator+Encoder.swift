import Foundation
import JSONAPICodec

extension Validator {
    /// Validates each document that an encoder writes, and throws if it breaks a MUST.
    ///
    /// Use it for debugging and tests, because it reads every text again.
    ///
    /// ```swift
    /// var encoder = JSONAPIEncoder()
    /// encoder.check = Validator.encoderCheck
    /// ```
    ///
    /// Throws a `ValidationReport`. Documents of the kind `any` are not checked, because their purpose is unknown. These are bodies for an
    /// endpoint that accepts several resources, and documents that are passed as they are.
    ///
    /// The check knows no extension but Atomic Operations: members of others are errors. Check documents that have such members with a
    /// closure of your own, whose `ValidationContext` names the extensions.
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
