import Foundation
import JSONAPICodec
import JSONAPIGenerator
import JSONText

/// Reads the sample documents of `generate` and `schema`.
enum SampleFiles {
    /// Collects what the documents say about resources. Throws `Fault` for a text that is not a document with data, and if no document
    /// contains a resource.
    static func survey(
        _ texts: [(file: String, text: Data)], _ options: ValueShape.Reading, _ console: Console
    ) throws -> SampleSurvey {
        var survey = SampleSurvey(options)
        for (file, text) in texts {
            let reading = try DocumentReading(text, file: file)
            try check(reading, text, file)
            survey.add(reading.document, file: file, isRequest: reading.isRequest)
            note(reading.diagnostics, file, in: console)
        }
        survey.addLinkedTypes()
        guard !survey.isEmpty else {
            throw Fault(file: texts[0].file, kind: "documentStructure", message: "no sample contains a resource to make a model of")
        }
        return survey
    }

    /// Throws `Fault` for a text that is not a document, or a document with errors.
    private static func check(_ reading: DocumentReading, _ text: Data, _ file: String) throws {
        guard let outline = DocumentOutline(reading.document, isRequest: reading.isRequest) else {
            var fault = reading.noDocument(in: text)
            fault.message += "; plain JSON needs --root NAME"
            throw fault
        }
        guard outline.subject == .errors else { return }
        let pointer = JSONPointer("errors")
        throw Fault(
            file: file, position: TextPlaces(text).positions(of: [pointer]).first ?? nil, pointer: pointer, kind: "documentStructure",
            message: "expected a document with resources, found one with errors")
    }

    /// Notes which leniencies a decoder needs for a sample.
    private static func note(_ diagnostics: Diagnostics, _ file: String, in console: Console) {
        for name in Leniencies.Name.allCases where diagnostics.count(of: .leniency(name)) > 0 {
            console.note("to decode it, a decoder needs the leniency \(name.rawValue)", on: file)
        }
    }
}
