import Foundation
import JSONText
import Testing

/// Which fields of a model its requests can contain, by the description of the API.
@Suite("jsonapi generate, fields of requests")
struct RequestFieldsTests {
    private static let title = #"{"type": "object", "properties": {"title": {"type": "string"}}}"#

    private static func resource(_ attributes: String, type: String = "articles", others: String = "") -> String {
        #"{"type": "object", "properties": {"type": {"enum": ["\#(type)"]}, "id": {"type": "string"}, "attributes": \#(attributes)\#(others)}}"#
    }

    private static func document(_ data: String) -> String {
        #"{"content": {"application/vnd.api+json": {"schema": {"type": "object", "properties": {"data": \#(data)}}}}}"#
    }

    /// The output for articles with the given attributes in responses, and with these bodies of requests.
    private static func run(
        _ sent: String, post: String? = nil, patch: String? = nil, others: String = "", schemas: String = "{}"
    ) -> CommandRun {
        func operation(_ method: String, _ body: String?) -> String {
            body.map { #", "\#(method)": {"requestBody": \#(document($0)), "responses": {}}"# } ?? ""
        }
        let get = ##""get": {"responses": {"200": \##(document(resource(sent, others: others)))}}"##
        let paths = #"{"/articles/{id}": {\#(get)\#(operation("post", post))\#(operation("patch", patch))}}"#
        return CommandRun("generate", "-", input: OpenAPIGenerateTests.description(schemas, paths: paths))
    }

    @Test(
        "A request body that does not describe its attributes restricts none",
        arguments: [
            #"{"type": "object"}"#, "{}", "true", ##"{"$ref": "#/components/schemas/Nowhere"}"##,
            #"{"oneOf": [{"type": "object"}, {"type": "object", "properties": {"x": {}}}]}"#,
        ])
    func openBodies(attributes: String) {
        let run = Self.run(Self.title, patch: Self.resource(attributes))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("struct Article: Resource {"), "\(run.output)")
        #expect(!run.output.contains("Read-only."))
        // Without known fields, any document can be the body.
        #expect(run.output.contains("struct Update") == attributes.contains("oneOf"))
        #expect(run.output.contains("_ body: some DocumentBody") != attributes.contains("oneOf"))
    }

    @Test("A request body that allows more attributes than it describes restricts none")
    func additionalProperties() {
        let body = #"{"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": true}"#
        #expect(Self.run(Self.title, patch: Self.resource(body)).output.contains("struct Article: Resource {"))
    }

    @Test(
        "A request body that describes its attributes restricts the others",
        arguments: [
            #"{"type": "object", "properties": {"x": {"type": "string"}}}"#, #"{"type": "object", "additionalProperties": false}"#,
            #"{"properties": {"x": {}, "y": {}}, "anyOf": [{"required": ["x"]}, {"required": ["y"]}]}"#,
        ])
    func closedBodies(attributes: String) {
        let run = Self.run(Self.title, patch: Self.resource(attributes))
        #expect(run.output.contains(#"static let readOnlyFields = ["title"]"#), "\(run.output)")
    }

