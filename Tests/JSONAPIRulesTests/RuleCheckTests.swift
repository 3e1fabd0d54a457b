import JSONAPIRules
import JSONText
import Testing

@Suite struct RuleCheckTests {
    /// The findings as `rule break pointer`, and the parts that remain to be checked.
    private func found(_ json: String, _ check: (inout RuleCheck) -> Void) throws -> [String] {
        var options = JSONReadingOptions()
        options.duplicateNames = .keep
        return try Tape.with(Array(json.utf8).span, options: options) { tape in
            var ruleCheck = RuleCheck(tape.view)
            check(&ruleCheck)
            return ruleCheck.findings.map { finding in
                let place = tape.view.pointer(to: finding.word).description
                return switch finding.content {
                case .broken(let rule, let how): "\(rule) \(how) \(place)"
                case .other: "other \(place)"
                case .meta: "meta \(place)"
                case .extensionURI: "extension \(place)"
                case .extensionField: "extension field \(place)"
                case .localIdentifier: "local \(place)"
                case .repeatedIdentifier: "repeated \(place)"
                }
            }
        }
    }

    private func links(_ json: String, of place: LinksPlace = .document(data: 0)) throws -> [String] {
        try found(json) { $0.checkLinks($0.view.root, of: place) }
    }

    private func errors(_ json: String) throws -> [String] { try found(json) { $0.checkErrors($0.view.root) } }

