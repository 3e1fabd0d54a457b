import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Links")
struct LinksTests {
    @Test("Every defined link is read and written in each form")
    func members() {
        let forms: [(JSON, DocumentLink)] = [
            ("/1?page[size]=2", .text("/1?page[size]=2")), ("", .text("")), (nil, .null),
            (["href": "/1", "meta": ["n": 1]], .object(LinkObject(href: "/1", meta: ["n": 1]))),
            ([:], .object(LinkObject(members: [:]))),
        ]
        let properties: [(WritableKeyPath<Links, DocumentLink?>, String)] = [
            (\.`self`, "self"), (\.related, "related"), (\.describedby, "describedby"), (\.first, "first"),
            (\.last, "last"), (\.prev, "prev"), (\.next, "next"), (\.about, "about"), (\.type, "type"),
        ]
        for (property, name) in properties {
            for (wire, link) in forms {
                ModelSupport.check(property, name, wire: wire, value: link)
            }
            ModelSupport.checkOtherShapes(
                property, name, readable: ["text", nil, [:], ["x": 1], ["data": 1, "type": nil]])
        }
    }

    @Test("An absent link and a null link differ")
    func absentAndNull() {
        var links: Links = ["self": "/", "prev": .null]
        #expect(links.`self`?.href == "/")
        #expect(links.prev?.isNull == true)
        #expect(links.next == nil)
        #expect(links["self"] == links.`self`)
        links.next = .null
        links.prev = nil
        #expect(links.description == #"{"self":"/","next":null}"#)
        #expect(links.contains { $0.name == "next" && $0.link == .null })
    }

