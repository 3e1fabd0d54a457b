import JSONText
import Testing

@Suite struct ValidateCommandTests {
    private static let broken = """
        {
          "data": {"type": "articles", "attributes": {"a.b": 1}},
          "links": {"next": "/2"}
        }
        """

    @Test func aValidDocumentPrintsNothing() {
        let run = CommandRun("validate", "-", input: #"{"data": null}"#)
        #expect(run.status == 0)
        #expect(run.output.isEmpty)
        #expect(run.error.isEmpty)
    }

    @Test func everyIssueIsALine() throws {
        try CommandRun.withFile(Self.broken) { file in
            let run = CommandRun("validate", file)
            #expect(run.status == 1)
            #expect(
                run.lines == [
                    "\(file):2:11: error: a resource object without `id`; add `id`, a string [document-structure/resource-objects/id-required] /data",
                    "\(file):2:54: error: a member name with the reserved character `.`; rename the member [document-structure/member-names/reserved-characters] /data/attributes/a.b",
                    "\(file):3:21: warning: a pagination link for data that is not a collection; remove it, or make it null [fetching/pagination/links-location] /links/next",
                    "",
                ])
            #expect(run.error == "jsonapi: 2 errors, 1 warning in 1 file\n")
        }
    }

    @Test func issuesOfManyFilesAsJSON() throws {
        try CommandRun.withFile(#"{"data": []}"#) { good in
            let run = CommandRun("validate", "--json", good, "-", input: #"{"meta": 1}"#)
            #expect(run.status == 1)
            let expected: JSON = [
                ["file": .string(good), "valid": true, "issues": []],
                [
                    "file": "-", "valid": false,
                    "issues": [
                        [
                            "rule": "document-structure/meta/object", "level": "error", "pointer": "/meta",
                            "message": "`meta` is a number; make it an object", "line": 1, "column": 10,
                        ]
                    ],
                ],
            ]
            let output = try run.outputJSON
            #expect(output == expected)
        }
    }

    @Test func warningsDoNotChangeTheStatus() {
        let run = CommandRun("validate", "-", input: #"{"data": null, "links": {"next": "/2"}}"#)
        #expect(run.status == 0)
        #expect(run.output.contains("warning"))
        #expect(CommandRun("validate", "--strict", "-", input: #"{"data": null, "links": {"next": "/2"}}"#).status == 1)
    }

    @Test(arguments: [
        ("response", 1), ("error", 1), ("create", 0), ("update", 1), ("atomic-request", 1), ("atomic-response", 1), ("relationship", 1),
    ]) func theKindSelectsTheRules(_ kind: String, _ status: Int32) {
        let text = #"{"data": {"type": "a", "attributes": {}}}"#
        #expect(CommandRun("validate", "--as", kind, "-", input: text).status == status)
        #expect(CommandRun("validate", "--as=\(kind)", "-", input: text).status == status)
    }

    @Test func theContextCombinesWithOtherOptions() {
        let text = #"{"data": [{"type": "a", "id": "1", "x:y": 1, "attributes": {"n": 1}}], "z:z": 1}"#
        let context = #"{"target": "collection", "extensions": [{"namespace": "z", "uri": "https://a/z"}]}"#
        #expect(CommandRun("validate", "-", input: text).status == 1)
        #expect(CommandRun("validate", "--context", context, "--ext", "x=https://a/x?b=c", "-", input: text).status == 0)
        let query = ["validate", "--context", context, "--ext", "x=https://a/x", "--query", "fields[a]=", "-"]
        #expect(CommandRun(query, input: text).status == 1)
        let single = ["validate", "--context", #"{"target": "single"}"#, "--ext", "x=https://a/x", "--ext", "z=https://a/z", "-"]
        #expect(CommandRun(single, input: text).status == 1)
    }

    @Test func invalidJSONIsAnIssue() {
        let run = CommandRun("validate", "-", input: "{\n]")
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("<stdin>:2:1: error: the text is not JSON: "))
        #expect(run.output.hasSuffix("[json/syntax]\n"))
    }

    @Test func anUnreadableFileDoesNotStopTheOthers() throws {
        try CommandRun.withFile(#"{"meta": 1}"#) { file in
            let run = CommandRun("validate", "/nowhere.json", file)
            #expect(run.status == 2)
            #expect(run.output.contains("document-structure/meta/object"))
            #expect(run.error.contains("no such file"))
            let json = CommandRun("validate", "--json", "/nowhere.json", file)
            #expect(json.status == 2)
            #expect(try json.outputJSON.array?.count == 1)
            let fault = try json.errorJSON
            #expect(fault["kind"]?.string == "unreadableFile")
        }
    }

    @Test(arguments: [
        [], ["--as", "anwser", "-"], ["--ext", "atomic", "-"], ["--ext", "a-b=c", "-"], ["--context", "{", "-"], ["--context", "[]", "-"],
        ["--context", #"{"target": "all"}"#, "-"], ["--level", "-"],
        ["--max-issues", "-1", "-"], ["--max-issues", "many", "-"], ["-", "-"],
    ]) func wrongUsage(_ arguments: [String]) {
        let run = CommandRun(["validate"] + arguments, input: #"{"data": null}"#)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(!run.error.isEmpty)
    }

    @Test(
        "An extension or a profile without a URI is wrong usage",
        arguments: [
            ["--ext", "a="], ["--ext", "a=not a uri"], ["--ext", "a=/ext/a"], ["--ext", "a=example.com"], ["--ext", "a=https://a/ b"],
            ["--profile", ""], ["--profile", "timestamps"], ["--context", #"{"extensions": [{"namespace": "a", "uri": ""}]}"#],
            ["--context", #"{"profiles": ["x y"]}"#],
        ])
    func extensionsAndProfilesHaveURIs(_ arguments: [String]) {
        let run = CommandRun(["validate"] + arguments + ["-"], input: #"{"data": null, "a:x": 1}"#)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains("URI"))
    }

    @Test(
        "A namespace that no extension can have is wrong usage, in the context as in --ext",
        arguments: ["x y", "a-b", "", "é", "a:", "atomic "])
    func namespaces(_ namespace: String) {
        let context = #"{"extensions": [{"namespace": "\#(namespace)", "uri": "https://a/x"}]}"#
        let runs = [["--context", context], ["--ext", "\(namespace)=https://a/x"]].map { options in
            CommandRun(["validate"] + options + ["-"], input: #"{"data": null}"#)
        }
        #expect(runs.allSatisfy { $0.status == 2 && $0.output.isEmpty && $0.error.contains("is not the namespace of an extension") })
        #expect(runs[0].error == runs[1].error)
    }

    @Test(arguments: ["https://a/x?b=c#d", "urn:example:a", "HTTP://a"]) func anyURINamesAnExtension(_ uri: String) {
        #expect(CommandRun("validate", "--ext", "a=\(uri)", "--profile", uri, "-", input: #"{"data": null, "a:x": 1}"#).status == 0)
    }

    @Test func theIssuesOfAllFilesAreCounted() throws {
        try CommandRun.withFile(Self.broken) { file in
            let run = CommandRun("validate", file, file, "-", input: #"{"data": null}"#)
            #expect(run.error == "jsonapi: 4 errors, 2 warnings in 2 files\n")
        }
    }

    @Test func maxIssuesLimitsTheOutputAndCountsTheRest() throws {
        try CommandRun.withFile(Self.broken) { file in
            let run = CommandRun("validate", "--max-issues", "4", file, file)
            #expect(run.status == 1)
            #expect(run.lines.count == 5)
            #expect(run.error == "jsonapi: 4 errors, 2 warnings in 2 files; 2 not printed\n")
            #expect(CommandRun("validate", "--max-issues", "0", file).output.isEmpty)
            let report = try CommandRun("validate", "--max-issues=1", "--json", file).outputJSON[0]
            #expect(report?["issues"]?.array?.count == 1)
            #expect(
                report?["omitted"]
                    == ["document-structure/member-names/reserved-characters": 1, "fetching/pagination/links-location": 1])
        }
    }

    @Test func anUnknownMemberOfTheContextGetsASuggestion() {
        let run = CommandRun("validate", "--context", #"{"targt": "single"}"#, "-", input: #"{"data": null}"#)
        #expect(run.status == 2)
        #expect(run.error.contains("unknown member of --context `targt`; did you mean `target`?"))
    }

    @Test func linesContainNoControlCharacters() {
        let run = CommandRun("validate", "-", input: #"{"data": null, "a\u001b[31m\nb": 1}"#)
        #expect(run.lines.count == 2)
        #expect(!run.output.contains("\u{1B}"))
    }
}
