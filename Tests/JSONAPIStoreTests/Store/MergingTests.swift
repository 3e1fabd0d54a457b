import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite struct StoreMergingTests {
    private let identifier = ResourceIdentifier(type: "t", id: "1")

    @Test(arguments: [
        ("an absent attribute stays", #""attributes":{"a":1,"b":2}"#, #""attributes":{"b":3}"#, #""attributes":{"a":1,"b":3}"#),
        ("null is a value", #""attributes":{"a":1}"#, #""attributes":{"a":null}"#, #""attributes":{"a":null}"#),
        ("a new attribute comes last", #""attributes":{"a":1}"#, #""attributes":{"z":0,"a":2}"#, #""attributes":{"a":2,"z":0}"#),
        (
            "nested values are replaced whole", #""attributes":{"o":{"x":1,"y":2},"l":[1,2]}"#, #""attributes":{"o":{"x":3},"l":[4]}"#,
            #""attributes":{"o":{"x":3},"l":[4]}"#
        ),
        ("attributes that are missing stay", #""attributes":{"a":1}"#, #""meta":{"m":1}"#, #""attributes":{"a":1},"meta":{"m":1}"#),
        ("attributes that are none stay", #""attributes":{"a":1}"#, #""attributes":null"#, #""attributes":{"a":1}"#),
        (
            "null linkage is a value", #""relationships":{"r":{"data":{"type":"t","id":"2"}}}"#, #""relationships":{"r":{"data":null}}"#,
            #""relationships":{"r":{"data":null}}"#
        ),
        (
            "an absent relationship stays", #""relationships":{"r":{"data":null}}"#, #""relationships":{"s":{"data":[]}}"#,
            #""relationships":{"r":{"data":null},"s":{"data":[]}}"#
        ),
        (
            "a relationship that is not loaded keeps its linkage", #""relationships":{"r":{"data":[],"meta":{"m":1}}}"#,
            #""relationships":{"r":{"links":{"related":"/r"}}}"#, #""relationships":{"r":{"links":{"related":"/r"},"data":[]}}"#
        ),
        (
            "a page that is kept stays a page", #""relationships":{"r":{"data":[],"links":{"self":"/1","next":"/2"},"meta":{"m":1}}}"#,
            #""relationships":{"r":{"links":{"related":"/r","last":"/9"}}}"#,
            #""relationships":{"r":{"links":{"related":"/r","next":"/2"},"data":[]}}"#
        ),
        (
            "a page that is kept stays a page without new links", #""relationships":{"r":{"data":[],"links":{"prev":"/2"}}}"#,
            #""relationships":{"r":{"meta":{"m":1}}}"#, #""relationships":{"r":{"meta":{"m":1},"data":[],"links":{"prev":"/2"}}}"#
        ),
        (
            "a whole list that is kept stays whole", #""relationships":{"r":{"data":[],"links":{"self":"/1"}}}"#,
            #""relationships":{"r":{"meta":{"m":1}}}"#, #""relationships":{"r":{"meta":{"m":1},"data":[]}}"#
        ),
        (
            "a relationship with linkage is replaced whole", #""relationships":{"r":{"data":[],"links":{"next":"/2"}}}"#,
            #""relationships":{"r":{"data":[{"type":"t","id":"1"}]}}"#, #""relationships":{"r":{"data":[{"type":"t","id":"1"}]}}"#
        ),
        (
            "links and meta are renewed", #""links":{"self":"/1"},"meta":{"a":1}"#, #""links":{"self":"/2"},"meta":{"b":2}"#,
            #""links":{"self":"/2"},"meta":{"b":2}"#
        ),
        ("links and meta that are missing stay", #""links":{"self":"/1"},"meta":{"a":1}"#, "", #""links":{"self":"/1"},"meta":{"a":1}"#),
        ("other members are kept and renewed", #""@a":1,"ext:b":2"#, #""ext:b":3"#, #""@a":1,"ext:b":3"#),
        (
            "composed and decomposed names are two", #""attributes":{"\u00e9":1}"#, #""attributes":{"e\u0301":2}"#,
            #""attributes":{"\u00e9":1,"e\u0301":2}"#
        ),
    ])
    func fieldsAreMergedOneByOne(_ rule: String, _ stored: String, _ newer: String, _ merged: String) throws {
        let store = ResourceStore()
        func resource(_ members: String) throws -> ResourceObject {
            try object(#"{"type":"t","id":"1"\#(members.isEmpty ? "" : ",")\#(members)}"#)
        }
        try store.ingest(resource(stored))
        try store.ingest(resource(newer))
        let found = try #require(store[identifier]).json
        #expect(try found.isIdentical(to: resource(merged).json), "\(rule): \(found)")
    }

    @Test(arguments: [false, true])
    func `of members with the same name, only the last one is merged, as a decoder reads it`(isOneDocument: Bool) throws {
        let known = #"{"type":"t","id":"1","attributes":{"x":0},"relationships":{"r":{"meta":{}}}}"#
        let newer =
            #"{"type":"t","id":"1","attributes":{"x":1,"z":1},"attributes":{"y":1,"y":2},"#
            + #""relationships":{"r":{"data":null},"r":{"meta":{}}}}"#
        let store = ResourceStore()
        for data in isOneDocument ? ["\(known),\(newer)"] : [known, newer] { try store.ingest(document(#"{"data":[\#(data)]}"#)) }
        let expected = try object(#"{"type":"t","id":"1","attributes":{"x":0,"y":2},"relationships":{"r":{"meta":{}}}}"#)
        #expect(store[identifier] == expected)
    }

    @Test func replacingKeepsNothing() throws {
        let store = ResourceStore()
        try store.ingest(object(#"{"type":"t","id":"1","attributes":{"a":1},"meta":{}}"#))
        try store.ingest(object(#"{"type":"t","id":"1","attributes":{"b":1}}"#), merging: .replace)
        #expect(try store[identifier] == object(#"{"type":"t","id":"1","attributes":{"b":1}}"#))
    }

    @Test func aClosureCanDecide() throws {
        let store = ResourceStore()
        let keepsNewest = MergePolicy.custom { stored, newer in
            (stored[attribute: "version"]?.int ?? 0) > (newer[attribute: "version"]?.int ?? 0) ? stored : newer
        }
        for version in [2, 3, 1] {
            let resource = ResourceObject(type: "t", id: "1", attributes: ["version": .number(JSONNumber(version))])
            try store.ingest(resource, merging: keepsNewest)
        }
        #expect(store[identifier]?[attribute: "version"] == 3)
        let changesIdentity = MergePolicy.custom { _, _ in ResourceObject(type: "t", id: "2") }
        let error = #expect(throws: StoreError.self) {
            try store.ingest(ResourceObject(type: "t", id: "1"), merging: changesIdentity)
        }
        #expect(error?.kind == .identityChanged)
        #expect(store[identifier]?[attribute: "version"] == 3)
    }

    @Test func replacedFieldsAreReported() throws {
        let store = ResourceStore()
        try store.ingest(object(#"{"type":"t","id":"1","attributes":{"a":1,"b":2},"meta":{"m":1}}"#))
        let report = try store.ingest(object(#"{"type":"t","id":"1","attributes":{"a":1,"b":3,"c":4},"meta":{"m":2}}"#))
        #expect(report.updated == 1 && report.conflictCount == 1)
        #expect(report.conflicts.first?.fields.map(\.description) == ["/attributes/b", "/meta"])
        let same = try store.ingest(object(#"{"type":"t","id":"1","attributes":{"a":1}}"#))
        #expect(same.updated == 1 && same.conflictCount == 0)
    }

    @Test func `a relationship without data that keeps its linkage is no conflict`() throws {
        let store = ResourceStore()
        let linkage = #""links":{"self":"/a"},"data":{"type":"t","id":"2"}"#
        try store.ingest(object(#"{"type":"t","id":"1","relationships":{"next":{\#(linkage)}}}"#))
        let report = try store.ingest(object(#"{"type":"t","id":"1","relationships":{"next":{"links":{"self":"/a"}}}}"#))
        #expect(report.updated == 1 && report.conflictCount == 0)
        let other = try store.ingest(object(#"{"type":"t","id":"1","relationships":{"next":{"links":{"self":"/b"}}}}"#))
        #expect(other.conflicts.first?.fields.map(\.description) == ["/relationships/next"])
    }

    @Test(arguments: [
        (#"{"links":{"self":"/a"},"data":{"type":"t","id":"2"}}"#, #"{"links":{"self":"/a"}}"#, false),
        (#"{"links":{"self":"/a"}}"#, #"{"data":{"type":"t","id":"2"}}"#, false),
        (#"{"data":null,"meta":{}}"#, #"{"data":null,"links":{"self":"/a"}}"#, false),
        (#"{"data":null}"#, #"{"data":{"type":"t","id":"2"}}"#, true),
        (#"{"links":{"self":"/a"},"data":null}"#, #"{"links":{"self":"/b"}}"#, true),
    ])
    func `a repeated relationship is a conflict only if it has a member with another value`(
        first: String, later: String, isConflict: Bool
    ) throws {
        let resources = [first, later].map { #"{"type":"t","id":"1","relationships":{"next":\#($0)}}"# }
        let report = try ResourceStore().ingest(document(#"{"data":[\#(resources.joined(separator: ","))]}"#))
        #expect(report.repeated == 1 && report.conflictCount == (isConflict ? 1 : 0))
        #expect(report.conflicts.flatMap(\.fields).map(\.description) == (isConflict ? ["/relationships/next"] : []))
    }

    @Test func repeatedIdentitiesOfOneDocumentAreCounted() throws {
        let resources = (0..<2246).map { ResourceObject(type: "t", id: "\($0 % 38)", attributes: ["n": .number(JSONNumber($0))]) }
        let store = ResourceStore()
        let report = try store.ingest(DocumentObject(data: .many(resources)))
        #expect(store.count == 38)
        #expect(report.inserted == 38 && report.repeated == 2208 && report.conflictCount == 2208 && report.conflicts.count == 1000)
    }

    @Test func aResourceThatComesTwiceInOneDocumentIsInsertedOrUpdatedOnce() throws {
        let store = ResourceStore()
        let twice = try document(#"{"data": [{"type": "t", "id": "1"}], "included": [{"type": "t", "id": "1"}, {"type": "t", "id": "1"}]}"#)
        let first = try store.ingest(twice)
        #expect(first.inserted == 1 && first.updated == 0 && first.repeated == 2)
        let second = try store.ingest(twice)
        #expect(second.inserted == 0 && second.updated == 1 && second.repeated == 2)
        let array = try store.ingest([ResourceObject(type: "t", id: "1"), ResourceObject(type: "t", id: "1")])
        #expect(array.inserted == 0 && array.updated == 1 && array.repeated == 1)
    }

    @Test func `an included resource with its meta takes the place of its identifier in the data`() throws {
        let store = ResourceStore()
        let report = try store.ingest(
            document(
                #"""
                {"data": [{"type": "t", "id": "1", "meta": {"role": "editor"}}, {"type": "t", "id": "2", "meta": {"role": "reader"}}],
                 "included": [{"type": "t", "id": "1", "attributes": {"a": 1}, "meta": {"revision": 7}}]}
                """#))
        #expect(try store[identifier] == object(#"{"type":"t","id":"1","attributes":{"a":1},"meta":{"revision":7}}"#))
        #expect(store[ResourceIdentifier(type: "t", id: "2")]?.meta == ["role": "reader"])
        #expect(report.inserted == 2 && report.repeated == 1 && report.conflictCount == 0)
    }

    @Test(arguments: [false, true])
    func `a duplicate does not cost the size of the first resource of the document`(addsField: Bool) throws {
        let growth = try TimeGrowth(from: 500) { count in
            let many = JSONObject(members: (0..<count).map { JSONObject.Member(name: "a\($0)", value: .number(JSONNumber($0))) })
            let duplicates = (0..<count).map { number -> ResourceObject in
                ResourceObject(type: "t", id: "1", attributes: addsField ? JSONObject(members: [.init(name: "b\(number)", value: 1)]) : nil)
            }
            let document = DocumentObject(data: .many([ResourceObject(type: "t", id: "1", attributes: many)] + duplicates))
            let store = ResourceStore()
            let time = try processorSeconds { _ = try store.ingest(document) }
            #expect(store[identifier]?.attributes?.count == (addsField ? 2 * count : count))
            return time
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func `a custom policy gets each identity of a document once`() throws {
        let store = ResourceStore()
        try store.ingest(Person(id: "2", name: "old", nick: "old"))
        let calls = Record<JSONObject>()
        try store.ingest(
            document(Self.duplicates),
            merging: .custom { stored, newer in
                calls.append(newer.attributes ?? JSONObject())
                return stored
            })
        #expect(calls.elements == [["name": "first", "nick": "added"]])
        #expect(try store.resource(Person.self, id: "2")?.name == "old")
    }

    @Test(arguments: [false, true])
    func `a resource that is repeated many times in one document has the fields of the first one`(hasRequest: Bool) throws {
        let store = ResourceStore()
        let whole = ResourceObject(type: "t", id: "1", attributes: ["text": .string(String(repeating: "x", count: 100_000)), "n": 0])
        let numbered = (1...2000).map { number in
            let attributes: JSONObject? = number % 2 == 0 ? nil : ["n": .number(JSONNumber(number))]
            return ResourceObject(type: "t", id: "1", attributes: attributes)
        }
        try store.ingest(ResourceObject(type: "t", id: "1", attributes: ["own": 0]))
        if hasRequest { try RequestQueue(store).update(Patch<ResourceObject>(identifier).set("own", 1)) }
        let report = try store.ingest(DocumentObject(data: .many([whole] + numbered)))
        #expect(report.updated == 1 && report.repeated == 2000 && report.conflictCount == 1000)
        let object = try #require(store[identifier])
        let own: JSON = hasRequest ? 1 : 0
        #expect(object[attribute: "own"] == own && object[attribute: "n"] == 0)
        #expect(object.attributes?.count == 3 && object[attribute: "text"] == whole[attribute: "text"])
    }

    /// Primary data with a sparse copy in `included`, and an included resource that comes twice.
    private static let duplicates = #"""
        {"data": [{"type": "articles", "id": "1", "attributes": {"title": "full"}, "relationships": {
            "author": {"data": {"type": "people", "id": "2"}}, "comments": {"data": []}}}],
         "included": [
            {"type": "people", "id": "2", "attributes": {"name": "first"}},
            {"type": "people", "id": "2", "attributes": {"name": "second", "nick": "added"}},
            {"type": "articles", "id": "1", "attributes": {"title": "sparse", "subtitle": "added"}}]}
        """#

    @Test(arguments: [MergePolicy.fields, .replace, .custom { $1 }])
    func `of several resources with one identity the first one counts, as for a decoder`(policy: MergePolicy) throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .duplicateIncluded
        let data = Data(Self.duplicates.utf8)
        let article = try decoder.decode([Article].self, from: data)[0]
        #expect(article.title == "full" && article.author.value?.name == "first")
        let writes: [(ResourceStore) throws -> Void] = [
            { _ = try $0.decode([Article].self, from: data, merging: policy) },
            { try $0.ingest(document(Self.duplicates), merging: policy) },
            { try $0.keep(document(Self.duplicates), for: "/a", merging: policy) },
        ]
        for write in writes {
            let store = ResourceStore(decoder: decoder)
            try store.ingest(Person(id: "2", name: "old", nick: "old"))
            try write(store)
            let article = try #require(try store.resource(Article.self, id: "1"))
            #expect(article.title == "full" && article.subtitle == "added")
            #expect(article.author.value?.name == "first" && article.author.value?.nick == "added")
        }
        for keeping in [ResourceStore.Keeping.included, .nothing] {
            let article = try ResourceStore(decoder: decoder).decode([Article].self, from: data, keeping: keeping, merging: policy)[0]
            #expect(article.title == "full" && article.author.value?.name == "first")
        }
    }

    @Test func `a decoded document with a repeated resource is read as it was merged`() throws {
        let store = ResourceStore()
        let small = #"{"type":"people","id":"9"}"#
        let (first, last) = (
            #"{"type":"people","id":"9","attributes":{"name":"Ann"}}"#, #"{"type":"people","id":"9","attributes":{"nick":"A"}}"#
        )
        let people = [first, small, small, small, small, last]
        let read = try store.decode([Person].self, from: .init(#"{"data":[\#(people.joined(separator: ","))]}"#.utf8))
        #expect(read.count == 6 && read.allSatisfy { $0.name == "Ann" && $0.nick == "A" })
        #expect(store[.person("9")]?.attributes == ["name": "Ann", "nick": "A"])
    }

    @Test func resourcesWithoutAnIdentityAreNotStored() throws {
        let store = ResourceStore()
        let report = try store.ingest(
            document(
                #"""
                {"data": [{"type": "t"}, {"id": "1"}, {"type": "t", "lid": "a"}, 5, null, {"type": "t", "id": null}, {"type": 1, "id": "1"}],
                 "included": [{}, {"type": "t", "id": "1"}, []]}
                """#))
        #expect(store.identifiers == [identifier])
        #expect(report.inserted == 1 && report.skippedCount == 9)
        #expect(report.skipped.first?.description == "/data/0" && report.skipped.last?.description == "/included/2")
        let error = #expect(throws: StoreError.self) { try store.ingest(ResourceObject(type: "t")) }
        #expect(error?.kind == .missingIdentity)
    }

    @Test(arguments: [#"{}"#, #"{"data": null}"#, #"{"data": "x", "included": 7}"#, #"{"errors": [{}]}"#])
    func documentsWithoutResourcesChangeNothing(_ text: String) throws {
        let store = ResourceStore()
        try store.ingest(document(text))
        #expect(store.isEmpty)
    }

    @Test func aNumericIDBecomesAString() throws {
        let store = ResourceStore()
        try store.ingest(document(#"{"data": {"type": "people", "id": 9, "attributes": {"name": "Ann"}}}"#))
        #expect(try store.resource(Person.self, id: "9")?.name == "Ann")
    }

    @Test func aLidFromTheProgramIsKept() throws {
        let store = ResourceStore()
        try store.ingest(ResourceObject(type: "people", lid: "new", attributes: ["name": "Ann"]))
        let local = ResourceIdentifier(type: "people", lid: "new")
        #expect(store[local]?[attribute: "name"] == "Ann")
        #expect(store[.person("new")] == nil)
        #expect(store.identifiers == [local])
    }

    @Test func ingestingAModelIncludesOnlyTheResourcesItHolds() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        var article = try #require(try store.resource(Article.self, id: "1"))
        article.title = "Other"
        article.comments.append(Comment(id: "6", body: "No", author: Person(id: "10", name: "Cy")))
        let told = Record<String>()
        let observation = store.observe(type: "people") { told.append($0.identifier.id ?? "") }
        try store.ingest(article)
        withExtendedLifetime(observation) {}
        #expect(try store.resource(Article.self, id: "1")?.comments.map(\.author?.name) == ["Ann", "Cy"])
        // The comment that embeds the author is ingested, and so is the author. References into the store are not followed.
        #expect(told.elements.sorted() == ["10", "9"])
    }

    @Test func `a document of the program is written by the encoder of the store`() throws {
        struct Sample: Resource {
            static let type = "samples"
            var id: String
            var firstValue: Double
        }
        var (decoder, encoder) = (JSONAPIDecoder(), JSONAPIEncoder())
        (decoder.keyStrategy, encoder.keyStrategy) = (.snakeCase, .snakeCase)
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let store = ResourceStore(decoder: decoder, encoder: encoder)
        #expect(try store.ingest(Document([Sample(id: "1", firstValue: 1.5), Sample(id: "2", firstValue: .nan)])).inserted == 2)
        #expect(store[ResourceIdentifier(type: "samples", id: "1")]?.attributes == ["first_value": 1.5])
        #expect(try store.resource(Sample.self, id: "2")?.firstValue.isNaN == true)
        try store.keep(Document([Sample(id: "3", firstValue: .nan)]), for: "/samples")
        #expect(try store.keptDocument([Sample].self, for: "/samples")?.data.map(\.id) == ["3"])
        // What cannot be written is an error, and replaces nothing.
        let strict = ResourceStore()
        try strict.keep(Document([Sample(id: "1", firstValue: 1)]), for: "/samples")
        #expect(throws: EncodingError.self) { try strict.keep(Document([Sample(id: "1", firstValue: .nan)]), for: "/samples") }
        #expect(try strict.keptDocument([Sample].self, for: "/samples")?.data.map(\.firstValue) == [1])
    }

    @Test func `the document of an archive, or of another store, brings the resources that its references lead to`() throws {
        let other = ResourceStore()
        let text =
            #"{"data":[{"type":"articles","id":"1","attributes":{"title":"One"},"relationships":{"comments":{"data":[]},"author":{"data":"#
            + #"{"type":"people","id":"9"}}}}],"included":[{"type":"people","id":"9","attributes":{"name":"Ann"}}]}"#
        try other.keep(JSONAPIDecoder().decode(Document<[Article]>.self, from: .init(text.utf8)), for: "home")
        let home = try #require(try other.keptDocument([Article].self, for: "home"))
        let store = ResourceStore()
        try store.ingest(home)
        #expect(try store.resource(Article.self, id: "1")?.author.value?.name == "Ann")
    }

    @Test func `a document does not bring back older states of the same store`() throws {
        let store = ResourceStore()
        try store.ingest([Person(id: "9", name: "Ann")])
        try store.ingest([Article(id: "1", title: "One", author: ToOne(id: "9"))])
        let identifier = ResourceIdentifier(type: "articles", id: "1")
        let old = try #require(try store.snapshot().resource(Article.self, identifier))
        let article = try #require(try store.resource(Article.self, identifier))
        try store.transaction { transaction in
            try transaction.apply(Patch<Person>(id: "9").set("name", "Bea"))
            try transaction.ingest(Document([article]))
        }
        #expect(store[.person("9")]?[attribute: "name"] == "Bea")
        try store.ingest(Document([old]))
        #expect(store[.person("9")]?[attribute: "name"] == "Bea")
        // What the store no longer has comes back.
        store.remove(.person("9"))
        try store.ingest(Document([old]))
        #expect(store[.person("9")]?[attribute: "name"] == "Ann")
    }

    @Test func `a document that was read without keeping it brings what it included`() throws {
        let store = ResourceStore()
        let text =
            #"{"data":{"type":"articles","id":"1","attributes":{"title":"One"},"relationships":{"comments":{"data":[]},"#
            + #""author":{"data":{"type":"people","id":"9"}}}},"included":[{"type":"people","id":"9","attributes":{"name":"Ann"}}]}"#
        let preview = try store.decode(Article.self, from: .init(text.utf8), keeping: .nothing)
        try store.ingest(Document(preview))
        #expect(try store.resource(Article.self, id: "1")?.author.value?.name == "Ann")
    }

    @Test func `the undo of a queued change survives when a document that refers to the resource is added`() throws {
        let store = ResourceStore()
        let queue = RequestQueue(store)
        try store.ingest([Person(id: "9", name: "Ann")])
        try store.ingest([Article(id: "1", title: "One", author: ToOne(id: "9"))])
        let request = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Bea")))
        let article = try #require(try store.resource(Article.self, id: "1"))
        #expect(article.author.value?.name == "Bea")
        try store.ingest(Document([article]))
        let person = try #require(try store.resource(Person.self, id: "9"))
        try store.ingest(Document([Article(id: "1", title: "One", author: ToOne(person))]))
        try queue.rollBack(request)
        #expect(store[.person("9")]?[attribute: "name"] == "Ann")
    }

    @Test func linkageIsNotStoredAsResources() throws {
        let store = ResourceStore()
        let text = #"{"data": [{"type": "people", "id": "9"}], "included": [{"type": "people", "id": "9", "attributes": {"name": "A"}}]}"#
        let linkage = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: .init(text.utf8))
        #expect(try store.ingest(linkage).inserted == 1)
        let empty = ResourceStore()
        let bare = try JSONAPIDecoder().decode(
            Document<ResourceIdentifier?>.self, from: .init(#"{"data":{"type":"people","id":"9"}}"#.utf8))
        try empty.ingest(bare)
        #expect(empty.isEmpty)
    }
}
