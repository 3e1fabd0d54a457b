import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText
import Testing

/// Checks the encoder's output against every rule.
@Suite struct EncoderCheckTests {
    private struct Tag: Resource {
        static let type = "tags"
        var id: String
        var label: String
    }

    private struct Note: Resource {
        static let type = "notes"
        var id: String
        var text: String
        var tags: [Tag]
    }

    private let note = Note(id: "1", text: "t", tags: [Tag(id: "2", label: "l")])

    private var encoder: JSONAPIEncoder {
        var encoder = JSONAPIEncoder()
        encoder.check = Validator.encoderCheck
        return encoder
    }

    @Test func aValidDocumentPasses() throws {
        _ = try encoder.encode([note])
        _ = try encoder.encode([note], include: ["tags"], fields: ["notes": ["text"]])
        _ = try encoder.encode(note, include: .none)
        _ = try encoder.encode(Create(note))
        _ = try encoder.encode(note.patch { $0.text = "u" })
        _ = try encoder.encode(Linkage(adding: [ResourceIdentifier(type: "tags", id: "2")]))
        var operations = AtomicOperations()
        let made = operations.add(note)
        operations.add([ResourceIdentifier(type: "tags", id: "2")], to: "tags", of: made)
        _ = try encoder.encode(operations)
    }

    @Test func aBrokenRuleThrowsTheReport() throws {
        var lax = encoder
        lax.checksNames = false
        do {
            _ = try lax.encode(Create(type: "notes", attributes: ["_text": "t"]))
            Issue.record("nothing was thrown")
        } catch let report as ValidationReport {
            #expect(report.errors.map(\.pointer.description) == ["/data/attributes/_text"])
        }
    }
}
