import Foundation
import JSONAPIRules
import JSONAPIValidation
import JSONText
import Testing

@testable import JSONAPICodec

/// Compares each row of the table of rules with the decoder's modes, the encoder, and the validator.
@Suite struct VerdictTests {
    /// A broken rule, and a document with this fault only.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: Rule
        let how: RuleFinding.Break
        let text: String
        var context = ValidationContext()
        var source = JSONAPIDecoder.Source.response
        /// Another document for the validator.
        var validated: String?
        /// False for a fault that only occurs together with another fault.
        var isRead = true

        init(
            _ rule: Rule, _ how: RuleFinding.Break, _ text: String, _ kind: ValidationContext.Kind = .response,
            source: JSONAPIDecoder.Source = .response, validated: String? = nil, isRead: Bool = true
        ) {
            (self.rule, self.how, self.text, self.source, self.validated, self.isRead) = (rule, how, text, source, validated, isRead)
            context = ValidationContext(kind)
        }

        var verdict: Verdict { rule.verdict(how) }
        var testDescription: String { "\(rule) \(how)" }
    }

    @Test(arguments: Self.rows) func theDecoderFollowsTheTable(_ row: Row) throws {
        guard row.isRead else { return }
        let expected: [Outcome] =
            switch row.verdict.reading {
            case .refused: [.refuses, .refuses, .refuses]
            case .refusedUnlessSet: [.refuses, .refuses, .reports]
            case .refusedInStrict: [.refuses, .reports, .reports]
            case .reported: [.reports, .reports, .reports]
            case .passed: [.silent, .silent, .silent]
            }
        for (mode, outcome) in zip([JSONAPIDecoder.Mode.strict, .standard, .lenient], expected) {
            var decoder = JSONAPIDecoder(mode: mode)
            decoder.source = row.source
            #expect(try reading(row.text, decoder) == outcome, "\(row.rule) \(row.how), \(mode)")
        }
    }

    @Test(arguments: Self.rows) func theValidatorFollowsTheTable(_ row: Row) {
        let byLevel: ValidationIssue.Severity = row.rule.level == .should ? .warning : .error
        let expected: [ValidationIssue.Severity?] =
            switch row.verdict.validation {
            case .issue: [byLevel, byLevel]
            case .contested: [.warning, .error]
            case .strictOnly: [nil, .error]
            case .passed: [nil, nil]
            }
        for (isStrict, severity) in zip([false, true], expected) {
            var context = row.context
            context.isStrict = isStrict
            let issues = Validator(context).validate(row.validated ?? row.text).issues.filter { $0.rule.id == row.rule.rawValue }
            #expect(issues.first?.severity == severity, "\(row.rule) \(row.how), strict: \(isStrict), \(issues)")
        }
    }

    @Test(arguments: Self.rows.filter { $0.verdict.writing == .refused && !isBeyondCreation($0) })
    func theEncoderFollowsTheTable(_ row: Row) throws {
        let members = try #require(JSON(parsing: row.text)["data"]?.object)
        #expect(throws: EncodingError.self, "\(row.rule) \(row.how)") {
            try JSONAPIEncoder().encode(Create(ResourceObject(members: members)))
        }
    }

    /// Faults that only a response can have, that a request can have, and that a JSON tree or a resource object with a text as id cannot
    /// have.
    private static func isBeyondCreation(_ row: Row) -> Bool {
        row.how == .lidBesideIDInResponse || row.how == .lidInstead || row.how == .integerID || row.rule == .duplicateName
    }

    @Test func everyRuleHasARow() {
        #expect(Rule.allCases.filter { rule in !Self.rows.contains { $0.rule == rule } }.isEmpty)
    }

    /// Every stricter mode also rejects what a mode rejects.
    @Test(arguments: Self.rows) func stricterModesRejectMore(_ row: Row) throws {
        var strict = JSONAPIDecoder(mode: .strict)
        var standard = JSONAPIDecoder()
        var lenient = JSONAPIDecoder(mode: .lenient)
        (strict.source, standard.source, lenient.source) = (row.source, row.source, row.source)
        if try reading(row.text, lenient) == .refuses { #expect(try reading(row.text, standard) == .refuses) }
        if try reading(row.text, standard) == .refuses { #expect(try reading(row.text, strict) == .refuses) }
    }

    private enum Outcome { case refuses, reports, silent }

    private func reading(_ text: String, _ decoder: JSONAPIDecoder) throws -> Outcome {
        do {
            let diagnostics = try decoder.decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics
            return diagnostics.isEmpty ? .silent : .reports
        } catch let error as DecodingError {
            #expect(error.failure != nil)
            return .refuses
        }
    }
}

// MARK: - The rows

extension VerdictTests {
    static let rows: [Row] = documents + containers + identities + fields + relationships + links + errors

    private static let documents: [Row] = [
        Row(.requiredMember, .missing, "{}"),
        Row(.dataAndErrors, .beside, #"{"data": null, "errors": []}"#),
        Row(.includedWithoutData, .beside, #"{"meta": {}, "included": []}"#),
        Row(.additionalMember, .text, article(#""href": "/1""#)),
        Row(.additionalMember, .lidBesideID, article(#""lid": "a""#), .create, source: .request),
        Row(.additionalMember, .lidBesideIDInResponse, article(#""lid": "a""#)),
        // The replaced value is rejected.
        Row(.additionalMember, .lidInResponse, #"{"data": {"type": "a", "lid": "a"}}"#, isRead: false),
        Row(.duplicateName, .repeated, article(#""attributes": {"a": 1, "a": 2}"#)),
        Row(
            .uniqueResource, .repeated,
            related(#"{"data": {"type": "p", "id": "1"}}"#, beside: #""included": [{"type": "p", "id": "1"}, {"type": "p", "id": "1"}]"#)),
        Row(
            .uniqueResource, .repeatedAlone,
            #"{"data": [{"type": "a", "id": "1", "attributes": {}}, {"type": "a", "id": "1", "attributes": {}}]}"#),
        Row(.fullLinkage, .missing, article(#""attributes": {}"#, beside: #""included": [{"type": "p", "id": "1"}]"#)),
        Row(
            .fullLinkage, .excused, article(#""attributes": {}"#, beside: #""included": [{"type": "p", "id": "1"}]"#), .create,
            source: .request),
    ]

    private static let containers: [Row] =
        [
            ("attributes", Rule.attributesObject), ("relationships", .relationshipsObject), ("links", .linksObject), ("meta", .metaObject),
        ].flatMap { name, rule in
            [("null", RuleFinding.Break.null), ("[]", .emptyArray), ("7", .kind)].map { value, how in
                Row(rule, how, article("\"\(name)\": \(value)"))
            }
        } + [
            Row(.relationshipObject, .null, related("null")),
            Row(.relationshipObject, .emptyArray, related("[]")),
            Row(.relationshipObject, .kind, related("7")),
            Row(.jsonapiObject, .null, #"{"data": null, "jsonapi": null}"#),
            Row(.jsonapiObject, .emptyArray, #"{"data": null, "jsonapi": []}"#),
            Row(.jsonapiObject, .kind, #"{"data": null, "jsonapi": 7}"#),
            Row(.linksObject, .nullInError, #"{"errors": [{"status": "404", "links": null}]}"#),
            Row(.metaObject, .nullInError, #"{"errors": [{"status": "404", "meta": null}]}"#),
        ]

    private static let lidTwice =
        #"{"atomic:operations": [{"op": "add", "data": {"type": "a", "lid": "x"}}, {"op": "add", "data": {"type": "a", "lid": "x"}}]}"#

    private static let identities: [Row] = [
        Row(.resourceType, .missing, #"{"data": {"id": "1"}}"#),
        Row(.resourceType, .missingBoth, #"{"data": {"attributes": {}}}"#),
        Row(.resourceID, .missingID, #"{"data": {"type": "a", "attributes": {}}}"#),
        Row(.resourceID, .lidInstead, #"{"data": {"type": "a", "lid": "x", "attributes": {}}}"#),
        Row(.creationType, .missing, #"{"data": {"attributes": {}}}"#, .create, source: .request),
        Row(.updateIdentity, .missingID, #"{"data": {"type": "a", "attributes": {}}}"#, .update, source: .request),
        Row(
            .updateIdentity, .updateByLid, #"{"atomic:operations": []}"#, .atomicRequest, source: .request,
            validated: #"{"atomic:operations": [{"op": "add", "data": {"type": "a", "lid": "x"}}, "#
                + #"{"op": "update", "data": {"type": "a", "lid": "x"}}]}"#),
        Row(
            .operationType, .missing, #"{"atomic:operations": [{"op": "add", "data": {"attributes": {}}}]}"#, .atomicRequest,
            source: .request),
        Row(.resourceIdentityString, .type, #"{"data": {"type": 7, "id": "1"}}"#),
        Row(.resourceIdentityString, .id, #"{"data": {"type": "a", "id": true}}"#),
        Row(.resourceIdentityString, .lid, #"{"data": {"type": "a", "id": "1", "lid": 7}}"#),
        Row(.resourceIdentityString, .nullID, #"{"data": {"type": "a", "id": null}}"#),
        Row(.resourceIdentityString, .integerID, #"{"data": {"type": "a", "id": 7}}"#),
        Row(
            .uniqueLocalID, .repeated, #"{"data": [{"type": "a", "lid": "x"}, {"type": "a", "lid": "x"}]}"#, .atomicRequest,
            source: .request, validated: lidTwice),
        Row(.typeName, .empty, #"{"data": {"type": "", "id": "1"}}"#),
        Row(.typeName, .text, #"{"data": {"type": "a/b", "id": "1"}}"#),
        Row(.identifierType, .missing, related(#"{"data": {"id": "1"}}"#)),
        Row(.identifierType, .missingBoth, related(#"{"data": {}}"#)),
        Row(.identifierID, .missingID, related(#"{"data": {"type": "p"}}"#)),
        Row(.identifierID, .lidInstead, related(#"{"data": {"type": "p", "lid": "x"}}"#)),
        Row(.identifierID, .empty, related(#"{"data": {"type": "p", "id": ""}}"#)),
        Row(.identifierLocalID, .missing, related(#"{"data": {"type": "p", "lid": "x"}}"#), .create, source: .request),
        Row(.identifierIdentityString, .type, related(#"{"data": {"type": 7, "id": "1"}}"#)),
        Row(.identifierIdentityString, .id, related(#"{"data": {"type": "p", "id": true}}"#)),
        Row(.identifierIdentityString, .nullID, related(#"{"data": {"type": "p", "id": null}}"#)),
        Row(.identifierIdentityString, .integerID, related(#"{"data": {"type": "p", "id": 7}}"#)),
        Row(.identifierIdentityString, .lid, related(#"{"data": {"type": "p", "id": "1", "lid": 7}}"#)),
    ]

    private static let fields: [Row] = [
        Row(.nonEmptyName, .attribute, article(#""attributes": {"": 1}"#)),
        Row(.reservedCharacters, .attribute, article(#""attributes": {"a.b": 1}"#)),
        Row(.startAndEnd, .relationship, article(#""relationships": {"_a": {"data": null}}"#)),
        Row(
            .reservedCharacters, .unknownExtension, article(#""attributes": {"x:a": 1}"#),
            validated: article(#""attributes": {"x:a": 1}"#, beside: #""jsonapi": {"ext": ["https://example.com/x"]}"#)),
        Row(.nonEmptyName, .metaName, #"{"data": null, "meta": {"": 1}}"#),
        Row(.reservedCharacters, .metaName, #"{"data": null, "meta": {"a.b": 1}}"#),
        Row(.startAndEnd, .metaName, #"{"data": null, "meta": {"_a": 1}}"#),
        Row(.reservedFieldName, .attribute, article(#""attributes": {"type": 1}"#)),
        Row(.reservedFieldName, .relationship, article(#""relationships": {"id": {"data": null}}"#)),
        Row(.commonNamespace, .repeated, article(#""attributes": {"a": 1}, "relationships": {"a": {"data": null}}"#)),
        Row(.extensionRemainder, .text, article(#""attributes": {"x:_a": 1}"#)).applying("x"),
    ]

    private static let relationships: [Row] = [
        Row(.relationshipMember, .missing, related("{}")),
        Row(.relationshipMember, .unwrapped, related(#"{"type": "p", "id": "1"}"#)),
        Row(.relationshipLinks, .missing, related(#"{"links": {}}"#)),
        Row(.relationshipLinks, .beside, related(#"{"data": null, "links": {}}"#)),
        Row(.linkageShape, .kind, related(#"{"data": 7}"#)),
        Row(.linkageShape, .element, related(#"{"data": [7]}"#)),
        Row(.creationRelationship, .missing, related(#"{"meta": {}}"#), .create, source: .request),
        Row(.updateRelationship, .missing, #"{"data": null}"#, .update, source: .request, validated: related(#"{"meta": {}}"#)),
        Row(.toOneData, .kind, #"{"data": []}"#, .relationship, source: .request).with { $0.cardinality = .toOne },
        Row(.toManyData, .kind, #"{"data": null}"#, .relationship, source: .request).with { $0.cardinality = .toMany },
        Row(.primaryDataLinkage, .kind, #"{"data": []}"#).with { $0.target = .toOneRelationship },
    ]

    private static let links: [Row] = [
        Row(.linkRepresentation, .kind, link("7")),
        Row(.linkRepresentation, .text, link(#""a b""#)),
        Row(.linkReference, .missing, link("{}")),
        Row(.linkReference, .kind, link(#"{"href": 7}"#)),
        Row(.linkReference, .text, link(#"{"href": "a b"}"#)),
        Row(.relationType, .kind, link(#"{"href": "", "rel": 7}"#)),
        Row(.relationType, .text, link(#"{"href": "", "rel": "a b"}"#)),
        Row(.describingLink, .kind, link(#"{"href": "", "describedby": 7}"#)),
        Row(.describingLink, .text, link(#"{"href": "", "describedby": "a b"}"#)),
        Row(.linkTitle, .kind, link(#"{"href": "", "title": 7}"#)),
        Row(.linkType, .kind, link(#"{"href": "", "type": 7}"#)),
        Row(.languageString, .kind, link(#"{"href": "", "hreflang": 7}"#)),
        Row(.languageString, .element, link(#"{"href": "", "hreflang": [7]}"#)),
        Row(.languageTag, .text, link(#"{"href": "", "hreflang": "en_US"}"#)),
        Row(.paginationPlace, .kind, article(#""attributes": {}"#, beside: #""links": {"next": "/2"}"#)),
        Row(.paginationPlace, .missing, #"{"data": null, "links": {"next": "/2"}}"#),
        Row(.versionString, .kind, #"{"data": null, "jsonapi": {"version": 1.1}}"#),
        Row(.extensionURIs, .kind, #"{"data": null, "jsonapi": {"ext": "x"}}"#),
        Row(.extensionURIs, .element, #"{"data": null, "jsonapi": {"ext": [7]}}"#),
        Row(.profileURIs, .text, #"{"data": null, "jsonapi": {"profile": ["x"]}}"#),
    ]

    private static let errors: [Row] =
        [
            (Rule.errorID, RuleFinding.Break.kind, #"{"id": 7, "status": "404"}"#),
            (.errorID, .null, #"{"id": null, "status": "404"}"#),
            (.errorID, .repeated, #"{"id": "1", "status": "404"}, {"id": "1", "status": "404"}"#),
            (.errorsArray, .element, "7"),
            (.errorMember, .missing, "{}"),
            (.errorStatus, .kind, #"{"status": 404}"#),
            (.errorStatus, .text, #"{"status": "no"}"#),
            (.errorStatusPresent, .missing, #"{"title": "no"}"#),
            (.errorCode, .kind, #"{"status": "404", "code": 7}"#),
            (.errorTitle, .kind, #"{"status": "404", "title": 7}"#),
            (.errorDetail, .kind, #"{"status": "404", "detail": 7}"#),
            (.errorSource, .kind, #"{"status": "404", "source": 7}"#),
            (.errorSourceMember, .missing, #"{"status": "404", "source": {}}"#),
            (.errorPointer, .kind, #"{"status": "404", "source": {"pointer": 7}}"#),
            (.errorPointer, .text, #"{"status": "404", "source": {"pointer": "x"}}"#),
            (.errorPointer, .missing, #"{"status": "404", "source": {"header": "x"}}"#),
            (.errorParameter, .kind, #"{"status": "404", "source": {"parameter": 7}}"#),
            (.errorHeader, .kind, #"{"status": "404", "source": {"header": 7}}"#),
        ].map { rule, how, text in Row(rule, how, #"{"errors": [\#(text)]}"#) } + [Row(.errorsArray, .kind, #"{"errors": 7}"#)]

    private static func link(_ link: String) -> String { #"{"data": null, "links": {"self": \#(link)}}"# }
}

extension VerdictTests.Row {
    fileprivate func with(_ change: (inout ValidationContext) -> Void) -> Self {
        var row = self
        change(&row.context)
        return row
    }

    fileprivate func applying(_ namespace: String) -> Self {
        with { $0.extensions = [.init(namespace: namespace, uri: "https://example.com/\(namespace)")] }
    }
}
