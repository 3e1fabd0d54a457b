import JSONAPICodec
import JSONAPILegacy
import JSONText
import Testing

/// The rules of legacy documents: the two forms of templates, and everything that the format does not define.
@Suite("Expanding documents with URI templates")
struct ExpanderTests {
    static let typed = #""links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"}}"#

    // MARK: - Templates

    @Test("A template can use the id, attributes, and other links")
    func variables() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.page": "/{posts.lang}/{posts.id}/{posts.draft}/{posts.author}/{posts.tags}"},
             "posts": [{"id": 1, "lang": "d/e", "draft": true, "links": {"author": "9", "tags": ["a,b", 2]}}]}
            """#,
            becomes: #"""
                {"posts": [{"id": 1, "lang": "d/e", "draft": true, "page": {"href": "/d%2Fe/1/true/9/a%2Cb,2"},
                            "links": {"author": "9", "tags": ["a,b", 2]}}]}
                """#)
    }

    @Test("A typed template is expanded once for each id")
    func perID() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.notes": {"href": "/p/{posts.id}/n/{posts.notes}", "type": "notes"}},
             "posts": [{"id": "7", "links": {"notes": ["1", "2"]}}], "notes": [{"id": "2"}, {"id": "1"}]}
            """#,
            becomes: #"{"posts": [{"id": "7", "notes": [{"id": "1", "href": "/p/7/n/1"}, {"id": "2", "href": "/p/7/n/2"}]}]}"#)
    }

    @Test("A list of one stays a list")
    func shapeOfLinkage() throws {
        try Legacy.expect(
            #"{\#(Self.typed), "posts": {"id": "1", "links": {"author": ["9"]}}, "people": {"id": "9"}}"#,
            becomes: #"{"posts": {"id": "1", "author": [{"id": "9", "href": "/people/9"}]}}"#)
    }

    @Test("A template with only a type embeds, and one with only an address links")
    func halfTemplates() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.author": {"type": "people"}, "posts.log": {"href": "/log/{posts.id}"}},
             "posts": [{"id": "1", "links": {"author": "9"}}, {"id": "2"}], "people": [{"id": "9"}]}
            """#,
            becomes: #"""
                {"posts": [{"id": "1", "author": {"id": "9"}, "log": {"href": "/log/1"}}, {"id": "2", "log": {"href": "/log/2"}}]}
                """#)
    }

    // MARK: - J-a to J-j

    @Test("J-a: a missing resource is a stub, omitted, or an error")
    func unresolved() throws {
        let input = #"""
            {"links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"},
                       "posts.tags": {"href": "/tags/{posts.lang}", "type": "tags"}},
             "posts": [{"id": "1", "links": {"author": 99, "tags": ["a", "b"]}}], "people": [], "tags": [{"id": "b"}]}
            """#
        try Legacy.expect(
            input, becomes: #"{"posts": [{"id": "1", "author": {"id": 99, "href": "/people/99"}, "tags": [{"id": "a"}, {"id": "b"}]}]}"#)
        try Legacy.expect(input, becomes: #"{"posts": [{"id": "1", "tags": [{"id": "b"}]}]}"#, Expander(missing: .omit))
        #expect(
            try Legacy.problems(input, Expander(missing: .error))
                == ["unresolved /posts/0/links/author", "unresolved /posts/0/links/tags/0"])
    }

    @Test("J-a: a problem inside an embedded resource is reported once")
    func unresolvedInside() throws {
        #expect(
            try Legacy.problems(
                #"""
                {"links": {"posts.author": {"type": "people"}, "people.team": {"type": "teams"}},
                 "posts": [{"links": {"author": "1"}}, {"links": {"author": "1"}}], "people": {"id": "1", "links": {"team": "x"}}}
                """#, Expander(missing: .error)) == ["unresolved /people/links/team"])
    }

    @Test("J-b: null and the empty list are kept, with any template")
    func nothingLinked() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.a": "/a/{posts.a}", "posts.b": "/b/{posts.id}", "posts.c": {"href": "/c/{posts.id}", "type": "c"}},
             "posts": [{"id": "1", "links": {"a": null, "b": [], "c": []}}]}
            """#,
            becomes: #"{"posts": [{"id": "1", "a": null, "b": [], "c": []}]}"#)
    }

    @Test("J-c: an absent relation has an address if the template can be expanded")
    func notStated() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.a": "/a/{posts.id}", "posts.b": {"href": "/b/{posts.id}", "type": "b"}, "posts.c": "/c/{posts.c}",
                       "posts.d": {"href": "/d/{posts.d}", "type": "d"}, "posts.e": {"type": "e"}, "posts.f": "/f"},
             "posts": [{"id": "1"}, {}]}
            """#,
            becomes: #"""
                {"posts": [{"id": "1", "a": {"href": "/a/1"}, "b": {"href": "/b/1"}, "f": {"href": "/f"}}, {"f": {"href": "/f"}}]}
                """#)
    }

    @Test("J-c: a relation whose template cannot be expanded stays a link, or is embedded without an address")
    func notFilled() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.a": "/a/{posts.none}/{posts.a}", "posts.b": {"href": "/b/{posts.none}", "type": "b"},
                       "posts.c": "/c/{other.id}", "posts.d": "/d/{posts.d}"},
             "posts": [{"id": "1", "links": {"a": "1", "b": "2", "c": "3", "d": {"href": "/d"}}}], "b": [{"id": "2", "n": 1}]}
            """#,
            becomes: #"{"posts": [{"id": "1", "b": {"id": "2", "n": 1}, "links": {"a": "1", "c": "3", "d": {"href": "/d"}}}]}"#)
    }

    @Test("J6: an address without a value for a variable outside of its query is not written")
    func halfFilled() throws {
        let links = #"""
            {"posts.a": "http://x/{+posts.none}", "posts.b": "/{posts.id,posts.none}", "posts.c": "/c{/posts.none}",
             "posts.d": "/d{#posts.none}", "posts.e": "/e/{posts.none:3}", "posts.f": "/f/{posts.id}{?posts.none}",
             "posts.g": "/{posts.id,posts.n}"}
            """#
        try Legacy.expect(
            #"{"links": \#(links), "posts": [{"id": "1", "n": 2}]}"#,
            becomes: #"{"posts": [{"id": "1", "n": 2, "f": {"href": "/f/1"}, "g": {"href": "/1,2"}}]}"#)
        let document = try LegacyDocument(JSON(parsing: #"{"links": \#(links), "posts": [{"id": "1", "n": 2}]}"#)).document
        #expect(document.data.resources.first?.relationships?.members.names.map { String($0) } == ["f", "g"])
    }

    @Test("J-d: a link that the address does not contain is kept")
    func unusedLinks() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.comments": "/posts/{posts.id}/comments", "posts.tags": "/tags/{posts.tags}", "posts.log": "/log{?posts.log}"},
             "posts": [{"id": "1", "links": {"comments": ["5", "6"], "tags": ["a"], "log": {"href": "/own"}}},
                       {"id": "2", "links": {"comments": []}}]}
            """#,
            becomes: #"""
                {"posts": [{"id": "1", "comments": {"href": "/posts/1/comments"}, "tags": {"href": "/tags/a"}, "log": {"href": "/log"},
                            "links": {"comments": ["5", "6"], "log": {"href": "/own"}}},
                           {"id": "2", "comments": [], "log": {"href": "/log"}}]}
                """#)
    }

    @Test("J-d: links without a template are kept")
    func rest() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.author": {"type": "people"}, "self": "/posts", "http://example.com/rel": "/x", "a.": "/a", ".a": "/b",
                       "posts.next": null},
             "posts": [{"id": "1", "links": {"author": "9", "editor": "3"}}, {"id": "2", "links": {}}, {"id": "3", "links": "/3"}],
             "people": [{"id": "9", "links": {}}], "tags": [{"id": "x", "links": {}}], "meta": {"people": 1}, "version": 2}
            """#,
            becomes: #"""
                {"links": {"self": "/posts", "http://example.com/rel": "/x", "a.": "/a", ".a": "/b", "posts.next": null},
                 "posts": [{"id": "1", "author": {"id": "9"}, "links": {"editor": "3"}}, {"id": "2"}, {"id": "3", "links": "/3"}],
                 "tags": [{"id": "x", "links": {}}], "meta": {"people": 1}, "version": 2}
                """#)
    }

    @Test("J-e: a collection that links to itself is primary")
    func selfReference() throws {
        try Legacy.expect(
            #"""
            {"links": {"parts.parent": {"href": "/parts/{parts.parent}", "type": "parts"}},
             "parts": [{"id": "1"}, {"id": "2", "links": {"parent": "1"}}]}
            """#,
            becomes: #"{"parts": [{"id": "1"}, {"id": "2", "parent": {"id": "1", "href": "/parts/1"}}]}"#)
    }

    static let mutual = #"""
        {"links": {"posts.author": {"type": "people"}, "people.posts": {"type": "posts"}, "people.team": {"type": "teams"}},
         "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9", "links": {"posts": ["1"], "team": "t"}}],
         "teams": [{"id": "t"}]}
        """#

    @Test("J-e: collections that link to each other are all primary")
    func mutualReference() throws {
        try Legacy.expect(
            Self.mutual,
            becomes: #"""
                {"posts": [{"id": "1", "author": {"id": "9", "posts": [{"id": "1"}], "team": {"id": "t"}}}],
                 "people": [{"id": "9", "posts": [{"id": "1", "author": {"id": "9"}}], "team": {"id": "t"}}], "teams": [{"id": "t"}]}
                """#)
    }

    @Test("J-e: primary names the collections to keep")
    func primary() throws {
        try Legacy.expect(
            Self.mutual, becomes: #"{"posts": [{"id": "1", "author": {"id": "9", "posts": [{"id": "1"}], "team": {"id": "t"}}}]}"#,
            Expander(primary: ["posts"]))
        try Legacy.expect(
            #"{\#(Self.typed), "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9"}]}"#,
            becomes: #"{"posts": [{"id": "1", "author": {"id": "9", "href": "/people/9"}}], "people": [{"id": "9"}]}"#,
            Expander(primary: ["posts", "people", "absent"]))
    }

    @Test("J-e: a template of an absent collection still names its target")
    func absentCollection() throws {
        try Legacy.expect(
            #"{"links": {"photos.album": {"type": "albums"}, "photos.x": "{"}, "albums": [{"id": "1"}], "posts": []}"#,
            becomes: #"{"posts": []}"#)
    }

    @Test("J-e: a template of an absent collection leaves collections with mutual references as they are")
    func absentCollectionBesideMutualReference() throws {
        let document = #"""
            {"links": {"posts.author": {"type": "people"}, "people.posts": {"type": "posts"} @},
             "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9", "links": {"posts": ["1"]}}], "tags": [{"id": "t"}]}
            """#
        let expected = #"""
            {"posts": [{"id": "1", "author": {"id": "9", "posts": [{"id": "1"}]}}],
             "people": [{"id": "9", "posts": [{"id": "1", "author": {"id": "9"}}]}], "tags": [{"id": "t"}]}
            """#
        for template in ["", #", "photos.album": "/albums/{photos.album}""#] {
            try Legacy.expect(document.replacing("@", with: template), becomes: expected)
        }
    }

    @Test("J-e: the data of a response stay although the templates of absent collections name them")
    func onlyTargets() throws {
        try Legacy.expect(#"{\#(Self.typed), "people": [{"id": "9"}]}"#, becomes: #"{"people": [{"id": "9"}]}"#)
        let templates = #"\#(Self.typed.dropLast()), "people.team": "/teams/{people.team}"}"#
        try Legacy.expect(
            #"{\#(templates), "people": [{"id": "9", "links": {"team": "t"}}]}"#,
            becomes: #"{"people": [{"id": "9", "team": {"href": "/teams/t"}}]}"#)
        try Legacy.expect(#"{\#(templates), "linked": {"people": [{"id": "9"}]}}"#, becomes: #"{"linked": {"people": [{"id": "9"}]}}"#)
        let document = try LegacyDocument(JSON(parsing: #"{\#(templates), "people": [{"id": "9"}]}"#))
        #expect(document.document.json == ["data": [["type": "people", "id": "9"]]])
    }

    @Test("J-f: a resource inside itself is reduced to its identity and address")
    func cycles() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.next": {"href": "/posts/{posts.next}", "type": "posts"}},
             "posts": [{"id": "1", "t": 1, "links": {"next": "1"}}, {"id": 2, "t": 2, "links": {"next": "3"}},
                       {"id": "3", "href": "/3", "t": 3, "links": {"next": "2"}}]}
            """#,
            becomes: #"""
                {"posts": [
                    {"id": "1", "t": 1, "next": {"id": "1", "href": "/posts/1"}},
                    {"id": 2, "t": 2, "next": {"id": "3", "href": "/3", "t": 3, "next": {"id": 2, "href": "/posts/2"}}},
                    {"id": "3", "href": "/3", "t": 3, "next": {"id": 2, "t": 2, "href": "/posts/2", "next": {"id": "3", "href": "/3"}}}]}
                """#)
    }

    @Test("J-g: a resource's own address takes precedence")
    func linked() throws {
        let input = #"""
            {\#(Self.typed), "posts": {"id": "1", "links": {"author": "9"}},
             "linked": {"people": [{"id": "9", "href": null}], "tags": [{"id": "x"}], "note": 1}}
            """#
        try Legacy.expect(
            input, becomes: #"{"posts": {"id": "1", "author": {"id": "9", "href": null}}, "linked": {"tags": [{"id": "x"}], "note": 1}}"#)
    }

    @Test("J-g: a linked collection is never primary, even if it links back")
    func linkedBack() throws {
        try Legacy.expect(
            #"""
            {"links": {"posts.comments": {"type": "comments"}, "comments.post": {"type": "posts"}, "posts.related": {"type": "posts"}},
             "posts": [{"id": "1", "links": {"comments": ["5"], "related": ["2"]}}],
             "linked": {"comments": [{"id": "5", "links": {"post": "1"}}], "posts": [{"id": "2"}]}}
            """#,
            becomes: #"{"posts": [{"id": "1", "comments": [{"id": "5", "post": {"id": "1"}}], "related": [{"id": "2"}]}]}"#)
    }

    @Test("J-h: ids are compared by text, and repeated ids embed again")
    func ids() throws {
        try Legacy.expect(
            #"{\#(Self.typed), "posts": [{"id": "1", "links": {"author": [9, "9", "10"]}}], "people": [{"id": "9"}, {"id": 10}]}"#,
            becomes: #"""
                {"posts": [{"id": "1", "author": [{"id": "9", "href": "/people/9"}, {"id": "9", "href": "/people/9"},
                                                  {"id": 10, "href": "/people/10"}]}]}
                """#)
        let document = #"{"links": {"a.b": {"type": "b"}}, "a": [{"links": {"b": "caf\u00e9"}}], "b": [{"id": "cafe\u0301", "n": 1}]}"#
        try Legacy.expect(document, becomes: #"{"a": [{"b": {"id": "caf\u00e9"}}]}"#)
    }

    @Test("J-i: existing members are not replaced")
    func nameConflict() throws {
        let input = #"""
            {"links": {"posts.author": {"type": "people"}, "posts.log": "/log/{posts.id}", "posts.id": "/x", "posts.free": "/f/{posts.free}"},
             "posts": [{"id": "1", "author": "Dan", "log": 1, "free": [1], "links": {"author": "9"}}], "people": []}
            """#
        #expect(
            try Legacy.problems(input, Expander(missing: .error)) == [
                "unresolved /posts/0/links/author", "nameConflict /posts/0/author", "nameConflict /posts/0/log", "nameConflict /posts/0/id",
            ])
    }

    @Test("J-i: an omitted relation with the name of a member is an error in documents of both versions")
    func omittedConflict() throws {
        let old = #"{\#(Self.typed), "posts": [{"id": "1", "author": "Dan", "links": {"author": "9"}}], "people": []}"#
        #expect(try Legacy.problems(old, Expander(missing: .omit)) == ["nameConflict /posts/0/author"])
        let new = #"""
            {"data": {"type": "posts", "id": "1", "attributes": {"author": "Dan"},
                      "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}}
            """#
        #expect(try Legacy.documentProblems(new, Expander(missing: .omit)) == ["nameConflict /data/relationships/author"])
    }

    // MARK: - J-j

    @Test("J-j: a cycle ends in type and id, also among primary data")
    func documentCycle() throws {
        try Legacy.expectDocument(
            #"""
            {"data": {"type": "a", "id": 1, "links": {"self": {"href": "/a/1"}}, "relationships": {
                "b": {"data": [{"type": "b", "id": "2"}], "meta": {}}, "me": {"data": {"type": "a", "id": "1"}}}},
             "included": [{"type": "b", "id": "2", "attributes": {"n": 1}, "relationships": {"a": {"data": {"type": "a", "id": "1"}}}}],
             "links": {"self": "/"}, "jsonapi": {"version": "1.1"}}
            """#,
            becomes: #"""
                {"data": {"type": "a", "id": 1, "href": "/a/1", "me": {"type": "a", "id": 1},
                          "b": [{"type": "b", "id": "2", "n": 1, "a": {"type": "a", "id": 1}}]},
                 "links": {"self": "/"}, "jsonapi": {"version": "1.1"}}
                """#)
    }

    @Test("Members of an extension, and the meta of a primary identifier, are not lost to a field of the same name")
    func silentConflicts() throws {
        #expect(
            try Legacy.documentProblems(
                #"{"data": {"type": "a", "id": "1", "attributes": {"v:x": 1, "@y": 1}, "relationships": {"v:x": 2, "@y": 2}}}"#)
                == ["nameConflict /data/relationships/v:x"])
        let included = #""included": [{"type": "a", "id": "1", "attributes": {"meta": "x"}}]"#
        #expect(
            try Legacy.documentProblems(#"{"data": [{"type": "a", "id": "1", "meta": {"n": 1}}], \#(included)}"#)
                == ["nameConflict /data/0/meta"])
        #expect(try Legacy.documentProblems(#"{"data": [{"type": "a", "id": "1"}], \#(included)}"#) == [])
    }

    @Test("J-j: an attribute with the name of a relationship or of the identity is an error")
    func documentConflict() throws {
        #expect(
            try Legacy.documentProblems(
                #"""
                {"data": [{"type": "a", "id": "1", "attributes": {"x": 1, "type": 2, "meta": 3},
                           "relationships": {"x": {"data": null}, "id": {"data": []}}, "meta": {}}]}
                """#) == [
                    "nameConflict /data/0/attributes/type", "nameConflict /data/0/attributes/meta", "nameConflict /data/0/relationships/x",
                    "nameConflict /data/0/relationships/id",
                ])
    }

    @Test("J-j: other members keep their place")
    func documentRest() throws {
        try Legacy.expectDocument(
            #"""
            {"data": {"type": "a", "lid": "l", "meta": {"m": 1}, "@x": 1, "attributes": {"href": "own", "@x": 2},
                      "links": {"self": "/a", "edit": "/e"},
                      "relationships": {"r": {"links": {"self": "/r"}}, "s": {"links": {"related": {"href": "/s", "meta": {}}}},
                                        "t": {"links": {"related": null}}, "u": {"meta": {"n": 1}}, "@y": 1}},
             "included": []}
            """#,
            becomes: #"""
                {"data": {"type": "a", "lid": "l", "meta": {"m": 1}, "@x": 1, "href": "own", "links": {"self": "/a", "edit": "/e"},
                          "r": {"links": {"self": "/r"}}, "s": {"href": "/s"}, "t": {"links": {"related": null}}, "u": {"meta": {"n": 1}}, "@y": 1}}
                """#)
    }

    @Test("J-j: missing resources are stubs, omitted, or an error")
    func documentUnresolved() throws {
        let input = #"""
            {"data": {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "2", "meta": {}}},
                                                               "c": {"data": [{"type": "c", "lid": "l"}]}}}}
            """#
        try Legacy.expectDocument(
            input, becomes: #"{"data": {"type": "a", "id": "1", "b": {"type": "b", "id": "2"}, "c": [{"type": "c", "lid": "l"}]}}"#)
        try Legacy.expectDocument(input, becomes: #"{"data": {"type": "a", "id": "1", "c": []}}"#, Expander(missing: .omit))
        #expect(
            try Legacy.documentProblems(input, Expander(missing: .error))
                == ["unresolved /data/relationships/b/data", "unresolved /data/relationships/c/data/0"])
    }

    @Test("Identifiers of a relationship document become the included resources")
    func relationshipDocument() throws {
        try Legacy.expectDocument(
            #"{"data": [{"type": "a", "id": "1"}, {"type": "a", "id": "2"}], "included": [{"type": "a", "id": "2", "attributes": {"n": 1}}]}"#,
            becomes: #"{"data": [{"type": "a", "id": "1"}, {"type": "a", "id": "2", "n": 1}]}"#)
    }

    @Test("The meta of an identifier in the primary data is kept with its resource")
    func identifierMeta() throws {
        try Legacy.expectDocument(
            #"""
            {"data": [{"type": "a", "id": "1", "meta": {"by": "x"}}, {"type": "a", "id": "2", "meta": {"by": "y"}}],
             "included": [{"type": "a", "id": "1", "attributes": {"n": 1}}, {"type": "a", "id": "2", "links": {}, "meta": {"m": 2}}]}
            """#,
            becomes: #"""
                {"data": [{"type": "a", "id": "1", "n": 1, "meta": {"by": "x"}}, {"type": "a", "id": "2", "meta": {"m": 2}}]}
                """#)
    }

    @Test("Each of two equal identifiers in the primary data keeps its own meta")
    func metaOfEqualIdentifiers() throws {
        let text = #"{"data": [{"type": "a", "id": "1", "meta": {"m": 1}}, {"type": "a", "id": "1", "meta": {"m": 2}}]}"#
        try Legacy.expectDocument(text, becomes: text)
    }

    @Test("Members of extensions stay as they are")
    func extensionMembers() throws {
        try Legacy.expectDocument(
            #"""
            {"data": {"type": "a", "id": "1", "attributes": {"audit:at": 5},
                      "relationships": {"audit:by": {"data": {"type": "p", "id": "1"}}, "audit:log": [1]}}}
            """#,
            becomes: #"""
                {"data": {"type": "a", "id": "1", "audit:at": 5, "audit:by": {"data": {"type": "p", "id": "1"}}, "audit:log": [1]}}
                """#)
    }

    @Test(
        "A document without resources is unchanged",
        arguments: [#"{"data": null}"#, #"{"data": []}"#, #"{"errors": [{"status": "404"}]}"#, #"{"meta": {"data": 1}}"#, "{}"])
    func documentWithoutResources(text: String) throws {
        try Legacy.expectDocument(text, becomes: text)
    }

    @Test("Problems behind a relation with the name of a member are found, too")
    func behindConflicts() throws {
        let legacy = try JSON(
            parsing: #"""
                {"links": {"posts.author": {"href": "/p/{posts.author}", "type": "people"},
                           "people.boss": {"href": "/p/{people.boss}", "type": "people"}},
                 "posts": [{"id": "1", "author": "attribute", "links": {"author": "2"}}], "people": [{"id": "2", "links": {"boss": "99"}}]}
                """#)
        var expander = Expander()
        expander.missing = .error
        let error = #expect(throws: ExpansionError.self) { try expander.expand(legacy: legacy) }
        #expect(error?.problems.map(\.kind) == [.nameConflict, .unresolved])
        let document = try DocumentObject(
            members: JSON(
                parsing: #"""
                    {"data": {"type": "posts", "id": "1", "attributes": {"author": "attribute"},
                              "relationships": {"author": {"data": {"type": "people", "id": "2"}}}},
                     "included": [{"type": "people", "id": "2", "relationships": {"boss": {"data": {"type": "people", "id": "99"}}}}]}
                    """#
            ).object ?? [:])
        let second = #expect(throws: ExpansionError.self) { try expander.expand(document) }
        #expect(second?.problems.map(\.kind) == [.nameConflict, .unresolved])
    }
}
