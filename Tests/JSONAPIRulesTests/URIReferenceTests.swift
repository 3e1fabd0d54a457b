import JSONAPIRules
import Testing

@Suite("Comparing URI references")
struct URIReferenceTests {
    private func areOther(_ one: String, _ other: String) -> Bool {
        let result = URIReference(one).isSurelyOther(than: URIReference(other))
        #expect(URIReference(other).isSurelyOther(than: URIReference(one)) == result, "\(one) \(other)")
        return result
    }

    @Test(
        "References that can lead to the same place are not surely others",
        arguments: [
            ("https://e.com/a/1", "https://e.com/a/1"), ("/a/1", "https://e.com/a/1"), ("//e.com/a/1", "https://e.com/a/1"),
            ("a/1", "https://e.com/b/2"), ("", "https://e.com/a"), ("?x=1", "/a"), ("#x", "/a"), ("a", "b"), ("/a", "/a"), ("//h/a", "/a"),
            ("HTTPS://E.com/a", "https://e.com/a"), ("https://e.com:443/a", "https://e.com/a"), ("http://e.com:/a", "http://e.com:80/a"),
            ("//e.com:443/a", "https://e.com/a"), ("https://e.com", "https://e.com/"), ("/%7ea%2f", "/~a%2F"), ("/a b/é", "/a%20b/%C3%A9"),
            ("/a/./b/../1", "/a/1"), ("/a/b/..", "/a/"), ("/../a/.", "/a/"), ("http://[::1]:80/", "http://[::1]"), ("urn:a:1", "urn:a:%31"),
            ("http://u@h/", "http://u@H"), ("/%", "/%"), ("/%4", "/%4"),
        ])
    func same(one: String, other: String) { #expect(!areOther(one, other)) }

    @Test(
        "References that differ in a part that both have are surely others",
        arguments: [
            ("https://e.com/a/1", "https://e.com/a/2"), ("/a/2", "https://e.com/a/1"), ("//f.com/a", "https://e.com/a"),
            ("http://e.com/a", "https://e.com/a"), ("https://e.com:80/a", "https://e.com/a"), ("/a?x=1", "/a?x=2"), ("/a?", "/a"),
            ("/a#x", "/a#y"), ("/A", "/a"), ("/a/", "/a"), ("/a%2Fb", "/a/b"), ("urn:a:1", "urn:a:2"), ("urn:a", "//e.com/a"),
            ("http://u@h/", "http://h/"), ("http://U@h/", "http://u@h/"), ("/e\u{301}", "/\u{E9}"), ("//h", "//h/a"), ("/%4", "/%34"),
        ])
    func others(one: String, other: String) { #expect(areOther(one, other)) }
}
