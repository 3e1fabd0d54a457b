import JSONAPIGenerator

/// The options of `jsonapi generate` that decide what the models look like.
struct GenerateSettings {
    var embeds = false
    var isDirect = false
    /// `public`, `package`, or nil for internal.
    var access: String?
    var prefix = ""
    /// The name of the type of plain JSON; nil for documents of JSON:API.
    var root: String?
    /// With an OpenAPI description, the resource types to make models of; empty for all.
    var only: [String] = []
    /// When a property is required.
    var rules = SampleRules()
    var reading = ValueShape.Reading()

    /// The options as they were written.
    private(set) var words: [String] = []

    /// Reads the options. Throws `UsageError`.
    init(_ arguments: Arguments) throws {
        embeds = arguments.has("embed")
        isDirect = arguments.has("direct")
        access = try GenerateSettings.access(arguments)
        prefix = try GenerateSettings.name("prefix", arguments) ?? ""
        root = try GenerateSettings.name("root", arguments)
        only = arguments.values(of: "only").flatMap { $0.split(separator: ",").map(String.init) }
        guard !only.isEmpty || !arguments.has("only") else {
            throw UsageError("--only needs a resource type; leave it out for all types", of: GenerateCommand.name)
        }
        // A file of plain JSON is often the only one of its kind.
        rules.isStrict = arguments.has("strict") || root != nil
        rules.explains = arguments.has("explain")
        reading.firstElementDecides = arguments.has("first-element")
        for option in ["embed", "direct", "strict", "explain", "first-element"] where arguments.has(option) { words.append("--\(option)") }
        for option in ["access", "prefix", "root", "only"] {
            for value in arguments.values(of: option) { words += ["--\(option)", value] }
        }
        if root != nil, embeds || isDirect {
            throw UsageError("--embed and --direct are for resources, not for plain JSON (--root)", of: GenerateCommand.name)
        }
        if let root, ReservedNames.types.contains(prefix + root) {
            throw UsageError("--root \(root) would hide a type of Swift or of this library; choose another name", of: GenerateCommand.name)
        }
    }

    /// Returns the settings for an OpenAPI description. Throws `UsageError` for options that do not apply to one.
    func api() throws -> APIModels.Settings {
        guard !embeds, root == nil, !reading.firstElementDecides, !rules.explains else {
            throw UsageError(
                "--embed, --root, --explain and --first-element are for samples, not for an OpenAPI description",
                of: GenerateCommand.name)
        }
        var api = APIModels.Settings()
        (api.only, api.prefix, api.isDirect, api.isStrict) = (only, prefix, isDirect, rules.isStrict)
        return api
    }

    private static func access(_ arguments: Arguments) throws -> String? {
        guard let access = arguments.values(of: "access").last, access != "internal" else { return nil }
        guard ["public", "package"].contains(access) else {
            throw UsageError.unknown("value of --access", access, known: ["public", "package", "internal"], of: GenerateCommand.name)
        }
        return access
    }

    /// The value of an option that is a Swift name, with a capital first letter.
    private static func name(_ option: String, _ arguments: Arguments) throws -> String? {
        guard let text = arguments.values(of: option).last else { return nil }
        guard SwiftName.isIdentifier(text) else {
            throw UsageError("--\(option) needs a Swift name, not `\(ShortText.plain(text, limit: 60))`", of: GenerateCommand.name)
        }
        return SwiftName.upperCamel(text)
    }
}
