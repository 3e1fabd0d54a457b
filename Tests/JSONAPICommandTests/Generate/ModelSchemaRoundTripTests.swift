import Foundation
import JSONAPICodec
import JSONAPISchemas
import JSONText
import Testing

/// Makes models of the schema of models. The models in `GeneratedVoyages.swift` are exactly what the generator writes.
@Suite("Models of the schema of models")
struct ModelSchemaRoundTripTests {
    @Test("The models that are made of the schema of models are equal to them")
    func equalModels() throws {
        let description = try JSONWriter().string(ModelSchema(of: Voyage.self).openAPI)
        let run = CommandRun(["generate", "--strict", "-"], input: description)
        #expect(run.status == 0, "\(run.error)")
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("GeneratedVoyages.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        #expect(run.output == source)
    }
}
