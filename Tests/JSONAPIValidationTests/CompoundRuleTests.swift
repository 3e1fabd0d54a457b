import JSONAPIValidation
import Testing

/// Compound documents, inclusion and sparse fieldsets: https://jsonapi.org/format/1.1/#document-compound-documents
@Suite struct CompoundRuleTests {
    private static func book(_ relationships: String, _ included: String) -> String {
        #"{"data": {"type": "books", "id": "7", "attributes": {"title": "Emma"}, "relationships": {\#(relationships)}}, "included": [\#(included)]}"#
    }
    private static let author = #""author": {"data": {"type": "people", "id": "3"}}"#
    private static let person = #"{"type": "people", "id": "3"}"#
    private static let fullLinkage = "document-structure/compound-documents/full-linkage"
    private static let unique = "document-structure/compound-documents/unique-type-and-id"
    private static let unrequested = "fetching/includes/no-unrequested"

    static let linkage = [
        RuleCase(
            "included is a string", #"{"data": [], "included": "x"}"#,
            "document-structure/compound-documents/included-array-of-resources /included"),
        RuleCase(
            "included has other kinds", book(author, "\(person), 1, []"),
            "document-structure/compound-documents/included-array-of-resources /included/1",
            "document-structure/compound-documents/included-array-of-resources /included/2"),
        RuleCase("nothing is linked from null", #"{"data": null, "included": [{"type": "a", "id": "1"}]}"#, "\(fullLinkage) /included/0"),
        RuleCase("nothing is linked from nothing", #"{"data": [], "included": [{"type": "a", "id": "1"}]}"#, "\(fullLinkage) /included/0"),
        RuleCase(
            "an island of two",
            book(
                "",
                #"{"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "a", "id": "2"}}}}, {"type": "a", "id": "2", "relationships": {"b": {"data": {"type": "a", "id": "1"}}}}"#
            ),
            "\(fullLinkage) /included/0", "\(fullLinkage) /included/1"),
        RuleCase(
            "a chain through a cycle, backwards in the text",
            book(
                author,
                #"{"type": "c", "id": "1", "relationships": {"back": {"data": {"type": "books", "id": "7"}}}}, {"type": "people", "id": "3", "relationships": {"c": {"data": [{"type": "c", "id": "1"}]}}}"#
            )),
        RuleCase(
            "another case of the id is another resource",
            book(#""a": {"data": {"type": "people", "id": "A"}}"#, #"{"type": "people", "id": "a"}"#),
            "\(fullLinkage) /included/0"),
        RuleCase(
            "decomposed é does not link to composed é",
            book(#""a": {"data": {"type": "people", "id": "e\u0301"}}"#, #"{"type": "people", "id": "\u00e9"}"#),
            "\(fullLinkage) /included/0"),
        RuleCase("an id by an escape links", book(#""a": {"data": {"type": "people", "id": "\u0033"}}"#, person)),
        RuleCase(
            "an @-member links nothing", book(#""@a": {"data": {"type": "people", "id": "3"}}"#, person), "\(fullLinkage) /included/0"),
        RuleCase(
            "a broken identifier is one issue", book(#""author": {"data": {"type": "people", "id": 3}}"#, person),
            "document-structure/resource-identifier-objects/identity-members-are-strings /data/relationships/author/data/id"),
        RuleCase(
            "broken linkage is one issue", book(#""author": {"data": "3"}"#, person),
            "document-structure/resource-linkage/shape /data/relationships/author/data"),
        RuleCase(
            "what a broken resource links to is no island",
            book("", #"{"id": "3", "relationships": {"c": {"data": {"type": "c", "id": "1"}}}}, {"type": "c", "id": "1"}"#),
            "document-structure/resource-objects/type-required /included/0"),
        RuleCase(
            "a primary identifier stands for an included resource",
            #"{"data": {"type": "people", "id": "3"}, "included": [{"type": "people", "id": "3", "attributes": {"name": "Jane"}}]}"#),
        RuleCase(
            "unless one resource was asked for", #"{"data": {"type": "people", "id": "3"}, "included": [{"type": "people", "id": "3"}]}"#,
            context: Given.target("single"), "\(unique) /included/0"),
        RuleCase("twice in included, once linked", book(author, "\(person), \(person)"), "\(unique) /included/1"),
        RuleCase("the primary resource again", book(author, #"\#(person), {"type": "books", "id": "7"}"#), "\(unique) /included/1"),
        RuleCase(
            "twice in included and not linked is two issues", book("", "\(person), \(person)"), "\(fullLinkage) /included/0",
            "\(unique) /included/1"),
        RuleCase(
            "one id, two types",
            book(
                #""author": {"data": [{"type": "people", "id": "7"}, {"type": "cities", "id": "7"}]}"#,
                #"{"type": "people", "id": "7"}, {"type": "cities", "id": "7"}"#)),
        RuleCase(
            "twice in a collection, without included", #"{"data": [{"type": "a", "id": "1", "attributes": {}}, {"type": "a", "id": "1"}]}"#,
            "~\(unique) /data/1"),
        RuleCase(
            "a creation with the same resource included twice",
            #"{"data": {"type": "a"}, "included": [{"type": "b", "id": "1"}, {"type": "b", "id": "1"}]}"#, as: .create,
            "\(unique) /included/1"),
    ]

    static let requests = [
        RuleCase(
            "include without included", #"{"data": []}"#, context: Given.query("include=author"), "fetching/includes/response-has-included "
        ),
        RuleCase("an error has none", #"{"errors": [{"status": "400"}]}"#, context: Given.query("include=author")),
        RuleCase("meta alone has none", #"{"meta": {}}"#, context: Given.query("include=author")),
        RuleCase(
            "linked, but not asked for",
            book(#"\#(author), "place": {"data": {"type": "cities", "id": "1"}}"#, #"\#(person), {"type": "cities", "id": "1"}"#),
            context: Given.query("include=author"), "\(unrequested) /included/1"),
        RuleCase(
            "one step beyond the path",
            book(
                author,
                #"{"type": "people", "id": "3", "relationships": {"city": {"data": {"type": "cities", "id": "1"}}}}, {"type": "cities", "id": "1"}"#
            ),
            context: Given.query("include=author"), "\(unrequested) /included/1"),
        RuleCase(
            "the path by encoded and repeated parameters",
            book(
                author,
                #"{"type": "people", "id": "3", "relationships": {"home city": {"data": {"type": "cities", "id": "1"}}}}, {"type": "cities", "id": "1"}"#
            ),
            context: Given.query("?include=author&include=author.home+city%2Cauthor.x")),
        RuleCase(
            "not asked for and not linked is one issue", book(author, #"\#(person), {"type": "cities", "id": "1"}"#),
            context: Given.query("include=author"), "\(fullLinkage) /included/1"),
        RuleCase(
            "nothing asked for and nothing linked is one issue", book("", person), context: Given.query("include="),
            "\(unrequested) /included/0"),
        RuleCase(
            "nothing asked for, and linked", book(author, person), context: Given.query("include="), "\(unrequested) /included/0"),
        RuleCase(
            "a path whose linkage is unknown excuses what is linked",
            book(
                #""author": {"links": {"self": "/a"}}, "place": {"data": {"type": "cities", "id": "1"}}"#, #"{"type": "cities", "id": "1"}"#
            ),
            context: Given.query("include=author")),
        RuleCase(
            "a path that no resource has brings nothing", book(author, person), context: Given.query("include=publisher"),
            "\(unrequested) /included/0"),
        RuleCase(
            "unless a fieldset left the relationship out", book(author, person),
            context: Given.query("include=publisher&fields[books]=author,title")),
        RuleCase(
            "include from a relationship begins with it",
            #"{"data": [{"type": "people", "id": "3"}], "included": [{"type": "people", "id": "3", "relationships": {"city": {"data": {"type": "cities", "id": "1"}}}}, {"type": "cities", "id": "1"}]}"#,
            context: Given.target("relationship-to-many", query: "include=authors"), "\(unrequested) /included/1"),
        RuleCase(
            "and goes on from there",
            #"{"data": [{"type": "people", "id": "3"}], "included": [{"type": "people", "id": "3", "relationships": {"city": {"data": {"type": "cities", "id": "1"}}}}, {"type": "cities", "id": "1"}]}"#,
            context: Given.target("relationship-to-many", query: "include=authors.city")),
        RuleCase(
            "a fieldset without the relationship excuses", book("", person), context: Given.query("include=author&fields[books]=title")),
        RuleCase(
            "a fieldset without a to-many relationship on a path excuses what is reached otherwise",
            #"{"data": {"type": "books", "id": "7", "relationships": {"editor": {"data": {"type": "people", "id": "3"}}}}, "included": [{"type": "people", "id": "3"}]}"#,
            context: Given.query("include=comments&fields[books]=editor")),
        RuleCase(
            "a to-many relationship in the fieldset does not",
            #"{"data": {"type": "books", "id": "7", "relationships": {"editor": {"data": {"type": "people", "id": "3"}}, "comments": {"data": []}}}, "included": [{"type": "people", "id": "3"}]}"#,
            context: Given.query("include=comments&fields[books]=editor,comments"), "\(unrequested) /included/0"),
        RuleCase(
            "a fieldset with the relationship does not", book("", person),
            context: Given.query("include=author&fields[books]=title,author"),
            "\(fullLinkage) /included/0"),
        RuleCase(
            "a path that leads back to the primary resource and on to a relationship that a fieldset left out",
            #"""
            {"data": {"type": "books", "id": "7", "relationships": {"comments": {"data": [{"type": "comments", "id": "1"}]}}},
             "included": [{"type": "comments", "id": "1", "relationships": {"book": {"data": {"type": "books", "id": "7"}}}},
                          {"type": "people", "id": "3"}]}
            """#, context: Given.query("include=comments.book.author&fields[books]=comments")),
        RuleCase(
            "a relationship on the path that has no linkage excuses nothing",
            book(#""author": {"links": {"self": "/a"}}"#, person), context: Given.query("include=author&fields[books]=author,title"),
            "\(fullLinkage) /included/0"),
        RuleCase(
            "a fieldset for a type that is not there does not", book("", person), context: Given.query("fields[films]=title"),
            "\(fullLinkage) /included/0"),
        RuleCase(
            "an empty fieldset excuses", #"{"data": {"type": "books", "id": "7"}, "included": [{"type": "people", "id": "3"}]}"#,
            context: Given.query("fields%5Bbooks%5D=")),
        RuleCase(
            "fields beyond the fieldset",
            #"{"data": {"type": "a", "id": "1", "attributes": {"x": 1, "y": 1, "@z": 1}, "relationships": {"r": {"data": null}}}}"#,
            context: Given.query("fields[a]=y"), "fetching/sparse-fieldsets/no-additional-fields /data/attributes/x",
            "fetching/sparse-fieldsets/no-additional-fields /data/relationships/r"),
        RuleCase(
            "a reserved name is reserved, and that is all", #"{"data": {"type": "a", "id": "1", "attributes": {"id": 1, "_x": 1}}}"#,
            context: Given.query("fields[a]=y"), "document-structure/fields/type-and-id-reserved /data/attributes/id",
            "document-structure/member-names/start-and-end /data/attributes/_x"),
        RuleCase(
            "names that begin with an accent", #"{"data": {"type": "\u0301a", "id": "1", "attributes": {"\u0301x": 1, "b": 1}}}"#,
            context: Given.query("fields[\u{301}a]=b,\u{301}x")),
        RuleCase(
            "in included resources, too", book(author, #"{"type": "people", "id": "3", "attributes": {"name": 1, "age": 1}}"#),
            context: Given.query("fields[people]=age"), "fetching/sparse-fieldsets/no-additional-fields /included/0/attributes/name"),
        RuleCase(
            "a fieldset by its bytes", #"{"data": {"type": "a", "id": "1", "attributes": {"e\u0301": 1, "\u00e9": 1}}}"#,
            context: Given.query("fields[a]=%C3%A9"), "fetching/sparse-fieldsets/no-additional-fields /data/attributes/e\u{301}"),
        RuleCase(
            "a collection as one object", #"{"data": {"type": "a", "id": "1"}}"#, context: Given.target("collection"),
            "document-structure/top-level/collection-is-array /data"),
        RuleCase(
            "a collection as null", #"{"data": null}"#, context: Given.target("collection"),
            "document-structure/top-level/collection-is-array /data"),
        RuleCase(
            "a collection as text", #"{"data": "x"}"#, context: Given.target("collection"),
            "document-structure/top-level/primary-data-shape /data"),
        RuleCase(
            "one resource as an array, whose elements are checked as well", #"{"data": [{"type": "a"}]}"#, context: Given.target("single"),
            "fetching/resources/single-primary-data /data", "document-structure/resource-objects/id-required /data/0"),
        RuleCase(
            "a collection as one object, which is checked as well", #"{"data": {"type": "a", "id": 1}}"#,
            context: Given.target("collection"), "document-structure/top-level/collection-is-array /data",
            "document-structure/resource-objects/identity-members-are-strings /data/id"),
        RuleCase(
            "linkage to one as an array", #"{"data": []}"#, context: Given.target("relationship-to-one"),
            "fetching/relationships/primary-data-linkage /data"),
        RuleCase(
            "linkage to many as null", #"{"data": null}"#, context: Given.target("relationship-to-many"),
            "fetching/relationships/primary-data-linkage /data"),
        RuleCase(
            "a resource where linkage was asked for", #"{"data": {"type": "a", "id": "1", "attributes": {}}}"#,
            context: Given.target("relationship-to-one"), "document-structure/no-additional-members /data/attributes"),
        RuleCase(
            "an identifier without id", #"{"data": [{"type": "a"}]}"#, context: Given.target("relationship-to-many"),
            "document-structure/resource-identifier-objects/id-required /data/0"),
    ]

    @Test(arguments: linkage) func reportsLinkageRules(_ example: RuleCase) throws { try example.check() }

    @Test(arguments: requests) func reportsRulesThatDependOnTheRequest(_ example: RuleCase) throws { try example.check() }
}
