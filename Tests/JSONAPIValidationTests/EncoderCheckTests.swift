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

    @Test func `members of an extension pass only a check whose context names the extension`() throws {
        let text = Data(#"{"data":{"type":"tags","id":"2","audit:by":"Ann"},"audit:at":"noon"}"#.utf8)
        let document = try JSONAPIDecoder().decode(Document<ResourceObject>.self, from: text)
        #expect(throws: ValidationReport.self) { try encoder.encode(document) }
        var own = encoder
        own.check = { data, _ in
            var context = ValidationContext(.response)
            context.extensions = [.init(namespace: "audit", uri: "https://example.com/audit")]
            let report = Validator(context).validate(data)
            if !report.isValid { throw report }
        }
        #expect(try own.encode(document).count == text.count)
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
