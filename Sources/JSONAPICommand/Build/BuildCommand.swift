import Foundation
import JSONAPICodec
import JSONText

/// `jsonapi build`: a request body from arguments.
struct BuildCommand: Subcommand {
    static let name = "build"
    static let summary = "build a request body: create, update or relationship"
    static let operands = "create TYPE | update TYPE ID | relationship"
    static let operandChoices = ["create", "update", "relationship"]
    static let options = [
        Option(name: "id", value: "ID", meaning: "create: the id that the client made"),
        Option(name: "lid", value: "LID", meaning: "create: a name for the resource within this document"),
        Option(name: "attribute", value: "NAME=JSON", meaning: "an attribute; a value that is not JSON is taken as text"),
        Option(name: "to-one", value: "NAME=TYPE:ID|null", meaning: "a to-one relationship; TYPE:ID|null for relationship"),
        Option(name: "to-many", value: "NAME=TYPE:ID,ID,…", meaning: "a to-many relationship; TYPE:ID,ID,… for relationship"),
        Option(name: "from", value: "FLAT.json", meaning: "create, update: the fields from a flat JSON object"),
        Option(name: "compact", meaning: "one line without spaces; two spaces a level otherwise"),
        Option(name: "json", meaning: "print an error as a JSON object"),
    ]
    static let details = """
        --attribute, --to-one and --to-many may be given several times; of two with one name the later counts. Nothing
        behind the = of --to-many is an empty relationship. The text of an attribute that looks like JSON is put in
        quotation marks: --attribute 'code="12"'.

        In a flat JSON object the members id and lid are the identity, and type has to be TYPE. A member that is a
        resource identifier, {"type", "id"}, or an array of those, is a relationship; every other member is an
        attribute. Options win over its members.

        The body is checked before it is printed: empty types and ids, names that JSON:API forbids, a name that is both
        attribute and relationship. The exit status is 1 when it is no valid request.
        """
    static let examples = [
        Example("build create articles --attribute title=Hello --to-one author=people:9", "the body of a POST"),
        Example("build update articles 1 --attribute words=120 --to-many tags=tags:1,2", "the body of a PATCH"),
        Example("build relationship --to-many comments:5,12", "the body for a relationship"),
        Example("build create articles --from fields.json", "the fields from a flat JSON object"),
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
            try console.print(String(decoding: request.encoded(by: encoder), as: UTF8.self))
            return .good
        } catch let error as EncodingError {
            throw Fault(encoding: error)
        }
    }
}

extension Fault {
    /// A body that cannot be built.
    fileprivate init(encoding error: EncodingError) {
        guard let failure = error.failure else {
            self.init(file: "jsonapi build", kind: "encoding", message: "\(error)")
            return
        }
        let advice = failure.advice.map { "; \($0)" } ?? ""
        self.init(
            file: "jsonapi build", pointer: failure.pointer, kind: failure.kind.description,
            message: "expected \(failure.expected), found \(failure.found)\(advice)")
    }
}
