import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// The result of a mode for a document.
enum Outcome: Sendable {
    /// Accepted without a diagnostic.
    case silent
    /// Accepted, with a diagnostic of that kind at that pointer.
    case reports(Diagnostic.Kind, String)
    /// Rejected.
    case fails(DecodingFailure.Kind, String)

    static func uses(_ leniency: Leniencies.Name, _ pointer: String) -> Outcome { .reports(.leniency(leniency), pointer) }
}

/// A document, and the result of each mode.
struct SurveyCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let source: JSONAPIDecoder.Source
    let strict: Outcome
    let standard: Outcome
    let lenient: Outcome

    init(
        _ name: String, _ text: String, source: JSONAPIDecoder.Source = .response, strict: Outcome, standard: Outcome, lenient: Outcome
    ) {
        self.name = name
        self.text = text
        self.source = source
        self.strict = strict
        self.standard = standard
        self.lenient = lenient
    }

    /// The same in every mode.
    init(_ name: String, _ text: String, source: JSONAPIDecoder.Source = .response, _ outcome: Outcome) {
        self.init(name, text, source: source, strict: outcome, standard: outcome, lenient: outcome)
    }

    /// Rejected in strict mode, and reported in the others.
    init(
        _ name: String, _ text: String, source: JSONAPIDecoder.Source = .response, at pointer: String, strict: DecodingFailure.Kind,
        else kind: Diagnostic.Kind
    ) {
        self.init(
            name, text, source: source, strict: .fails(strict, pointer), standard: .reports(kind, pointer),
            lenient: .reports(kind, pointer))
    }

    /// Rejected without the leniency.
    init(
        _ name: String, _ text: String, source: JSONAPIDecoder.Source = .response, at pointer: String, _ kind: DecodingFailure.Kind,
        unless leniency: Leniencies.Name
    ) {
        self.init(
            name, text, source: source, strict: .fails(kind, pointer), standard: .fails(kind, pointer),
            lenient: .uses(leniency, pointer))
    }

    /// Rejected in strict mode; the other modes use the leniency.
    init(
        _ name: String, _ text: String, source: JSONAPIDecoder.Source = .response, at pointer: String, strict: DecodingFailure.Kind,
        uses leniency: Leniencies.Name
    ) {
        self.init(name, text, source: source, at: pointer, strict: strict, else: .leniency(leniency))
    }

    var testDescription: String { name }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        check(strict, JSONAPIDecoder(mode: .strict), "strict", sourceLocation)
        check(standard, JSONAPIDecoder(), "standard", sourceLocation)
        check(lenient, JSONAPIDecoder(mode: .lenient), "lenient", sourceLocation)
        checkOneLeniency(sourceLocation)
    }

    private func check(_ outcome: Outcome, _ decoder: JSONAPIDecoder, _ mode: String, _ location: SourceLocation) {
        let found = survey(decoder)
        let isAsExpected =
            switch (outcome, found) {
            case (.silent, .success(let diagnostics)): diagnostics.isEmpty
            case (.reports(let kind, let pointer), .success(let diagnostics)):
                diagnostics.contains { $0.kind == kind && $0.pointer.description == pointer } && diagnostics.count(of: kind) > 0
            case (.fails(let kind, let pointer), .failure(let failure)):
                failure.kind == kind && failure.pointer.description == pointer && failure.offset != nil
            default: false
            }
        #expect(isAsExpected, "\(name), \(mode): expected \(outcome), found \(found)", sourceLocation: location)
    }

    /// Standard mode accepts the document with the leniency that lenient mode reported.
    private func checkOneLeniency(_ location: SourceLocation) {
        guard case .reports(let kind, _) = lenient, case .fails = standard,
            let leniency = Leniencies.Name.allCases.first(where: { kind == .leniency($0) })
        else { return }
        var decoder = JSONAPIDecoder()
        decoder.leniencies = Leniencies.only(leniency)
        check(lenient, decoder, "standard with \(leniency)", location)
    }

    private func survey(_ decoder: JSONAPIDecoder) -> Result<Diagnostics, DecodingFailure> {
        var decoder = decoder
        decoder.source = source
        do {
            return .success(try decoder.decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics)
        } catch {
            guard let failure = (error as? DecodingError)?.failure else {
                Issue.record("\(name): \(error)")
                return .success(Diagnostics())
            }
            return .failure(failure)
        }
    }
}

extension Leniencies {
    static func only(_ name: Name) -> Leniencies {
        Leniencies(rawValue: 1 << (Name.allCases.firstIndex(of: name) ?? 0))
    }
}

/// A document with one resource with the given additional members.
func article(_ members: String, beside: String = "") -> String {
    #"{"data": {"type": "articles", "id": "1", \#(members)}\#(beside.isEmpty ? "" : ", " + beside)}"#
}

/// A document with one resource with one relationship.
func related(_ relationship: String, beside: String = "") -> String {
    article(#""relationships": {"author": \#(relationship)}"#, beside: beside)
}
