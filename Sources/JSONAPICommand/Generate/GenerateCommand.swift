import Foundation
import JSONAPICodec
import JSONAPIGenerator
import JSONText

/// `jsonapi generate`: Swift models from sample documents, or from an OpenAPI description.
struct GenerateCommand: Subcommand {
    static let name = "generate"
    static let summary = "write Swift models for sample documents or an OpenAPI file"
    static let operands = "FILE…"
    static let options = [
        Option(name: "embed", meaning: "hold related resources themselves where the samples include them, not references"),
        Option(name: "direct", meaning: "add initialisers and writers that do without Codable's cost"),
        Option(name: "access", value: "public|package|internal", meaning: "who sees the models; internal"),
        Option(name: "prefix", value: "NAME", meaning: "what the names of types begin with"),
        Option(name: "root", value: "NAME", meaning: "the samples are plain JSON objects; their type gets this name"),
        Option(name: "only", value: "TYPE,…", meaning: "of an OpenAPI file: models and requests of these resource types"),
        Option(name: "strict", meaning: "fewer optional properties: those that the samples or the API always have are not"),
        Option(name: "explain", meaning: "say in comments how many samples have each property"),
        Option(name: "first-element", meaning: "the first element of an array stands for all of them"),
        Option(name: "out", value: "FOLDER", meaning: "write a file for each type, and print the paths"),
        Option(name: "force", meaning: "with --out: replace files that are there already"),
        Option(name: "json", meaning: "print what was found as JSON, and errors too"),
    ]
    static let details = """
        All samples together make the models: more samples, better models. A property is required when at least ten objects
        in three documents have it, none has null there, and no object lacks a member that others have; with --strict, when
        no sample lacks it. Its type is JSON when the samples do not agree. Texts are Date or URL when all of them are, and an
        enumeration that keeps unknown values when they are few and repeat. Objects whose names look like ids, locales, days
        or paths are dictionaries. What was guessed stands at the end of the output, with --out on standard error.

        An OpenAPI file (3.0 or 3.1, as JSON) makes models, Create and Update bodies with the fields that the API takes, and a
        function for each operation that makes a request of JSONAPIHTTP. Fields are optional where the API can leave them out;
        with --strict, as the file says.

        A relationship becomes ToOne or ToMany as its linkage is, of a union when that has several types, and stays a
        RelationshipObject while no sample has linkage. With --embed it holds the resources themselves, if every sample
        includes all of them and the relationship does not lead back to a type that holds this one.

        Names become Swift names: first-name is firstName, the type blog-posts is BlogPost. Coding keys are written where
        a name differs. Of two that would be the same the later one gets a number. fieldID and fieldType stand for fields
        called id and type.

        Plain JSON (--root) is taken at its word, as with --strict. Any decoder reads it, so dates and addresses stay String.

        With --json: {"types": {NAME: [{"external", "internal", "type"}]}, "documents": [{"file", "data", "isRequest"}]},
        where data is what a decoder is asked for.
        """
    static let examples = [
        Example("generate articles.json", "models on standard output"),
        Example("generate --access public --out Sources/App/Models samples/*.json", "a file for each type"),
        Example("generate --embed --direct articles.json", "values inside each other, and fast"),
        Example("generate openapi.json --out Models --only articles,people", "models and requests of an API"),
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
        let models = try models(console)
        let writer = SourceWriter(access: settings.access, origin: origin)
        let paths = try folder?.write(writer.files(models))
        if writesJSON {
            try console.print(json: JSONWriter(style: .indented(spaces: 2)).write(ModelOutline.json(models)) + [0x0A])
        } else if let paths {
            for guess in models.guesses { console.complain("guessed: \(ShortText.plain(guess, limit: 400))") }
            for path in paths { try console.print(ShortText.plain(path, limit: 4000)) }
        } else {
            try console.print(bytes: Array(writer.file(models).utf8))
        }
        return .good
    }
}

// MARK: - Sources

extension GenerateCommand {
    /// The models of the files, whatever they are.
    private func models(_ console: Console) throws -> SwiftModels {
        if let root = settings.root { return try plainModels(root: root, console) }
        let texts = try files.map { (file: $0, text: try console.contents(of: $0)) }
        for (file, text) in texts {
            if OpenAPIDocument.isYAML(text) {
                throw Fault(file: file, kind: "unsupportedFormat", message: OpenAPIDocument.yamlAdvice)
            }
            guard let json = try? JSON(parsing: text), OpenAPIDocument.isDescription(json) else { continue }
            guard files.count == 1 else {
                throw UsageError("an OpenAPI description is read alone, without other files", of: GenerateCommand.name)
            }
            return try apiModels(json, file, console)
        }
        guard settings.only.isEmpty else {
            throw UsageError("--only is for an OpenAPI description; of samples, give those that are wanted", of: GenerateCommand.name)
        }
        return try resourceModels(texts, console)
    }

    private func apiModels(_ json: JSON, _ file: String, _ console: Console) throws -> SwiftModels {
        do {
            var api = try APIModels(OpenAPIDocument(json), settings.api())
            let models = api.models()
            for note in api.notes { console.complain("\(Fault.shown(file)): note: \(note)") }
            return models
        } catch let problem as OpenAPIDocument.Problem {
            throw Fault(file: file, kind: "unsupportedDescription", message: problem.message)
        }
    }

    /// What the files say about where they come from. Only the last part of an absolute path is the same on every machine.
    private var origin: String {
        var words = ["jsonapi", "generate"] + settings.words + ["--out", folder.map { shortened($0.path) } ?? "", "--force"]
        words += files.map { shortened($0) }
        return "Made by `\(words.map(GenerateCommand.shellWord).joined(separator: " "))`. Changes made here are lost."
    }

    private func shortened(_ path: String) -> String {
        path.hasPrefix("/") ? URL(fileURLWithPath: path).lastPathComponent : path
    }

    private static func shellWord(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                byte > 0x20 && byte < 0x7F && !"'\"\\`$&|;<>()*?[]{}!#~".utf8.contains(byte)
            }
        return isPlain ? word : "'\(ShortText.plain(word, limit: 1000).replacingOccurrences(of: "'", with: #"'\''"#))'"
    }
}

// MARK: - Samples

extension GenerateCommand {
    private func resourceModels(_ texts: [(file: String, text: Data)], _ console: Console) throws -> SwiftModels {
        let survey = try SampleFiles.survey(texts, settings.reading, console)
        var models = ResourceModels(
            survey, prefix: settings.prefix, embeds: settings.embeds, isDirect: settings.isDirect, rules: settings.rules)
        return models.models(of: survey.samples)
    }

    private func plainModels(root: String, _ console: Console) throws -> SwiftModels {
        var models = PlainModels(settings.reading, rules: settings.rules)
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
