import Foundation
import JSONAPIGenerator
import JSONText

/// `jsonapi schema`: an OpenAPI description or a JSON Schema of what sample documents hold.
struct SchemaCommand: Subcommand {
    static let name = "schema"
    static let summary = "write an OpenAPI file or a JSON Schema for sample documents"
    static let operands = "FILE…"
    static let options = [
        Option(name: "json-schema", meaning: "a JSON Schema (2020-12) of the documents, instead of an OpenAPI file"),
        Option(name: "strict", meaning: "require what all samples have"),
        Option(name: "json", meaning: "print errors as JSON; the result is JSON anyway"),
    ]
    static let details = """
        The samples are read as by `jsonapi generate`, with the same rules: an attribute is required when at least ten
        objects in three documents have it, none has null there and none lacks what others have. The schemas describe the
        resource objects of each type and documents with them. `jsonapi generate --strict` makes the same models of the
        OpenAPI file as `jsonapi generate` makes of the samples.

        The OpenAPI file is version 3.1 and has no paths, since the samples do not tell them.
        """
    static let examples = [
        Example("schema articles.json people.json > openapi.json", "schemas to complete with paths"),
        Example("schema --json-schema samples/*.json > schema.json", "for any validator of JSON Schema"),
    ]

    private let files: [String]
    private let rules: SampleRules
    private let isJSONSchema: Bool

    init(_ arguments: Arguments) throws {
        guard !arguments.operands.isEmpty else {
            throw UsageError("schema needs sample documents, or - for standard input", of: SchemaCommand.name)
        }
        guard arguments.operands.filter({ $0 == "-" }).count < 2 else {
            throw UsageError("standard input can be read once only", of: SchemaCommand.name)
        }
        files = arguments.operands
        var rules = SampleRules()
        rules.isStrict = arguments.has("strict")
        self.rules = rules
        isJSONSchema = arguments.has("json-schema")
    }

    func run(in console: Console) throws -> ExitStatus {
        let texts = try files.map { (file: $0, text: try console.contents(of: $0)) }
        let survey = try SampleFiles.survey(texts, ValueShape.Reading(), console)
        var models = ResourceModels(survey, prefix: "", embeds: false, isDirect: false, rules: rules)
        let schemas = SchemaWriter(models.models(of: survey.samples), isJSONSchema: isJSONSchema)
        let text = try JSONWriter(style: .indented(spaces: 2)).write(isJSONSchema ? schemas.jsonSchema : schemas.description)
        try console.print(json: text + [0x0A])
        return .good
    }
}
