import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

/// `jsonapi build`: builds a request body from arguments.
struct BuildCommand: Subcommand {
    static let name = "build"
    static let summary = "build a request body: create, update or relationship"
    static let operands = "create TYPE [FIELD…] | update TYPE ID [FIELD…] | relationship"
    static let operandChoices = ["create", "update", "relationship"]
    static let readsOperands = false
    static let options = [
        Option(name: "id", value: "ID", meaning: "create: an id that the client generated"),
        Option(name: "lid", value: "LID", meaning: "create: a local id for the resource within this document"),
        Option(name: "attribute", value: "NAME=JSON", meaning: "an attribute; a value that is not JSON is text"),
        Option(name: "to-one", value: "NAME=TYPE:ID|null", meaning: "a to-one relationship; with build relationship, TYPE:ID or null"),
        Option(name: "to-many", value: "NAME=TYPE:ID,ID,…", meaning: "a to-many relationship; with build relationship, TYPE:ID,ID,…"),
        Option(name: "from", value: "FLAT.json", meaning: "create, update: read fields from a flat JSON object"),
        Option(name: "compact", meaning: "write one line without spaces; by default two spaces for each level"),
        Option(name: "json", meaning: "print an error as a JSON object"),
    ]
    static let details = """
        A FIELD is an attribute: NAME=TEXT is a string, whatever the text looks like, and NAME:=JSON is any JSON value.
        --attribute NAME=JSON takes the value as JSON if it is JSON, and as a string otherwise.

        --attribute, --to-one and --to-many can be repeated. If a name is given twice, the last value counts. An empty value
        of --to-many is an empty relationship. TYPE:ID,ID,… has one type, and only its first id can have a colon. The value
        can also be a JSON array of resource identifiers, for several types, or for ids with commas or colons:
        --to-many 'members=[{"type":"people","id":"urn:a"},{"type":"teams","id":"2"}]'

        In a flat JSON object, id or lid is the identity of the resource, and type has to be TYPE. A member whose value is
        a resource identifier, {"type", "id"}, or an array of identifiers is a relationship. Every other member is an
        attribute. Arguments take precedence over the members of the object.

        The body is checked before it is printed, with the rules of `jsonapi validate --as`. A broken rule is an error with
        exit status 1. So are empty types and ids, names that JSON:API forbids, a name that is both an attribute and a
        relationship, and the lid of a resource that is not in the body. A name such as audit:by counts as that of an
        extension, because the extensions of a request are in its media type.
        """
    static let examples = [
        Example("build create articles title=Hello --to-one author=people:9", "the body of a POST"),
        Example("build update articles 1 code=0042 words:=120 --to-many tags=tags:1,2", "the body of a PATCH"),
        Example("build relationship --to-many comments:5,12", "the body for a relationship"),
        Example("build create articles --from fields.json", "fields from a flat JSON object"),
    ]

    let request: BuildRequest
    let flat: String?
    let style: JSONWriter.Style

    init(_ arguments: Arguments) throws {
        request = try BuildRequest(arguments)
        flat = arguments.values(of: "from").last
        style = arguments.has("compact") ? .compact : .indented(spaces: 2)
    }

    func run(in console: Console) throws -> ExitStatus {
        var request = request
        if let flat { try request.takeFields(from: flat, console.contents(of: flat)) }
        var encoder = JSONAPIEncoder()
        encoder.style = style
        do {
            let body = try request.encoded(by: encoder)
            if let issue = request.validator.validate(body).errors.first { throw Fault(issue) }
            try console.print(json: String(decoding: body, as: UTF8.self))
            return .good
        } catch let error as EncodingError {
            throw Fault(encoding: error)
        }
    }
}

extension Fault {
    /// A body that cannot be built. The cure is one for the arguments, because the library's own advice is for programs.
    fileprivate init(encoding error: EncodingError) {
        guard let failure = error.failure else {
            self.init(file: "jsonapi build", kind: "encoding", message: "\(error)")
            return
        }
        let cure =
            switch failure.kind {
            case .illegalName: "; rename it"
            case .duplicateName: "; rename one of them"
            case .missingIdentity: "; give each type, id and lid at least one character"
            default: ""
            }
        self.init(
            file: "jsonapi build", pointer: failure.pointer, kind: failure.kind.description,
            message: "expected \(failure.expected), found \(failure.found)\(cure)")
    }

    /// A body that breaks a rule.
    fileprivate init(_ issue: ValidationIssue) {
        self.init(
            file: "jsonapi build", pointer: issue.pointer, kind: issue.rule.id, message: "\(issue.message); \(issue.cure)")
    }
}
