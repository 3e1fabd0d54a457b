import Foundation
import JSONAPICodec
import JSONText

/// `jsonapi generate`: Swift models from sample documents.
struct GenerateCommand: Subcommand {
    static let name = "generate"
    static let summary = "write Swift models for sample documents"
    static let operands = "FILE…"
    static let options = [
        Option(name: "embed", meaning: "hold related resources themselves where the samples include them, not references"),
        Option(name: "direct", meaning: "add initialisers and writers that do without Codable's cost"),
        Option(name: "access", value: "public|package|internal", meaning: "who sees the models; internal"),
        Option(name: "prefix", value: "NAME", meaning: "what the names of types begin with"),
        Option(name: "root", value: "NAME", meaning: "the samples are plain JSON objects; their type gets this name"),
        Option(name: "first-element", meaning: "the first element of an array stands for all of them"),
        Option(name: "out", value: "FOLDER", meaning: "write a file for each type, and print the paths"),
        Option(name: "force", meaning: "with --out: replace files that are there already"),
        Option(name: "json", meaning: "print what was found as JSON, and errors too"),
    ]
    static let details = """
        All samples together make the models: more samples, better models. A property is optional when a sample lacks it or
        has null there; its type is JSON when the samples do not agree. Texts are Date or URL when all of them are.

        A relationship becomes ToOne or ToMany as its linkage is, of a union when that has several types, and stays a
        RelationshipObject while no sample has linkage. With --embed it holds the resources themselves, if every sample
        includes all of them and the relationship does not lead back to a type that holds this one.

        Names become Swift names: first-name is firstName, the type blog-posts is BlogPost. Coding keys are written where
        a name differs. Of two that would be the same the later one gets a number. fieldID and fieldType stand for fields
        called id and type.

        Plain JSON (--root) is read by any decoder, so dates and addresses stay String there.

        With --json: {"types": {NAME: [{"external", "internal", "type"}]}, "documents": [{"file", "data", "isRequest"}]},
        where data is what a decoder is asked for.
        """
    static let examples = [
        Example("generate articles.json", "models on standard output"),
        Example("generate --access public --out Sources/App/Models samples/*.json", "a file for each type"),
        Example("generate --embed --direct articles.json", "values inside each other, and fast"),
        Example("generate --root Settings settings.json", "a type for plain JSON"),
    ]

    private let files: [String]
    private let settings: GenerateSettings
    private let folder: OutputFolder?
    private let writesJSON: Bool

    init(_ arguments: Arguments) throws {
        guard !arguments.operands.isEmpty else {
            throw UsageError("generate needs sample documents, or - for standard input", of: GenerateCommand.name)
        }
        guard arguments.operands.filter({ $0 == "-" }).count < 2 else {
            throw UsageError("standard input can be read once only", of: GenerateCommand.name)
        }
        files = arguments.operands
        settings = try GenerateSettings(arguments)
        folder = arguments.values(of: "out").last.map { OutputFolder(path: $0, replacesFiles: arguments.has("force")) }
        guard folder != nil || !arguments.has("force") else { throw UsageError("--force is for --out", of: GenerateCommand.name) }
        writesJSON = arguments.has("json")
    }

    func run(in console: Console) throws -> ExitStatus {
        let models = try settings.root.map { try plainModels(root: $0, console) } ?? resourceModels(console)
        let writer = SourceWriter(access: settings.access)
        let paths = try folder?.write(writer.files(models))
        if writesJSON {
            try console.print(json: JSONWriter(style: .indented(spaces: 2)).write(ModelOutline.json(models)) + [0x0A])
        } else if let paths {
            for path in paths { try console.print(ShortText.plain(path, limit: 4000)) }
        } else {
            try console.print(bytes: Array(writer.file(models).utf8))
        }
        return .good
    }
}

// MARK: - Samples

extension GenerateCommand {
    private func resourceModels(_ console: Console) throws -> SwiftModels {
        var survey = SampleSurvey(settings.reading)
        for file in files {
            let text = try console.contents(of: file)
            let reading = try DocumentReading(text, file: file)
            try check(reading, text, file)
            survey.add(reading.document, file: file, isRequest: reading.isRequest)
            note(reading.diagnostics, file, in: console)
        }
        survey.addLinkedTypes()
        guard !survey.resources.isEmpty else {
            throw Fault(file: files[0], kind: "documentStructure", message: "no sample holds a resource to make a model of")
        }
        var models = ResourceModels(survey, prefix: settings.prefix, embeds: settings.embeds, isDirect: settings.isDirect)
        return models.models(of: survey.samples)
    }

    /// Throws `Fault` for a text that is no document, or one that tells of errors.
    private func check(_ reading: DocumentReading, _ text: Data, _ file: String) throws {
        guard let outline = DocumentOutline(reading.document, isRequest: reading.isRequest) else {
            var fault = reading.noDocument(in: text)
            fault.message += "; plain JSON needs --root NAME"
            throw fault
        }
        guard outline.subject == .errors else { return }
        let pointer = JSONPointer("errors")
        throw Fault(
            file: file, position: TextPlaces(text).positions(of: [pointer]).first ?? nil, pointer: pointer, kind: "documentStructure",
            message: "expected a document with resources, found one that tells of errors")
    }

    /// Says which leniencies a decoder needs for a sample.
    private func note(_ diagnostics: Diagnostics, _ file: String, in console: Console) {
        for name in Leniencies.Name.allCases where diagnostics.count(of: .leniency(name)) > 0 {
            console.complain("\(Fault.shown(file)): note: to decode it, a decoder needs the leniency \(name.rawValue)")
        }
    }

    private func plainModels(root: String, _ console: Console) throws -> SwiftModels {
        var models = PlainModels(settings.reading)
        for file in files {
            let text = try console.contents(of: file)
            let json: JSON
            do throws(JSONSyntaxError) { json = try JSON(parsing: text) } catch { throw Fault(error, in: text, file: file) }
            guard let object = json.object, !object.isEmpty else {
                throw Fault(
                    file: file, position: TextPlaces(text).positions(of: [.root]).first ?? nil, pointer: .root, kind: "wrongType",
                    message: "expected an object with members, found \(json.object == nil ? "another value" : "an empty object")")
            }
            models.add(object)
        }
        return models.models(root: root, prefix: settings.prefix)
    }
}
