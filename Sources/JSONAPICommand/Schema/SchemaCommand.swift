import Foundation
import JSONAPIGenerator
import JSONText

/// `jsonapi schema`: writes an OpenAPI description or a JSON Schema of sample documents.
struct SchemaCommand: Subcommand {
    static let name = "schema"
    static let summary = "write an OpenAPI file or a JSON Schema for sample documents"
    static let operands = "FILE…"
    static let options = [
        Option(name: "json-schema", meaning: "write a JSON Schema (2020-12) of the documents instead of an OpenAPI file"),
        Option(name: "strict", meaning: "require every member that all samples have"),
        Option(name: "json", meaning: "print errors as JSON; the result is always JSON"),
    ]
    static let details = """
        The samples are read with the rules of `jsonapi generate`: an attribute is required if at least ten objects in three
        documents have it, none of them is null, and no object lacks a member that others have. The schemas describe the
        resource objects of each type, and documents that contain them. `jsonapi generate --strict` makes the same models
        from the OpenAPI file as `jsonapi generate` makes from the samples.

        The OpenAPI file has version 3.1. It has no paths, because the samples do not contain them.
        """
    static let examples = [
        Example("schema articles.json people.json > openapi.json", "schemas; add the paths yourself"),
        Example("schema --json-schema samples/*.json > schema.json", "for any validator of JSON Schema"),
    ]

    private let files: [String]
    private let rules: SampleRules
    private let isJSONSchema: Bool

    init(_ arguments: Arguments) throws {
        files = try arguments.files("sample documents")
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
