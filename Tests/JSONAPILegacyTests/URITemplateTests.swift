import JSONAPICodec
import JSONAPILegacy
import Testing

@Suite("URI templates")
struct URITemplateTests {
    @Test(
        "Values are percent-encoded one by one, commas between them are not",
        arguments: [
            ("/p/{posts.id}", "/p/7"),
            ("/p/{posts.id}/c/{list}?x={posts.id}", "/p/7/c/a%2Cb,c%20d?x=7"),
            ("{text}", "%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25"),
            ("{unreserved}", "azAZ09-._~"),
            ("{é}", "%C3%A9%F0%9F%98%80"),
            ("/{empty}/", "//"),
            ("", ""),
            ("{posts.id}{posts.id}", "77"),
        ])
    func expands(template: String, expected: String) throws {
        let values: [String: URITemplate.Value] = [
            "posts.id": "7", "list": ["a,b", "c d"], "text": "/?#[]@!$&'()*+,;=%", "unreserved": "azAZ09-._~", "é": "é😀", "empty": "",
        ]
        #expect(try URITemplate(parsing: template).expand(values) == expected)
    }

    @Test("What no URI may hold is encoded in the text between, triplets are kept")
    func literals() throws {
        #expect(try URITemplate(parsing: "/a b/ü/100%/%41'\"{x}").expand(["x": "1"]) == "/a%20b/%C3%BC/100%25/%41'%221")
    }

    @Test("A variable without a value, or with an empty list, leaves no address", arguments: ["/{a}", "/{b}", "/{c}/{a}", "/{empty}"])
    func undefined(template: String) throws {
        #expect(try URITemplate(parsing: template).expand(["c": "1", "empty": []]) == nil)
    }

    @Test("Variables are each named once, in order, told apart by bytes")
    func variables() throws {
        let template = try URITemplate(parsing: "{b}{a.b-c_d}{b}{caf\u{E9}}{cafe\u{301}}{%41}")
        #expect(template.variables.map { Array($0.utf8) } == ["b", "a.b-c_d", "caf\u{E9}", "cafe\u{301}", "%41"].map { Array($0.utf8) })
        #expect(template.description == template.text)
        #expect(try URITemplate(parsing: "{caf\u{E9}}") != URITemplate(parsing: "{cafe\u{301}}"))
    }

    @Test(
        "A malformed template is told with its place",
        arguments: [
            ("/{a", URITemplateError.Kind.unclosedExpression, 1), ("/a}", .strayBrace, 2), ("{a{b}}", .strayBrace, 2),
            ("x{}", .emptyExpression, 1), ("{.a}", .unsupportedExpression, 1), ("{a.}", .invalidName, 2), ("{a..b}", .invalidName, 3),
            ("{a b}", .invalidName, 2), ("{a%4}", .invalidName, 2), ("{+a}", .unsupportedExpression, 1),
            ("{?a}", .unsupportedExpression, 1),
            ("{a,b}", .unsupportedExpression, 2), ("{a*}", .unsupportedExpression, 2), ("{a:3}", .unsupportedExpression, 2),
            ("é{", .unclosedExpression, 2), ("{", .unclosedExpression, 0), ("{\u{0}}", .invalidName, 1),
        ])
    func malformed(template: String, kind: URITemplateError.Kind, offset: Int) {
        do throws(URITemplateError) {
            _ = try URITemplate(parsing: template)
            Issue.record("\(template) was read")
        } catch {
            #expect(error.kind == kind)
            #expect(error.offset == offset)
            #expect(error.description.contains("\(offset)"))
        }
    }
}
