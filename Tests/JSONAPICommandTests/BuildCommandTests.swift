import Foundation
import JSONText
import Testing

@Suite struct BuildCommandTests {
    @Test("The example of the older builder's manual")
    func example() throws {
        let run = CommandRun("build", "create", "projects", "--attribute", "title=Test Project", "--to-one", "users=users:4")
        #expect(run.status == 0 && run.error.isEmpty)
        #expect(
            run.output == """
                {
                  "data": {
                    "type": "projects",
                    "attributes": {
                      "title": "Test Project"
                    },
                    "relationships": {
                      "users": {
                        "data": {
                          "type": "users",
                          "id": "4"
                        }
                      }
                    }
                  }
                }

                """)
    }

    private func compact(_ arguments: [String]) -> String {
        let run = run(["build", "--compact"] + arguments)
        #expect(run.status == 0, "\(run.error)")
        return run.output.trimmingCharacters(in: .newlines)
    }

    private func run(_ arguments: [String], input: String = "") -> CommandRun { CommandRun(arguments, input: input) }

    @Test(
        "Values that are JSON are JSON, and others are text",
        arguments: [
            ("12", "12"), ("1.50", "1.50"), ("true", "true"), ("null", "null"), (#""12""#, #""12""#), (#"{"a":[1]}"#, #"{"a":[1]}"#),
            ("[", #""[""#), ("a=b", #""a=b""#), ("", #""""#), (" 1", "1"), ("1 2", #""1 2""#), ("é", #""é""#), ("NaN", #""NaN""#),
        ])
    func values(_ text: String, _ json: String) {
        #expect(compact(["create", "x", "--attribute", "v=\(text)"]) == #"{"data":{"type":"x","attributes":{"v":\#(json)}}}"#)
    }

    @Test(
        "A field with = is text, and one with := is JSON",
        arguments: [
            ("v=12", #""12""#), ("v=null", #""null""#), ("v=", #""""#), ("v=a=b", #""a=b""#), ("v:=12", "12"), ("v:=null", "null"),
            (#"v:={"a":[1]}"#, #"{"a":[1]}"#), (#"v:="12""#, #""12""#),
        ])
    func fields(_ field: String, _ json: String) {
        #expect(compact(["create", "x", field]) == #"{"data":{"type":"x","attributes":{"v":\#(json)}}}"#)
        #expect(compact(["update", "x", "1", field]) == #"{"data":{"type":"x","id":"1","attributes":{"v":\#(json)}}}"#)
    }

    @Test(
        "A field of another form is wrong usage",
        arguments: [["create", "x", "title"], ["create", "x", "v:=tru"], ["create", "x", "v:="], ["relationship", "a=b"]])
    func wrongFields(_ arguments: [String]) {
        let run = run(["build"] + arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
    }

    @Test("Identities and all forms of relationships")
    func forms() {
        #expect(compact(["create", "x"]) == #"{"data":{"type":"x"}}"#)
        #expect(compact(["create", "x", "--id", "1"]) == #"{"data":{"type":"x","id":"1"}}"#)
        #expect(compact(["create", "x", "--lid=l"]) == #"{"data":{"type":"x","lid":"l"}}"#)
        #expect(compact(["update", "x", "1", "--attribute", "a=1"]) == #"{"data":{"type":"x","id":"1","attributes":{"a":1}}}"#)
        #expect(
            compact(["update", "x", "1", "--to-one", "a=null", "--to-many", "b=", "--to-many", "c=t:1,2", "--to-one", "d=t:a:b"])
                == #"{"data":{"type":"x","id":"1","relationships":{"a":{"data":null},"b":{"data":[]},"#
                + #""c":{"data":[{"type":"t","id":"1"},{"type":"t","id":"2"}]},"d":{"data":{"type":"t","id":"a:b"}}}}}"#)
        #expect(compact(["relationship", "--to-one", "t:1"]) == #"{"data":{"type":"t","id":"1"}}"#)
        #expect(compact(["relationship", "--to-one", "null"]) == #"{"data":null}"#)
        #expect(compact(["relationship", "--to-many", ""]) == #"{"data":[]}"#)
        #expect(compact(["relationship", "--to-many", "t:1,2"]) == #"{"data":[{"type":"t","id":"1"},{"type":"t","id":"2"}]}"#)
        #expect(compact(["create", "x", "--attribute", "a=1", "--attribute", "a=2"]) == #"{"data":{"type":"x","attributes":{"a":2}}}"#)
    }

    @Test(
        "Of several values for a name, the last one counts, in whatever form it is given",
        arguments: [
            (["--attribute", "a=1", "a=2"], #""attributes":{"a":"2"}"#), (["a=1", "--attribute", "a=2"], #""attributes":{"a":2}"#),
            (["--attribute=a=1", "--", "a:=2"], #""attributes":{"a":2}"#),
            (["--to-many", "r=t:1", "--to-one", "r=t:2"], #""relationships":{"r":{"data":{"type":"t","id":"2"}}}"#),
            (["--to-one", "r=t:1", "--to-many", "r=t:2"], #""relationships":{"r":{"data":[{"type":"t","id":"2"}]}}"#),
        ])
    func lastValues(_ fields: [String], _ members: String) {
        #expect(compact(["create", "x"] + fields) == #"{"data":{"type":"x",\#(members)}}"#)
        #expect(compact(["update", "x", "1"] + fields) == #"{"data":{"type":"x","id":"1",\#(members)}}"#)
    }

    @Test("A name that is both an attribute and a relationship is an error, also beside a flat object")
    func bothKinds() throws {
        for fields in [["a=1", "--to-one", "a=null"], ["--to-one", "a=null", "a=1"]] {
            let run = run(["build", "create", "x", "--json", "--from", "-"] + fields, input: #"{"b":1}"#)
            #expect(run.status == 1)
            #expect(try run.errorJSON["kind"]?.string == "duplicateName")
        }
    }

    @Test("The body for a relationship takes one value, and the error for two says so")
    func twoLinkages() {
        let both = run(["build", "relationship", "--to-one", "t:1", "--to-many", "t:2"])
        #expect(both.status == 2 && both.error.contains("takes --to-one or --to-many, not both"))
        #expect(run(["build", "relationship"]).error.contains("needs --to-one or --to-many"))
    }

    @Test("A flat object has identity, attributes, and relationships; options take precedence")
    func flat() throws {
        let text = #"{"title":"T","id":"7","author":{"type":"people","id":"9"},"tags":[{"type":"tags","id":"a"}],"list":[],"n":null}"#
        try CommandRun.withFile(text, named: "flat.json") { path in
            #expect(
                compact(["create", "articles", "--from", path])
                    == #"{"data":{"type":"articles","id":"7","attributes":{"title":"T","list":[],"n":null},"relationships":{"author":"#
                    + #"{"data":{"type":"people","id":"9"}},"tags":{"data":[{"type":"tags","id":"a"}]}}}}"#)
            #expect(
                compact([
                    "create", "articles", "--from", path, "--id", "8", "--attribute", "title=U", "--attribute", "author=text", "--to-one",
                    "list=x:1",
                ])
                    == #"{"data":{"type":"articles","id":"8","attributes":{"title":"U","n":null,"author":"text"},"relationships":"#
                    + #"{"tags":{"data":[{"type":"tags","id":"a"}]},"list":{"data":{"type":"x","id":"1"}}}}}"#)
            #expect(compact(["update", "articles", "3", "--from", path]).hasPrefix(#"{"data":{"type":"articles","id":"3","#))
        }
        try CommandRun.withFile(#"{"id":"1","lid":"2"}"#, named: "flat.json") { path in
            #expect(compact(["create", "articles", "--from", path, "--lid", "3"]) == #"{"data":{"type":"articles","lid":"3"}}"#)
        }
        let piped = run(["build", "create", "a", "--from", "-", "--compact"], input: #"{"type":"a","x":1}"#)
        #expect(piped.output == "{\"data\":{\"type\":\"a\",\"attributes\":{\"x\":1}}}\n")
    }

    @Test(
        "An invalid request is status 1, with its place",
        arguments: [
            (["create", ""], "missingIdentity", "/data"), (["create", "a/"], "illegalName", "/data/type"),
            (["create", "a", "--id", ""], "missingIdentity", "/data/id"), (["update", "a", ""], "missingIdentity", "/data/id"),
            (["create", "a", "--attribute", "id=1"], "illegalName", "/data/attributes/id"),
            (["create", "a", "--attribute", "=1"], "illegalName", "/data/attributes/"),
            (["create", "a", "--attribute", "x=1", "--to-one", "x=null"], "duplicateName", "/data/relationships/x"),
            (["create", "a", "--to-one", "x=t:"], "missingIdentity", "/data/relationships/x/data"),
            (["create", "a", "--to-many", "x=t:1,,2"], "missingIdentity", "/data/relationships/x/data"),
            (["relationship", "--to-one", ":1"], "missingIdentity", "/data"),
        ])
    func refused(_ arguments: [String], _ kind: String, _ pointer: String) throws {
        let run = run(["build", "--json"] + arguments)
        #expect(run.status == 1 && run.output.isEmpty)
        let error = try run.errorJSON
        #expect(error["kind"]?.string == kind && error["pointer"]?.string == pointer)
        let plain = self.run(["build"] + arguments)
        #expect(plain.error.contains("error: ") && plain.error.split(separator: "\n").count == 1)
    }

    @Test(
        "An error has a cure that the arguments can follow",
        arguments: [
            (["create", "a", "a.b=1"], "rename it"), (["create", "a", "type=1"], "rename it"),
            (["create", "a", "x=1", "--to-one", "x=null"], "rename one of them"),
            (["update", "a", ""], "give each type, id and lid at least one character"),
            (["create", "a", "--to-one", "x=t:"], "give each type, id and lid at least one character"),
        ])
    func cures(_ arguments: [String], _ cure: String) {
        let error = run(["build"] + arguments).error
        #expect(error.contains("; \(cure)"), "\(error)")
        #expect(!["checksNames", "coding key", "Create"].contains { error.contains($0) }, "\(error)")
    }

    @Test(
        "A body that validate refuses is not printed",
        arguments: [["create", "a"], ["update", "a", "1"], ["create", "a", "--lid", "q"]])
    func unknownLocalID(_ arguments: [String]) throws {
        let run = run(["build", "--json", "--from", "-"] + arguments, input: #"{"l":{"type":"x","lid":"q"}}"#)
        #expect(run.status == 1 && run.output.isEmpty)
        let error = try run.errorJSON
        #expect(error["kind"] == "document-structure/resource-identifier-objects/lid-for-new-resource")
        #expect(error["pointer"] == "/data/relationships/l/data/lid")
    }

    @Test(
        "A type that JSON:API forbids is refused in linkage as well",
        arguments: [
            ["create", "a:b"], ["create", "a", "--to-one", "x=a/:1"], ["update", "a", "1", "--to-many", "x=-:1,2"],
            ["relationship", "--to-one", "a b :1"], ["relationship", "--to-many", "@a:1"],
        ])
    func types(_ arguments: [String]) {
        let run = run(["build"] + arguments)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.error.contains("error: "))
    }

    @Test("A resource can refer to itself by its lid, and a field can have the name of an extension member")
    func validBodies() {
        let itself = run(["build", "create", "a", "--compact", "--from", "-"], input: #"{"lid":"q","parent":{"type":"a","lid":"q"}}"#)
        #expect(
            itself.output
                == #"{"data":{"type":"a","lid":"q","relationships":{"parent":{"data":{"type":"a","lid":"q"}}}}}"# + "\n")
        #expect(compact(["create", "a", "audit:by=me"]) == #"{"data":{"type":"a","attributes":{"audit:by":"me"}}}"#)
        #expect(compact(["create", "a", "atomic=me"]) == #"{"data":{"type":"a","attributes":{"atomic":"me"}}}"#)
    }

    @Test("A field in the namespace of Atomic Operations is blamed itself, because the body is none of its documents")
    func atomicField() {
        let run = run(["build", "create", "a", "atomic:x=1"])
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.error.contains("/data/attributes/atomic:x"))
    }

    @Test(
        "A second type in --to-many is wrong usage, and the error names the form for it",
        arguments: [
            ["create", "a", "--to-many", "t=people:1,dogs:2"], ["update", "a", "1", "--to-many", "t=people:1,people:2"],
            ["relationship", "--to-many", "people:1,dogs:2"], ["relationship", "--to-many", "t:urn:a,urn:b"],
            ["create", "a", "--to-many", "t=[1]"], ["relationship", "--to-many", "["],
        ])
    func secondType(_ arguments: [String]) {
        let run = run(["build"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains("JSON array"))
    }

    @Test("A JSON array in --to-many can have several types, and ids with commas and colons")
    func identifiersAsJSON() {
        let text = #"[{"type":"people","id":"1,2"},{"type":"dogs","id":"urn:a"}]"#
        #expect(compact(["relationship", "--to-many", text]) == #"{"data":\#(text)}"#)
        #expect(
            compact(["create", "a", "--to-many", "t=\(text)"]) == #"{"data":{"type":"a","relationships":{"t":{"data":\#(text)}}}}"#)
        #expect(compact(["relationship", "--to-many", "[]"]) == #"{"data":[]}"#)
        #expect(
            compact(["relationship", "--to-many", "t:urn:a,b"]) == #"{"data":[{"type":"t","id":"urn:a"},{"type":"t","id":"b"}]}"#)
        #expect(run(["build", "relationship", "--to-many", #"[{"type":"t"}]"#]).status == 1)
    }

    @Test(
        "Wrong usage ends with status 2 and a hint",
        arguments: [
            [], ["make"], ["create"], ["create", "a", "b"], ["update", "a"], ["relationship"], ["relationship", "x", "--to-one", "t:1"],
            ["relationship", "--to-one", "t:1", "--to-many", "t:1"], ["create", "a", "--id", "1", "--lid", "2"],
            ["update", "a", "1", "--id", "2"], ["update", "a", "title=x"], ["relationship", "--to-one", "t:1", "--attribute", "a=1"],
            ["create", "a", "--attribute", "x"],
            ["create", "a", "--to-one", "x"], ["create", "a", "--to-one", "x=1"], ["relationship", "--to-one", "1"],
            ["create", "a", "--what"],
        ])
    func usage(_ arguments: [String]) {
        let run = run(["build"] + arguments)
        #expect(run.status == 2 && run.output.isEmpty && !run.error.isEmpty)
    }

    @Test(
        "The error for an invalid flat file has its name and place",
        arguments: [
            ("[1]", 1, "wrongType"), (#"{"a":"#, 1, "unexpectedEnd"), (#"{"type":"b"}"#, 1, "unexpectedType"),
            (#"{"id":1.5}"#, 1, "wrongType"),
            (#"{"lid":7}"#, 1, "wrongType"), (#"{"lid":"2","id":"1"}"#, 1, "documentStructure"),
        ])
    func unusableFiles(_ text: String, _ status: Int32, _ kind: String) throws {
        let run = run(["build", "create", "a", "--json", "--from", "-"], input: text)
        #expect(run.status == status && run.output.isEmpty)
        #expect(try run.errorJSON["kind"]?.string == kind)
    }

    @Test("A flat file with an id and a lid is refused at its lid")
    func twoIdentities() throws {
        let run = run(["build", "create", "a", "--json", "--from", "-"], input: #"{"id":"1","lid":"2"}"#)
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(try run.errorJSON["pointer"]?.string == "/lid")
    }

    @Test("A missing file is status 2")
    func missingFile() {
        #expect(run(["build", "create", "a", "--from", "/nowhere.json"]).status == 2)
    }
}
