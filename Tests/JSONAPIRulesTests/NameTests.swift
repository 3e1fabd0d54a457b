import JSONAPIRules
import JSONText
import Testing

@Suite struct NameTests {
    @Test(arguments: ["a", "Z", "9", "first-name", "first_name", "first name", "a--__  b", "prénom", "名前", "💡", "\u{80}", "é-é"])
    func validNames(_ name: String) {
        #expect(MemberName(Array(name.utf8)) == .legal)
    }

    @Test(arguments: [
        "", "-a", "a-", "_a", "a_", " a", "a ", "_", " ", "a.b", "a+b", "a/b", "a~b", "a\u{0}b", "a\u{7F}b", ":a", "-:a", "a b:c.",
        "é:a", "a@b",
    ])
    func invalidNames(_ name: String) {
        #expect(MemberName(Array(name.utf8)) == .illegal)
    }

    @Test func otherKinds() {
        for name in ["@", "@context", "@a.b"] { #expect(MemberName(Array(name.utf8)) == .at) }
        for name in ["audit:trail", "a1:first name"] { #expect(MemberName(Array(name.utf8)) == .ofExtension) }
        for name in ["audit:", "audit:-a", "a:b:c", "a:@b"] { #expect(MemberName(Array(name.utf8)) == .illegalOfExtension) }
    }

    @Test(arguments: [
        "", "/", "?a=b", "#a", "//host/a", "a/b:c", "./a:b", "urn:isbn:1", "mailto:a@b.c", "http://[::1]:80/", "?page[number]=2", "a%20b",
        "http://h:/", "http://u:p@h:8080/x?y=@[1]", "//[v1.a]/", "http://", "file:///a@b@c", "a/b@c@d", "http://1.2.3.4:80",
    ])
    func references(_ text: String) {
        #expect(URIText(text).isReference)
    }

    @Test(arguments: [
        "a b", "é", "%", "%4", "%4g", "<a>", "1http://a", ":a", "a|b", "a\\b", "a\"b", "{a}", "a#b#c", "a\u{7F}", "http://h:80a/",
        "http://a@b@c/", "http://[::1/", "http://ex[am]ple.com/", "//h:abc/", "http://[zz]/", "http://[::1]x/",
        "http://u[1]@h/",
    ])
    func noReferences(_ text: String) {
        #expect(!URIText(text).isReference)
    }

    @Test func otherTexts() {
        #expect(URIText("https://example.com").isURI)
        #expect(!URIText("/ext/audit").isURI)
        #expect(!URIText("timestamps").isURI)
        for text in ["next", "version-history", "https://example.com/rel"] { #expect(URIText(text).isRelationType) }
        for text in ["", "a b", "1a"] { #expect(!URIText(text).isRelationType) }
        for text in ["en", "en-US", "zh-Hant-TW", "i-klingon", "de-1996"] { #expect(URIText(text).isLanguageTag) }
        for text in ["", "en_US", "en, de", "english language", "-en", "en-", "1"] { #expect(!URIText(text).isLanguageTag) }
    }

    @Test("A language tag has each variant once, and each extension")
    func repeatedSubtags() {
        for text in ["sl-rozaj-biske", "en-a-bbb-x-a-ccc", "en-a-bb-b-bb", "x-a-a", "de-x-1996-1996"] {
            #expect(URIText(text).isLanguageTag)
        }
        for text in ["de-1996-1996", "de-DE-1901-1901", "sl-rozaj-biske-ROZAJ", "en-a-bb-a-cc", "en-a-bb-A-cc"] {
            #expect(!URIText(text).isLanguageTag)
        }
    }
}
