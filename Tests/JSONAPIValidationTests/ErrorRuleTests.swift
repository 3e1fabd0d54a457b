import JSONAPIValidation
import Testing

/// Error objects: https://jsonapi.org/format/1.1/#error-objects
@Suite struct ErrorRuleTests {
    private static func error(_ members: String) -> String { #"{"errors": [{"status": "400", \#(members)}]}"# }

    static let cases = [
        RuleCase("errors as text", #"{"errors": "x"}"#, as: .error, "errors/array /errors"),
        RuleCase("no errors are not ruled out", #"{"errors": []}"#, as: .error),
        RuleCase("an array in the array", #"{"errors": [[]]}"#, as: .error, "errors/array /errors/0"),
        RuleCase(
            "an error with an @-member only", #"{"errors": [{"@a": 1}]}"#, as: .error, "errors/error-objects/at-least-one-member /errors/0"),
        RuleCase(
            "an extension member is not enough", #"{"errors": [{"audit:a": 1}]}"#, as: .error, context: Given.audit,
            "errors/error-objects/at-least-one-member /errors/0"),
        RuleCase(
            "a status is recommended, on each error", #"{"errors": [{"status": "400"}, {"id": "e"}]}"#, as: .error,
            "~errors/error-objects/status-provided /errors/1"),
        RuleCase(
            "one id for two errors", #"{"errors": [{"status": "400", "id": "e"}, {"status": "400", "id": "\u0065"}]}"#, as: .error,
            "errors/error-objects/id-unique /errors/1/id"),
        RuleCase(
            "status as a word, of two digits, empty", #"{"errors": [{"status": "Bad"}, {"status": "40"}, {"status": ""}]}"#, as: .error,
            "errors/error-objects/status-string /errors/0/status", "errors/error-objects/status-string /errors/1/status",
            "errors/error-objects/status-string /errors/2/status"),
        RuleCase(
            "status with a zero in front", #"{"errors": [{"status": "042"}, {"status": "000"}, {"status": "402"}]}"#, as: .error,
            "errors/error-objects/status-string /errors/0/status", "errors/error-objects/status-string /errors/1/status"),
        RuleCase(
            "code, title and detail null", error(#""code": null, "title": null, "detail": null"#), as: .error,
            "errors/error-objects/code-string /errors/0/code", "errors/error-objects/title-string /errors/0/title",
            "errors/error-objects/detail-string /errors/0/detail"),
        RuleCase("code as a number", error(#""code": 7"#), as: .error, "errors/error-objects/code-string /errors/0/code"),
        RuleCase("source as an array", error(#""source": []"#), as: .error, "errors/error-objects/source-object /errors/0/source"),
        RuleCase("source with nothing", error(#""source": {}"#), as: .error, "~errors/error-objects/source-member /errors/0/source"),
        RuleCase(
            "source with a name of its own", error(#""source": {"field": "x"}"#), as: .error,
            "~errors/error-objects/source-member /errors/0/source", "document-structure/no-additional-members /errors/0/source/field"),
        RuleCase(
            "pointers of wrong form",
            #"{"errors": [{"status": "400", "source": {"pointer": "/a~2"}}, {"status": "400", "source": {"pointer": null}}]}"#, as: .error,
            "errors/error-objects/pointer-syntax /errors/0/source/pointer", "errors/error-objects/pointer-syntax /errors/1/source/pointer"),
        RuleCase("pointers of right form", error(#""source": {"pointer": "/a~1b/~0/0/"}"#), as: .error),
        RuleCase(
            "parameter and header as arrays", error(#""source": {"parameter": ["a"], "header": 1}"#), as: .error,
            "errors/error-objects/parameter-string /errors/0/source/parameter", "errors/error-objects/header-string /errors/0/source/header"
        ),
        RuleCase(
            "errors beside data are looked at, too", #"{"data": null, "errors": [1]}"#,
            "document-structure/top-level/data-and-errors-exclusive ",
            "errors/array /errors/0"),
        RuleCase(
            "a link of another place", error(#""links": {"related": "/"}"#), as: .error,
            "document-structure/no-additional-members /errors/0/links/related"),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }
}
