import Foundation
import JSONAPICodec
import JSONAPIGenerator
import JSONText

/// `jsonapi generate`: writes Swift models for sample documents, or for an OpenAPI description.
struct GenerateCommand: Subcommand {
    static let name = "generate"
    static let summary = "write Swift models for sample documents or an OpenAPI file"
    static let operands = "FILE…"
    static let options = [
        Option(name: "embed", meaning: "make related resources that the samples include properties, beside their references"),
        Option(name: "direct", meaning: "add initializers and writers that avoid the cost of Codable"),
        Option(name: "access", value: "public|package|internal", meaning: "the access level of the models; internal"),
        Option(name: "prefix", value: "NAME", meaning: "a prefix for the names of types"),
        Option(name: "root", value: "NAME", meaning: "read the samples as plain JSON objects of a type with this name"),
        Option(name: "only", value: "TYPE,…", meaning: "OpenAPI: make models and requests only for these resource types"),
        Option(name: "strict", meaning: "make fewer properties optional: those that every sample has are required"),
        Option(name: "explain", meaning: "write comments that count the samples with each property"),
        Option(name: "first-element", meaning: "read only the first element of each array"),
        Option(name: "out", value: "FOLDER", meaning: "write one file for each type, and print the paths"),
        Option(name: "force", meaning: "with --out: replace existing files"),
        Option(name: "json", meaning: "print the models as JSON, and errors as JSON"),
    ]
    static let details = """
        The models describe all samples together, so more samples make better models. A property is required if at least ten
        objects in three documents have it, none of them is null, and no object lacks a member that others have. With
        --strict it is required if every sample has it; its type is the same. The type is JSON if the samples do not agree.
        Strings become Date or URL if all of them can, and an enumeration that keeps unknown values if there are few of them
        and they repeat. Objects whose names look like ids, locales, days or paths become dictionaries. Objects such as
        metadata become JSONObject if their members differ. The guesses are listed at the end of the output, or with --out on
        standard error.

        Optional attributes have the property wrapper EmptyAsNil: null and, in place of a value of another kind, "", [] and {}
        are nil, and are written as they were read. Dates without a time zone are read as UTC, by the property wrapper
        DateFormatAsRead. A measure such as a price is a Double, even if a few samples have whole numbers.

        Strings such as "19.90" become Decimal, with the property wrapper DecimalText, which writes the same digits. All
        samples must be numbers without leading zeros, one must have a fraction, and the name must be that of a measure or an
        amount; or three different numbers must have the same number of fraction digits, at least two. A name with a word
        such as version, code, number, id or phone stays String.

        An OpenAPI file (3.0 or 3.1, as JSON) becomes models, Create and Update bodies with the fields that the API accepts,
        and for each operation a function that returns a request of JSONAPIHTTP. A field is optional if the API can leave it
        out; with --strict, if the file says so.

        A relationship becomes ToOne or ToMany, as its linkage says. If it has several types, they become a union. Without
        linkage in any sample it is a RelationshipObject. With --embed it is the resource itself, by the property wrapper
        Embedded, if a sample includes a related resource. `article.author` is then the person, or nil if the document does
        not include it. `article.$author` is the ToOne or ToMany, which keeps the linkage, links and meta.

        Names become Swift names: first-name is firstName, and the type blog-posts is BlogPost. Coding keys are written if
        a name differs. If two names would be equal, the later one gets a number. Fields called id and type become fieldID
        and fieldType.

        For plain JSON (--root) a property is required if every sample has it. Any decoder can read these models, so dates
        and URLs are String.

        With --json: {"types": {NAME: [{"external", "internal", "type"}]}, "documents": [{"file", "data", "isRequest"}]},
        where data is the type to decode.
        """
    static let examples = [
        Example("generate articles.json", "models on standard output"),
        Example("generate --access public --out Sources/App/Models samples/*.json", "a file for each type"),
        Example("generate --embed --direct articles.json", "embedded models without the cost of Codable"),
        Example("generate openapi.json --out Models --only articles,people", "models and requests of an API"),
        Example("generate --root Settings settings.json", "a model of plain JSON"),
    ]

    private let files: [String]
    private let settings: GenerateSettings
    private let folder: OutputFolder?
    private let writesJSON: Bool

    init(_ arguments: Arguments) throws {
        files = try arguments.files("sample documents")
        settings = try GenerateSettings(arguments)
        folder = arguments.values(of: "out").last.map { OutputFolder(path: $0, replacesFiles: arguments.has("force")) }
        guard folder?.path.isEmpty != true else { throw UsageError("--out needs a folder", of: GenerateCommand.name) }
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
    /// Makes the models of the files, which are samples or an OpenAPI description.
    private func models(_ console: Console) throws -> SwiftModels {
        if let root = settings.root { return try plainModels(root: root, console) }
        let texts = try files.map { (file: $0, text: try console.contents(of: $0)) }
        for (file, text) in texts {
            guard let json = try? JSON(parsing: text) else {
                // JSON without indentation can have the same lines as YAML.
                guard OpenAPIDocument.isYAML(text) else { continue }
                throw Fault(file: file, kind: "unsupportedFormat", message: OpenAPIDocument.yamlAdvice)
            }
            guard OpenAPIDocument.isDescription(json) else { continue }
            guard files.count == 1 else {
                throw UsageError("an OpenAPI description has to be the only file", of: GenerateCommand.name)
            }
            return try apiModels(json, file, console)
        }
        guard settings.only.isEmpty else {
            throw UsageError("--only is for an OpenAPI description; choose samples by naming their files", of: GenerateCommand.name)
        }
        return try resourceModels(texts, console)
    }

    private func apiModels(_ json: JSON, _ file: String, _ console: Console) throws -> SwiftModels {
        do {
            var api = try APIModels(OpenAPIDocument(json), settings.api())
            let models = api.models()
            for note in api.notes { console.note(note, on: file) }
            return models
        } catch let problem as OpenAPIDocument.Problem {
            throw Fault(file: file, kind: "unsupportedDescription", message: problem.message)
        }
    }

    /// The comment that says how to make the files again. Of an absolute path it has only the last part, which is the same on every
    /// machine.
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
