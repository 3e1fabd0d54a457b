import JSONAPIRules
import JSONText

// Maps faults to the decoder's failures, diagnostics and leniencies.

extension Fault {
    var failureKind: DecodingFailure.Kind {
        switch (rule, how) {
        case (.dataAndErrors, _), (.includedWithoutData, _), (.paginationPlace, _): .documentStructure
        case (.additionalMember, _): .unknownMember
        case (.uniqueResource, _), (.uniqueLocalID, _): .duplicateResource
        case (.commonNamespace, _), (.duplicateName, _): .duplicateName
        case (.fullLinkage, _): .notLinked
        case (.identifierLocalID, _): .notIncluded
        case (.nonEmptyName, _), (.reservedCharacters, _), (.startAndEnd, _), (.extensionRemainder, _), (.reservedFieldName, _),
            (.typeName, .text):
            .illegalName
        case (_, .missing), (_, .missingID), (_, .missingIdentity), (_, .missingBoth), (_, .lidInstead), (_, .unwrapped): .missingMember
        case (_, .text), (.errorID, .repeated): .invalidValue
        default: .wrongType
        }
    }

    /// The kind of the diagnostic when there is no leniency.
    var diagnosticKind: Diagnostic.Kind {
        switch (rule, how) {
        case (.additionalMember, _): .unknownMember
        case (.reservedFieldName, _): .reservedFieldName
        case (.commonNamespace, _): .fieldNameClash
        case (.nonEmptyName, _), (.reservedCharacters, _), (.startAndEnd, _), (.extensionRemainder, _), (.typeName, _): .illegalName
        case (.uniqueResource, _): .duplicateResource
        case (.fullLinkage, _): .notLinked
        case (.identifierLocalID, _): .notIncluded
        case (.errorPointer, _): .invalidPointer
        case (.paginationPlace, _): .documentStructure
        default: rule.subject == .link ? .invalidLink : .documentStructure
        }
    }

    /// Returns the leniency that accepts the fault; nil when none is needed, and when there is none.
    func leniency(_ view: TapeView) -> Leniencies.Name? {
        switch (rule, how) {
        case (_, .nullInError): .nullErrorMembers
        case (_, .emptyArray): .emptyArrayContainers
        case (_, .integerID): .integerIDs
        case (.resourceType, _), (.creationType, _): .missingTypes
        case (.resourceID, _), (.resourceIdentityString, .nullID): .missingIDs
        case (.identifierID, _): .identifiersWithoutID
        case (.uniqueResource, .repeated), (.uniqueLocalID, _): .duplicateIncluded
        case (.relationshipMember, _), (.relationshipLinks, _), (.creationRelationship, _): .emptyRelationships
        case (.dataAndErrors, _): .dataWithErrors
        case (.errorMember, _), (.errorStatus, .text): .invalidErrorMembers
        case (.errorPointer, .text), (.errorID, .repeated), (.errorID, .kind): nil
        case (.errorsArray, _) where view.isString(word): .textErrors
        case (.errorStatus, _) where view.kind(at: word) == .number: .numericStatus
        case (.errorsArray, _), (.errorID, _), (.errorStatus, _), (.errorCode, _), (.errorTitle, _), (.errorDetail, _), (.errorSource, _),
            (.errorPointer, _), (.errorParameter, _), (.errorHeader, _):
            view.isNull(word) ? .nullErrorMembers : .invalidErrorMembers
        case (_, .null): .nullContainers
        default: nil
        }
    }
}

extension Fault {
    /// Returns how to mend the fault, if its messages do not say it: the leniency that accepts it, what the server must send, or the mode.
    func advice(_ view: TapeView) -> String? {
        switch (rule, how) {
        // The leniency would ignore the identifier.
        case (_, .unwrapped): "the server must put the identifier into `data`"
        case (.linkageShape, .element): DecodingFailure.dropAdvice
        case (.identifierType, _): "the server must send the type of each related resource beside its id"
        case (.identifierIdentityString, .nullID):
            "the server must send null in place of an identifier without an id, or leave it out of an array"
        default:
            leniency(view).map { "set the leniency \($0.rawValue) to read it" }
                ?? (verdict.reading == .refusedInStrict ? "the standard and lenient modes read it" : nil)
        }
    }
}

extension ParsedDocument {
    /// Returns the failure for a fault. It is the same if a model is read and if the whole document is checked.
    func failure(_ fault: Fault) -> DecodingFailure {
        let (messages, advice) = (fault.messages(view), fault.advice(view))
        return failure(
            fault.failureKind, at: fault.word, expected: messages.expected, found: messages.found, advice: messages.advice ?? advice)
    }
}