    @Test("Links of unknown names are read and written; previous is not prev")
    func unknownNames() throws {
        var links = Links(
            members: try ModelSupport.members(#"{"previous":"/1","@x":"/2","ns:y":"/3","html":{"href":"/4"},"n":17}"#))
        #expect(links["previous"]?.href == "/1")
        #expect(links.prev == nil)
        #expect(links.names == ["previous", "html"])
        #expect(links["n"] == nil)
        #expect(links.unknownMembers.description == #"{"previous":"/1","html":{"href":"/4"},"n":17}"#)
        links["html"] = "/5"
        links["previous"] = nil
        try ModelSupport.expectIdentical(links.members, #"{"@x":"/2","ns:y":"/3","html":"/5","n":17}"#)
        #expect(Links(links.map { $0 }).description == #"{"html":"/5"}"#)
    }

    @Test("An empty array reads as links without members")
    func emptyArray() {
        #expect(DocumentObject(members: ["links": []]).links == Links())
        #expect(DocumentObject(members: ["links": ["x"]]).links == nil)
        #expect(DocumentObject(members: ["links": nil]).links == nil)
        #expect(Links(json: []) == Links())
    }
}

@Suite("Link")
struct LinkTests {
    @Test("The three forms are distinguished and kept")
    func forms() {
        let text: DocumentLink = "/1"
        let object = DocumentLink.object(LinkObject(href: "/1"))
        #expect(text.href == "/1")
        #expect(object.href == "/1")
        #expect(DocumentLink.null.href == nil)
        #expect(text != object)
        #expect(Set([text, object, .null, .text("/1")]).count == 3)
        #expect([text, object, .null].map(\.description) == [#""/1""#, #"{"href":"/1"}"#, "null"])
        #expect([text, object, .null].map(\.isNull) == [false, false, true])
        #expect(object.object == LinkObject(href: "/1"))
        #expect(text.object == nil)
        #expect(DocumentLink.object(LinkObject(href: "/", meta: ["a": 1])).meta == ["a": 1])
        for json: JSON in [17, true, [], ["x"]] { #expect(DocumentLink(json: json) == nil) }
    }

    @Test("Texts are compared by bytes")
    func equality() {
        #expect(DocumentLink.text("\u{E9}") != DocumentLink.text("e\u{301}"))
        #expect(DocumentLink.text("\u{E9}") == DocumentLink.text("\u{E9}"))
    }

    @Test("Setting the reference keeps the form and the other members")
    func settingHref() {
        var text: DocumentLink = "/1"
        text.href = "/2"
        #expect(text == "/2")
        text.href = nil
        #expect(text == .null)
        text.href = "/3"
        #expect(text == "/3")
        var object = DocumentLink.object(LinkObject(members: ["@x": 1, "href": "/1", "rel": "next"]))
        object.href = "/2"
        #expect(object.description == #"{"@x":1,"href":"/2","rel":"next"}"#)
        object.href = nil
        #expect(object.description == #"{"@x":1,"rel":"next"}"#)
    }

    @Test("A reference is a URL if valid, and kept as text otherwise")
    func urls() throws {
        #expect(DocumentLink.text("https://example.com/1").url == URL(string: "https://example.com/1"))
        #expect(DocumentLink.text("/articles/1").url?.relativeString == "/articles/1")
        #expect(DocumentLink.object(LinkObject(href: "urn:a:b")).url?.scheme == "urn")
        #expect(DocumentLink.null.url == nil)
        #expect(DocumentLink.text("").url == nil)
        let faulty = DocumentLink.text("http://[")
        #expect(faulty.url == nil)
        #expect(faulty.href == "http://[")
        #expect(DocumentLink.object(LinkObject(members: ["href": 17])).url == nil)
    }

    @Test("Relative references are resolved against the document's address")
    func resolution() throws {
        let base = try #require(URL(string: "https://example.com/articles/1?include=author#top"))
        #expect(DocumentLink.text("/people/9").url(relativeTo: base)?.absoluteString == "https://example.com/people/9")
        #expect(DocumentLink.text("2").url(relativeTo: base)?.absoluteString == "https://example.com/articles/2")
        #expect(DocumentLink.text("//a.b/c").url(relativeTo: base)?.absoluteString == "https://a.b/c")
        #expect(DocumentLink.text("urn:x:y").url(relativeTo: base)?.absoluteString == "urn:x:y")
        #expect(
            DocumentLink.text("").url(relativeTo: base)?.absoluteString == "https://example.com/articles/1?include=author")
        #expect(
            DocumentLink.text("?page[after]=a%2Bb c&x=100%&é").url(relativeTo: base)?.absoluteString
                == "https://example.com/articles/1?page%5Bafter%5D=a%2Bb%20c&x=100%25&%C3%A9")
        #expect(DocumentLink.text("http://[::1]:80/[a]").url?.absoluteString == "http://[::1]:80/%5Ba%5D")
        #expect(DocumentLink.null.url(relativeTo: base) == nil)
        #expect(DocumentLink.text("http://[").url(relativeTo: base) == nil)
    }

    @Test("Foundation's coders keep it")
    func codable() throws {
        let links: [DocumentLink] = ["/1", .null, .object(LinkObject(href: "/2", hreflang: ["de", "en"]))]
        #expect(try ModelSupport.recoded(links) == links)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([DocumentLink].self, from: Data("[17]".utf8)) }
    }
}

@Suite("Link object")
struct LinkObjectTests {
    @Test("Every member is read and written")
    func members() {
        ModelSupport.check(\LinkObject.href, "href", wire: "/1", value: "/1")
        ModelSupport.check(\LinkObject.rel, "rel", wire: "next", value: "next")
        ModelSupport.check(\LinkObject.describedby, "describedby", wire: "/s", value: "/s")
        ModelSupport.check(\LinkObject.describedby, "describedby", wire: nil, value: .null)
        ModelSupport.check(
            \LinkObject.describedby, "describedby", wire: ["href": "/s"], value: .object(LinkObject(href: "/s")))
        ModelSupport.check(\LinkObject.title, "title", wire: "T", value: "T")
        ModelSupport.check(\LinkObject.type, "type", wire: "text/html", value: "text/html")
        ModelSupport.check(\LinkObject.meta, "meta", wire: ["n": 1], value: ["n": 1])
    }

    @Test("Members of other shapes are nil, and are kept")
    func otherShapes() {
        let properties: [(KeyPath<LinkObject, String?>, String)] = [
            (\.href, "href"), (\.rel, "rel"), (\.title, "title"), (\.type, "type"),
        ]
        for (property, name) in properties {
            ModelSupport.checkOtherShapes(property, name, readable: ["text"])
        }
        ModelSupport.checkOtherShapes(
            \LinkObject.describedby, "describedby", readable: ["text", nil, [:], ["x": 1], ["data": 1, "type": nil]])
        ModelSupport.checkOtherShapes(\LinkObject.hreflang, "hreflang", readable: ["text", []])
    }

    @Test("Languages are a string or an array")
    func hreflang() {
        ModelSupport.check(\LinkObject.hreflang, "hreflang", wire: "en", value: ["en"])
        ModelSupport.check(\LinkObject.hreflang, "hreflang", wire: ["en", "de-AT"], value: ["en", "de-AT"])
        ModelSupport.check(\LinkObject.hreflang, "hreflang", wire: [], value: [])
        var link = LinkObject(members: ["href": "/", "hreflang": ["en"]])
        #expect(link.hreflang == ["en"])
        #expect(link.description == #"{"href":"/","hreflang":["en"]}"#)
        link.hreflang?.append("de")
        #expect(link.description == #"{"href":"/","hreflang":["en","de"]}"#)
        link.hreflang?.removeFirst()
        #expect(link.description == #"{"href":"/","hreflang":"de"}"#)
    }

    @Test("The initializer writes members in a fixed order, without nil")
    func initializer() {
        #expect(LinkObject(href: "").description == #"{"href":""}"#)
        #expect(
            LinkObject(
                href: "/", rel: "r", describedby: .null, title: "t", type: "y", hreflang: ["en"], meta: [:]
            ).description
                == #"{"href":"/","rel":"r","describedby":null,"title":"t","type":"y","hreflang":"en","meta":{}}"#)
    }

    @Test("A chain of 100,000 descriptions is created, read, compared, and released without recursion")
    func describedby() {
        func chain() -> DocumentLink {
            var link: DocumentLink = "end"
            for _ in 0..<100_000 { link = .object(LinkObject(href: "/", describedby: link)) }
            return link
        }
        let link = chain()
        var end = link
        var steps = 0
        while let next = end.object?.describedby {
            end = next
            steps += 1
        }
        #expect(steps == 100_000)
        #expect(end == "end")
        #expect(link == chain())
        #expect(link.hashValue == chain().hashValue)
    }
}