    @Test("An open group of fields does not open the other one")
    func groups() {
        let relationships = #", "relationships": {"type": "object", "properties": {"author": {"properties": {"data": {}}}}}"#
        let body = Self.resource(#"{"type": "object"}"#, others: #", "relationships": {"additionalProperties": false}"#)
        let run = Self.run(Self.title, patch: body, others: relationships)
        #expect(run.output.contains(#"static let readOnlyFields = ["author"]"#), "\(run.output)\(run.error)")
    }

    @Test(
        "A resource without relationships in a request body restricts them, unless it allows members that it does not describe",
        arguments: [
            ("", true), (#""additionalProperties": false, "#, true), (#""additionalProperties": true, "#, false),
            (#""additionalProperties": {}, "#, false),
        ])
    func missingGroups(additional: String, isRestricted: Bool) {
        let relationships = #", "relationships": {"type": "object", "properties": {"author": {"properties": {"data": {}}}}}"#
        let properties = #""properties": {"type""#
        let body = Self.resource(Self.title).replacingOccurrences(of: properties, with: additional + properties)
        let run = Self.run(Self.title, patch: body, others: relationships)
        #expect(run.output.contains(#"static let readOnlyFields = ["author"]"#) == isRestricted, "\(run.output)\(run.error)")
        #expect(run.output.contains("struct Article: Resource {") != isRestricted)
    }

    @Test("A field that only a body with several types, or with an array, has is a field of new resources", arguments: [false, true])
    func severalTypes(isArray: Bool) {
        let slug = #"{"type": "object", "properties": {"title": {"type": "string"}, "slug": {"type": "string"}}}"#
        let both = #"{"oneOf": [\#(Self.resource(slug)), \#(Self.resource(Self.title, type: "notes"))]}"#
        let body = isArray ? #"{"type": "array", "items": \#(Self.resource(slug))}"# : both
        let run = Self.run(slug, post: body, patch: Self.resource(Self.title))
        #expect(run.output.contains(#"static let createOnlyFields = ["slug"]"#), "\(run.output)")
        #expect(!run.output.contains("readOnlyFields"))
        #expect(run.output.contains("_ body: some DocumentBody") && run.output.contains("struct New: ResourceFields"))
    }

    @Test("A body with several schemas of one type restricts only the fields that are in none of them", arguments: ["post", "patch"])
    func severalSchemas(method: String) {
        let text = #"{"type": "object", "properties": {"text": {"type": "string"}}}"#
        let sent = #"{"properties": {"title": {"type": "string"}, "text": {"type": "string"}, "views": {"type": "integer"}}}"#
        let body = #"{"oneOf": [\#(Self.resource(Self.title)), \#(Self.resource(text))]}"#
        let run = Self.run(sent, post: method == "post" ? body : nil, patch: method == "patch" ? body : nil)
        #expect(run.output.contains(#"static let readOnlyFields = ["views"]"#), "\(run.output)\(run.error)")
        #expect(run.output.contains("_ body: Article.\(method == "post" ? "New" : "Update")"))
        for name in ["title", "text"] { #expect(run.lines.filter { $0.contains("var \(name): String?") }.count == 2) }
    }

    @Test("A body with alternatives beside its properties has the fields of all of them, and requires those beside them")
    func alternativesOfResources() {
        let text = #"{"properties": {"attributes": {"required": ["text"], "properties": {"text": {"type": "string"}}}}}"#
        let required = #"{"required": ["title"], "properties": {"title": {"type": "string"}}}"#
        let body = Self.resource(required, others: #"}, "anyOf": [{"required": ["id"]}, \#(text)], "x-end": {"#)
        let sent = #"{"properties": {"title": {"type": "string"}, "text": {"type": "string"}, "views": {"type": "integer"}}}"#
        let run = Self.run(sent, post: body)
        #expect(run.output.contains(#"static let readOnlyFields = ["views"]"#), "\(run.output)\(run.error)")
        #expect(run.lines.contains("        var title: String") && run.lines.contains("        var text: String?"))
    }

    @Test("A field that is read-only is left out of requests, whatever requires it", arguments: ["post", "patch", nil])
    func readOnly(method: String?) {
        let attributes = #"""
            {"type": "object", "required": ["title", "createdAt"],
             "properties": {"title": {"type": "string"}, "createdAt": {"type": "string", "readOnly": true}}}
            """#
        let body = Self.resource(attributes)
        let run = Self.run(attributes, post: method == "post" ? body : nil, patch: method == "patch" ? body : nil)
        #expect(run.output.contains(#"static let readOnlyFields = ["createdAt"]"#), "\(run.output)\(run.error)")
        #expect(run.output.contains("struct Article: Resource, RestrictedFields {"))
        #expect(run.lines.filter { $0.contains("var createdAt") }.count == 1)
        #expect(run.lines.contains("        var title: String") == (method == "post"))
    }

    @Test("A field that is write-only is optional, because responses do not have it")
    func writeOnly() {
        let attributes = #"{"type": "object", "required": ["secret"], "properties": {"secret": {"type": "string", "writeOnly": true}}}"#
        let run = Self.run(attributes, post: Self.resource(attributes))
        #expect(run.lines.contains("    var secret: String?"), "\(run.output)")
        #expect(run.lines.contains("        var secret: String"))
    }

    @Test("A member inside of an attribute that a request must have, but that can be null, is a Field in the request")
    func requiredNull() {
        let zip = #"{"type": ["string", "null"]}"#
        let address = #"{"type": "object", "required": ["zip"], "properties": {"zip": \#(zip), "city": \#(zip)}}"#
        let attributes = #"{"type": "object", "properties": {"address": \#(address), "others": {"type": "array", "items": \#(address)}}}"#
        let run = Self.run(attributes, post: Self.resource(attributes), patch: Self.resource(attributes))
        #expect(run.lines.filter { $0 == "            var zip: Field<String>" }.count == 4, "\(run.output)\(run.error)")
        #expect(run.lines.filter { $0 == "            @EmptyAsNil var city: String? = nil" }.count == 4)
        #expect(run.lines.filter { $0 == "        @EmptyAsNil var zip: String? = nil" }.count == 2)
    }

    @Test("A URI reference that is required stays that in requests, where the model has an optional for the empty one")
    func requiredReferences() {
        let site = #"{"type": "string", "format": "uri-reference"}"#
        let part =
            #"{"type": "object", "required": ["site"], "properties": {"site": \#(site), "code": {"type": "string", "readOnly": true}}}"#
        let attributes = #"{"type": "object", "required": ["link"], "properties": {"link": \#(site), "part": \#(part)}}"#
        let run = Self.run(attributes, post: Self.resource(attributes))
        #expect(run.lines.contains("    @EmptyAsNil var link: URL? = nil"), "\(run.output)\(run.error)")
        #expect(run.lines.contains("        @EmptyAsNil var site: URL? = nil"))
        #expect(run.lines.contains("        var link: URL") && run.lines.contains("            var site: URL"))
    }

    /// An address with a member that only the server writes, and one that only the client writes.
    private static let address = #"""
        {"type": "object", "required": ["street", "geohash", "code"], "properties": {"street": {"type": "string"},
          "geohash": {"type": "string", "readOnly": true}, "code": {"type": "string", "writeOnly": true}}}
        """#

    @Test(
        "Inside of an attribute, a read-only member is left out of requests, and a write-only one is required there",
        arguments: [
            address, ##"{"$ref": "#/components/schemas/Address"}"##,
            ##"{"type": "array", "items": {"$ref": "#/components/schemas/Address"}}"##,
            ##"{"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Address"}}"##,
            ##"{"$ref": "#/components/schemas/Person"}"##,
        ])
    func oneSidedMembers(schema: String) {
        let attributes = #"{"type": "object", "properties": {"homes": \#(schema)}}"#
        let person = ##"{"type": "object", "properties": {"name": {"type": "string"}, "home": {"$ref": "#/components/schemas/Address"}}}"##
        let run = Self.run(
            attributes, post: Self.resource(attributes), patch: Self.resource(attributes),
            schemas: #"{"Address": \#(Self.address), "Person": \#(person)}"#)
        let lines = run.lines.map { $0.trimmingCharacters(in: .whitespaces) }
        // In the model, and in the fields of the two requests.
        #expect(lines.filter { $0 == "var street: String" }.count == 3, "\(run.output)\(run.error)")
        #expect(lines.filter { $0.contains("var geohash") } == ["var geohash: String"])
        #expect(lines.filter { $0 == "var code: String" }.count == 2)
        #expect(lines.filter { $0 == "var code: String?" }.count == 1)
    }

    @Test("A component with the same members in requests and responses is one type")
    func sharedComponents() {
        let attributes = ##"{"type": "object", "properties": {"size": {"$ref": "#/components/schemas/Size"}}}"##
        let size = #"{"type": "object", "required": ["width"], "properties": {"width": {"type": "integer"}}}"#
        let run = Self.run(
            attributes, post: Self.resource(attributes), patch: Self.resource(attributes), schemas: #"{"Size": \#(size)}"#)
        #expect(run.lines.filter { $0.contains("var width: Int") } == ["    var width: Int"], "\(run.output)\(run.error)")
        #expect(run.lines.filter { $0.contains("var size: Size?") }.count == 3)
    }

    @Test("An object with nothing that a client writes is any object in requests, and a component that contains itself ends")
    func requestsWithoutMembers() {
        let stamp = #"{"type": "object", "properties": {"at": {"type": "string", "readOnly": true}}}"#
        let children = ##"{"type": "array", "items": {"$ref": "#/components/schemas/Node"}}"##
        let node = #"{"type": "object", "properties": {"id": {"type": "string", "readOnly": true}, "children": \#(children)}}"#
        let attributes = ##"{"type": "object", "properties": {"stamp": \##(stamp), "root": {"$ref": "#/components/schemas/Node"}}}"##
        let run = Self.run(attributes, post: Self.resource(attributes), schemas: #"{"Node": \#(node)}"#)
        #expect(run.lines.contains("        var stamp: JSONObject?"), "\(run.output)\(run.error)")
        #expect(run.lines.contains("            var children: [JSON]?"))
        #expect(run.lines.contains("    var children: [Node]?"))
    }

    // MARK: - Paths and media types

    @Test(
        "Only behind a variable does `relationships` make the path that of a relationship",
        arguments: [
            ("/relationships/{id}", false), ("/api/relationships/{id}", false), ("/articles/{id}/relationships/notes", true),
            ("/relationships/{id}/relationships/notes", true), ("/articles/{id}/relationships", false),
        ])
    func linkage(path: String, expected: Bool) {
        let body = Self.document(Self.resource(Self.title))
        let paths =
            #"{"\#(path)": {"get": {"responses": {"200": \#(body)}}, "patch": {"requestBody": \#(body), "responses": {"200": \#(body)}}}}"#
        let run = CommandRun(
            "generate", "-", input: OpenAPIGenerateTests.description(#"{"A": \#(Self.resource(Self.title))}"#, paths: paths))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("Document<ResourceIdentifier>") == expected, "\(run.output)")
        #expect(run.output.contains("Document<Article>") != expected)
    }

    @Test("A request with atomic operations keeps the media type with its extension")
    func atomicMediaType() {
        func body(_ mediaType: String) -> String {
            #"{"content": {"\#(mediaType)": {"schema": {"properties": {"atomic:operations": {}, "atomic:results": {}}}}}}"#
        }
        let list = Self.document(Self.resource(Self.title)).replacingOccurrences(of: "vnd.api+json", with: "json")
        let get = #"{"get": {"responses": {"200": \#(list)}}}"#
        for (mediaType, isPlain) in [
            (#"application/vnd.api+json; ext=\"https://jsonapi.org/ext/atomic\""#, false), ("application/json", true),
        ] {
            let post = #"{"post": {"requestBody": \#(body(mediaType)), "responses": {"200": \#(body(mediaType))}}}"#
            let paths = #"{"/a": \#(get), "/b": \#(get), "/operations": \#(post)}"#
            let run = CommandRun("generate", "-", input: OpenAPIGenerateTests.description("{}", paths: paths))
            #expect(run.output.contains("AtomicOperations"), "\(run.error)")
            for field in ["Accept", "Content-Type"] {
                #expect(run.output.contains(#"request.headers["\#(field)"] = "application/json""#) == isPlain, "\(run.output)")
                #expect(!run.output.contains(#"request.headers["\#(field)"] = "application/vnd"#))
            }
        }
    }
}
