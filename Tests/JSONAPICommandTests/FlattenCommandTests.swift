import JSONText
import Testing

@Suite("jsonapi flatten")
struct FlattenCommandTests {
    static let posts = #"""
        {"links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"}},
         "posts": [{"id": "1", "links": {"author": "9"}}, {"id": "2", "links": {"author": "10"}}], "people": [{"id": "9"}]}
        """#

    @Test("A document with URI templates becomes a tree")
    func templates() {
        let run = CommandRun("flatten", "--compact", "-", input: Self.posts)
        #expect(run.status == 0)
        #expect(
            run.output
                == #"{"posts":[{"id":"1","author":{"id":"9","href":"/people/9"}},{"id":"2","author":{"id":"10","href":"/people/10"}}]}"#
                + "\n")
        #expect(run.error.isEmpty)
    }

    @Test("A document of 1.1 becomes an indented tree")
    func document() {
        let run = CommandRun(
            "flatten", "-",
            input: #"""
                {"data": {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "2"}}}},
                 "included": [{"type": "b", "id": "2", "attributes": {"n": 1.50}}]}
                """#)
        #expect(run.status == 0)
        #expect(
            run.output == """
                {
                  "data": {
                    "type": "a",
                    "id": "1",
                    "b": {
                      "type": "b",
                      "id": "2",
                      "n": 1.50
                    }
                  }
                }

                """)
    }

    @Test("Fields that collide with a member are errors, or get a longer name")
    func conflicts() {
        let document = #"""
            {"data": {"type": "a", "id": "1", "attributes": {"type": "wide", "id": 7, "attributes.id": 8, "n": 1},
                      "relationships": {"lid": {"data": null}, "links": {"data": {"type": "b", "id": "2"}}}, "links": {"up": "/"}}}
            """#
        let refused = CommandRun("flatten", "-", input: document)
        #expect(refused.status == 1)
        #expect(refused.error.contains("/data/attributes/type") && refused.error.contains("/data/relationships/links"))
        #expect(
            CommandRun("flatten", "--compact", "--conflicts", "keep", "-", input: document).output
                == #"{"data":{"type":"a","id":"1","links":{"up":"/"},"attributes.type":"wide","attributes.id":7,"#
                + #""attributes.attributes.id":8,"n":1,"lid":null,"relationships.links":{"type":"b","id":"2"}}}"# + "\n")
    }

    @Test("In a document with URI templates, a relation with the name of a member is an error, and the help says so")
    func conflictsWithTemplates() {
        let document = #"{"links": {"posts.log": "/log"}, "posts": [{"id": "1", "log": 1}]}"#
        let run = CommandRun("flatten", "--conflicts", "keep", "-", input: document)
        #expect(run.status == 1 && run.error.contains("(/posts/0/log)"), "\(run.error)")
        #expect(CommandRun("flatten", "--help").output.contains("a relation with the name of a member is always an error"))
    }

    @Test("A longer name that another relationship has is an error", arguments: [true, false])
    func takenNames(isLater: Bool) {
        let relationships = [#""x": {"data": {"type": "b", "id": "1"}}"#, #""relationships.x": {"data": {"type": "c", "id": "1"}}"#]
        let document = #"""
            {"data": {"type": "a", "id": "1", "attributes": {"x": 1},
                      "relationships": {\#((isLater ? relationships : relationships.reversed()).joined(separator: ", "))}}}
            """#
        let run = CommandRun("flatten", "--conflicts", "keep", "-", input: document)
        #expect(run.status == 1)
        #expect(run.error.contains("(/data/relationships/x)"))
    }

    @Test("--missing and --primary configure the expander")
    func options() {
        #expect(
            CommandRun("flatten", "--compact", "--missing", "omit", "--primary", "people", "--primary", "posts", "-", input: Self.posts)
                .output
                == #"{"posts":[{"id":"1","author":{"id":"9","href":"/people/9"}},{"id":"2"}],"people":[{"id":"9"}]}"# + "\n")
        let run = CommandRun("flatten", "--missing=error", "-", input: Self.posts)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.error == "<stdin>:2:83: error: the document does not contain the resource of this id (/posts/1/links/author)\n")
    }

    @Test("All problems are reported, and as JSON one in each line")
    func problems() throws {
        let input = #"{"data": [{"type": "a", "attributes": {"x": 1}, "relationships": {"x": {"data": null}, "y": 1}}]}"#
        let text = CommandRun("flatten", "-", input: input)
        #expect(text.status == 1)
        #expect(text.error.split(separator: "\n").count == 2)
        let lines = CommandRun("flatten", "--json", "-", input: input).error.split(separator: "\n")
        let errors = try lines.map { try JSON(parsing: String($0)) }
        #expect(errors.map { $0["kind"]?.string } == ["nameConflict", "typeMismatch"])
        #expect(errors.map { $0["pointer"]?.string } == ["/data/0/relationships/x", "/data/0/relationships/y"])
        #expect(errors.allSatisfy { $0["line"]?.int == 1 && $0["column"]?.int != nil })
    }

    @Test("A misspelled option is wrong usage, and a misspelled collection is status 1")
    func slips() {
        let missing = CommandRun("flatten", "--missing", "stubs", "-", input: "{}")
        #expect(missing.status == 2)
        #expect(missing.error.contains("did you mean `stub`?"))
        let primary = CommandRun("flatten", "--primary", "post", "-", input: Self.posts)
        #expect(primary.status == 1)
        #expect(primary.error.contains("the document has no collection `post`; did you mean `posts`?"))
    }

    @Test(
        "Another kind of document is status 1", arguments: ["[]", "1", "{}", #"{"type": "a"}"#])
    func noDocument(text: String) {
        let run = CommandRun("flatten", "-", input: text)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("<stdin>:") || run.error.contains(": error: "))
    }

    @Test(
        "A document with nothing to expand is unchanged",
        arguments: [
            #"{"data":null}"#, #"{"errors":[{"status":"404"}]}"#, #"{"meta":{"n":1}}"#, #"{"posts":[{"id":"1","links":{"a":"9"}}]}"#,
        ])
    func identity(text: String) {
        #expect(CommandRun("flatten", "--compact", "-", input: text).output == text + "\n")
    }

    @Test("Invalid JSON is reported with its place")
    func syntaxError() {
        #expect(CommandRun("flatten", "-", input: "{\n\"data\": [}").error.hasPrefix("<stdin>:2:10: error: "))
    }

    @Test("A tree that is too deep is an error")
    func deep() throws {
        let included = (1..<600).map { #"{"type":"a","id":"\#($0)","relationships":{"b":{"data":{"type":"a","id":"\#($0 + 1)"}}}}"# }
        let first = #"{"type":"a","id":"0","relationships":{"b":{"data":{"type":"a","id":"1"}}}}"#
        let run = CommandRun("flatten", "--json", "-", input: #"{"data":\#(first),"included":[\#(included.joined(separator: ","))]}"#)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(try run.errorJSON["kind"]?.string == "depthLimit")
    }

    @Test("The error for a tree that is too large advises what a user of the command can do")
    func tooLarge() {
        let resources = (0..<30).map { number in
            let next = #"{"data": {"type": "a", "id": "\#(number + 1)"}}"#
            return #"{"type": "a", "id": "\#(number)", "relationships": {"x": \#(next), "y": \#(next)}}"#
        }
        let text = #"{"data": \#(resources[0]), "included": [\#(resources.dropFirst().joined(separator: ", "))]}"#
        let run = CommandRun("flatten", "-", input: text)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.error.contains("256 MiB") && run.error.contains("leave out resources to which many others refer"))
        #expect(!run.error.contains("maximumSize") && !run.error.contains("ToOne"))
    }

    @Test func `a small tree with very much indentation is an error, and is written on one line`() {
        func resource(_ type: String, _ id: Int, _ members: String) -> String { #"{"type": "\#(type)", "id": "\#(id)", \#(members)}"# }
        func relation(_ data: String) -> String { #""relationships": {"r": {"data": \#(data)}}"# }
        func copies(_ id: Int) -> String {
            relation("[" + Array(repeating: #"{"type": "b", "id": "\#(id)"}"#, count: 40).joined(separator: ", ") + "]")
        }
        let attributes = (0..<200).map { #""a\#($0)": 1"# }.joined(separator: ", ")
        let chain = (0..<490).map { resource("a", $0, relation(#"{"type": "a", "id": "\#($0 + 1)"}"#)) }
        let leaf = resource("b", 2, #""attributes": {\#(attributes)}"#)
        let included = Array(chain.dropFirst()) + [resource("a", 490, copies(1)), resource("b", 1, copies(2)), leaf]
        let text = #"{"data": \#(chain[0]), "included": [\#(included.joined(separator: ", "))]}"#
        let run = CommandRun("flatten", "-", input: text)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.error.contains("256 MiB") && run.error.contains("use --compact"))
        #expect(CommandRun("flatten", "--compact", "-", input: text).status == 0)
    }
}