    @Test func validLinksHaveNoFindings() throws {
        #expect(
            try links(
                #"{"self": "/a", "related": null, "next": {"href": "/b", "rel": "next", "title": "", "type": "a/b", "hreflang": ["en"]}}"#
            ).isEmpty)
    }

    @Test(arguments: [
        (#"{"self": 7}"#, ["linkRepresentation kind /self"]),
        (#"{"self": "a b"}"#, ["linkRepresentation text /self"]),
        (#"{"self": {}}"#, ["linkReference missing /self"]),
        (#"{"self": {"href": 7}}"#, ["linkReference kind /self/href"]),
        (#"{"self": {"href": "", "rel": "a b"}}"#, ["relationType text /self/rel"]),
        (#"{"self": {"href": "", "hreflang": 7}}"#, ["languageString kind /self/hreflang"]),
        (
            #"{"self": {"href": "", "hreflang": ["en", 7, "_"]}}"#,
            ["languageString element /self/hreflang/1", "languageTag text /self/hreflang/2"]
        ),
        (#"{"self": {"href": "", "describedby": {"href": "", "describedby": []}}}"#, ["describingLink kind /self/describedby/describedby"]),
        (#"{"self": {"href": "", "x": 1, "meta": 7}}"#, ["other /self/x", "metaObject kind /self/meta"]),
        (#"{"previous": 7, "about": 7}"#, ["other /previous", "other /about"]),
    ])
    func anInvalidLinkIsOneFinding(_ json: String, _ findings: [String]) throws {
        #expect(try links(json) == findings)
    }

    @Test func theLastOfARepeatedNameIsChecked() throws {
        #expect(try links(#"{"self": 7, "self": "/a"}"#).isEmpty)
        #expect(try errors(#"[{"status": 7, "status": "404"}]"#).allSatisfy { !$0.hasPrefix("errorStatus ") })
    }

    @Test func theJSONAPIObjectMustHaveURIs() throws {
        let findings = try found(#"{"version": 1, "ext": ["https://a.b/c", "/c", 7], "profile": "x", "meta": {}, "y": 1}"#) {
            $0.checkJSONAPIObject($0.view.root)
        }
        #expect(
            findings == [
                "versionString kind /version", "extension /ext/0", "extensionURIs text /ext/1", "extensionURIs element /ext/2",
                "profileURIs kind /profile", "other /y",
            ])
    }

    @Test(arguments: [
        (#"{}"#, ["errorsArray kind "]),
        (#"["x"]"#, ["errorsArray element /0"]),
        (#"[{"@a": 1}]"#, ["other /0/@a", "errorMember missing /0"]),
        (#"[{"status": "042"}]"#, ["errorStatus text /0/status", "errorPointer missing /0"]),
        (#"[{"title": 7}]"#, ["errorTitle kind /0/title", "errorStatusPresent missing /0", "errorPointer missing /0"]),
        (#"[{"status": "404", "source": {}}]"#, ["errorSourceMember missing /0/source", "errorPointer missing /0"]),
        (#"[{"status": "404", "source": {"pointer": "x"}}]"#, ["errorPointer text /0/source/pointer"]),
        (#"[{"status": "404", "source": 7, "links": 7}]"#, ["errorSource kind /0/source", "linksObject kind /0/links"]),
    ])
    func anInvalidErrorObjectHasItsPlace(_ json: String, _ findings: [String]) throws {
        #expect(try errors(json) == findings)
    }

    @Test func errorIDsAreUnique() throws {
        let source = #""status": "404", "source": {"pointer": ""}"#
        #expect(
            try errors(#"[{"id": "1", \#(source)}, {"id": "1", \#(source)}, {"id": 1, \#(source)}]"#) == [
                "errorID kind /2/id", "errorID repeated /1/id",
            ])
    }

    private func resource(_ json: String, _ role: ResourceRole = .response, for caller: RuleCheck.Caller = .decoder) throws -> [String] {
        try found(json) { ruleCheck in
            ruleCheck = RuleCheck(ruleCheck.view, for: caller)
            ruleCheck.checkResource(ruleCheck.view.root, role)
        }
    }

    @Test func aValidResourceObjectHasNoFindings() throws {
        #expect(
            try resource(
                #"{"type": "a", "id": "1", "attributes": {"b": 1, "@id": 2, "x:c": 3}, "links": {"self": "/a/1"}, "meta": {}, "relationships": "#
                    + #"{"c": {"data": {"type": "p", "id": "1"}}, "d": {"links": {"related": "/d"}}, "e": {"data": []}}}"#
            ).isEmpty)
    }

    @Test(arguments: [
        (#"{}"#, ["resourceType missingBoth "]),
        (#"{"type": "a"}"#, ["resourceID missingID "]),
        (#"{"type": "a", "lid": "x"}"#, ["resourceID lidInstead ", "additionalMember lidInResponse /lid"]),
        (#"{"type": "a", "id": 1}"#, ["resourceIdentityString integerID /id"]),
        (
            #"{"type": "a", "id": "1", "attributes": {"c": 1, "_c": 2}, "relationships": {"c": {}}}"#,
            [
                "startAndEnd attribute /attributes/_c", "relationshipMember missing /relationships/c",
                "commonNamespace repeated /relationships/c",
            ]
        ),
        (
            #"{"type": "a", "id": "1", "relationships": {"c": {"type": "p", "id": "1"}}}"#,
            ["relationshipMember unwrapped /relationships/c", "other /relationships/c/type", "other /relationships/c/id"]
        ),
        (
            #"{"type": "a", "id": "1", "relationships": {"c": {"data": [{"type": "p", "id": "1"}, {"type": "p", "id": "1"}]}}}"#,
            ["repeated /relationships/c/data/1"]
        ),
    ])
    func anInvalidResourceObjectHasItsPlace(_ json: String, _ findings: [String]) throws {
        #expect(try resource(json) == findings)
    }

    @Test func requiredMembersDependOnTheKindOfRequest() throws {
        let json = #"{"type": "a", "lid": "x", "relationships": {"c": {"meta": {}, "data": {"type": "p", "lid": "x"}}, "d": {"meta": {}}}}"#
        #expect(try resource(json, .create) == ["local /relationships/c/data", "creationRelationship missing /relationships/d"])
        #expect(
            try resource(json, .update) == [
                "local /relationships/c/data", "updateRelationship missing /relationships/d", "updateIdentity lidInstead ",
            ])
    }

    @Test func aMemberOfAnUnappliedExtensionIsAFinding() throws {
        try Tape.with(Array(#"{"data": null, "x:a": 1}"#.utf8).span, options: JSONReadingOptions()) { tape in
            #expect(RuleCheck(tape.view).hasExtensionMember(tape.view.root))
            #expect(RuleCheck(tape.view, namespaces: ["x".utf8.map { $0 }]).hasExtensionMember(tape.view.root))
            #expect(!RuleCheck(tape.view, namespaces: []).hasExtensionMember(tape.view.root))
        }
    }

    @Test func eachRuleHasAUniqueIDInTheStandard() {
        #expect(Set(Rule.allCases.map(\.rawValue)).count == Rule.allCases.count)
        #expect(Set(Rule.allCases.map(\.sentence)).count == Rule.allCases.count)
    }
}
