import JSONAPICodec
import JSONAPILegacy
import Testing

@Suite("URI templates")
struct URITemplateTests {
    @Test(
        "Values are percent-encoded, and the commas between them are not",
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

    @Test("Literal text is percent-encoded, and existing triplets are kept")
    func literals() throws {
        #expect(try URITemplate(parsing: "/a b/ü/100%/%41'\"{x}").expand(["x": "1"]) == "/a%20b/%C3%BC/100%25/%41'%221")
    }

    @Test("Names are percent-encoded like literal text")
    func namesOfValues() throws {
        let template = try URITemplate(parsing: "/p{;ö}{?größe,a%20b}{&é*}")
        #expect(template.variables == ["ö", "größe", "a%20b", "é"])
        #expect(
            template.expand(["ö": "", "größe": "1", "a%20b": "ü", "é": ["1", "2"]])
                == "/p;%C3%B6?gr%C3%B6%C3%9Fe=1&a%20b=%C3%BC&%C3%A9=1&%C3%A9=2")
    }

    @Test("Without a value, or with an empty list, there is no address", arguments: ["/{a}", "/{b}", "/{c}/{a}", "/{empty}"])
    func undefined(template: String) throws {
        #expect(try URITemplate(parsing: template).expand(["c": "1", "empty": []]) == nil)
    }

    @Test(
        "Operators and modifiers follow RFC 6570",
        arguments: [
            ("{+var}", "value"), ("{+hello}", "Hello%20World!"), ("{+path}/here", "/foo/bar/here"),
            ("here?ref={+path}", "here?ref=/foo/bar"),
            ("X{#var}", "X#value"), ("X{#hello}", "X#Hello%20World!"), ("map?{x,y}", "map?1024,768"),
            ("{x,hello,y}", "1024,Hello%20World%21,768"),
            ("{+x,hello,y}", "1024,Hello%20World!,768"), ("{+path,x}/here", "/foo/bar,1024/here"),
            ("{#x,hello,y}", "#1024,Hello%20World!,768"),
            ("X{.var}", "X.value"), ("X{.x,y}", "X.1024.768"), ("{/var}", "/value"), ("{/var,x}/here", "/value/1024/here"),
            ("{;x,y}", ";x=1024;y=768"),
            ("{;x,y,empty}", ";x=1024;y=768;empty"), ("{?x,y}", "?x=1024&y=768"), ("{?x,y,empty}", "?x=1024&y=768&empty="),
            ("?fixed=yes{&x}", "?fixed=yes&x=1024"), ("{&x,y,empty}", "&x=1024&y=768&empty="), ("{var:3}", "val"), ("{var:30}", "value"),
            ("{list}", "red,green,blue"), ("{list*}", "red,green,blue"), ("{+path:6}/here", "/foo/b/here"), ("{+list*}", "red,green,blue"),
            ("{#path:6}/here", "#/foo/b/here"), ("X{.var:3}", "X.val"), ("X{.list}", "X.red,green,blue"), ("X{.list*}", "X.red.green.blue"),
            ("{/var:1,var}", "/v/value"), ("{/list}", "/red,green,blue"), ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
            ("{;hello:5}", ";hello=Hello"),
            ("{;list}", ";list=red,green,blue"), ("{;list*}", ";list=red;list=green;list=blue"), ("{?var:3}", "?var=val"),
            ("{?list}", "?list=red,green,blue"), ("{?list*}", "?list=red&list=green&list=blue"),
            ("{&list*}", "&list=red&list=green&list=blue"),
            ("/posts{?page,undef,size}", "/posts"), ("{?x,undef}", "?x=1024"), ("{x,undef,y}", "1024,768"), ("{+half}", "50%25"),
            ("{+triplet}", "%41"), ("{+escapes:3}", "a%20b"), ("{escapes:3}", "a%252"), ("{#escapes:9}", "#a%20b%25z"),
            ("{?none*,x}", "?x=1024"),
        ])
    func operators(template: String, expected: String) throws {
        let values: [String: URITemplate.Value] = [
            "var": "value", "hello": "Hello World!", "path": "/foo/bar", "x": "1024", "y": "768", "empty": "",
            "list": ["red", "green", "blue"],
            "half": "50%", "triplet": "%41", "escapes": "a%20b%z", "none": [],
        ]
        #expect(try URITemplate(parsing: template).expand(values) == expected)
    }

    @Test("Variables are listed once, in order, and compared by bytes")
    func variables() throws {
        let template = try URITemplate(parsing: "{b}{a.b-c_d}{b}{caf\u{E9}}{cafe\u{301}}{%41}")
        #expect(template.variables.map { Array($0.utf8) } == ["b", "a.b-c_d", "caf\u{E9}", "cafe\u{301}", "%41"].map { Array($0.utf8) })
        #expect(template.description == template.text)
        #expect(try URITemplate(parsing: "{caf\u{E9}}") != URITemplate(parsing: "{cafe\u{301}}"))
    }

    @Test(
        "A malformed template is an error with its place",
        arguments: [
            ("/{a", URITemplateError.Kind.unclosedExpression, 1), ("/a}", .strayBrace, 2), ("{a{b}}", .strayBrace, 2),
            ("x{}", .emptyExpression, 1), ("{a.}", .invalidName, 2), ("{a..b}", .invalidName, 3),
            ("{a b}", .invalidName, 2), ("{a%4}", .invalidName, 2), ("{=a}", .unsupportedExpression, 1),
            ("{|a}", .unsupportedExpression, 1),
            ("{?}", .emptyExpression, 0), ("{a,}", .emptyExpression, 3), ("{,a}", .emptyExpression, 1),
            ("{a*b}", .unsupportedExpression, 2),
            ("{a:0}", .unsupportedExpression, 2), ("{a:12345}", .unsupportedExpression, 2), ("{a:}", .unsupportedExpression, 2),
            ("{?a,+b}", .invalidName, 4),
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
