import JSONText
import Testing

@testable import JSONAPICodec

/// Documents of real servers: a document for each known habit, in three modes.
@Suite struct SurveyServerTests {
    @Test(arguments: fields + errors + identities) func eachModeBehavesAsDocumented(_ row: SurveyCase) { row.check() }
    @Test(arguments: compound + containers + relationships) func eachModeBehavesAsDocumentedForStructure(_ row: SurveyCase) { row.check() }

    static let fields: [SurveyCase] = [
        SurveyCase(
            "L1 attribute called type", article(#""attributes": {"type": "essay"}"#), at: "/data/attributes/type", strict: .illegalName,
            else: .reservedFieldName),
        SurveyCase(
            "L2 attribute called id", article(#""attributes": {"id": 7}"#), at: "/data/attributes/id", strict: .illegalName,
            else: .reservedFieldName),
        SurveyCase(
            "L2 relationship called id", article(#""relationships": {"id": {"data": null}}"#), at: "/data/relationships/id",
            strict: .illegalName, else: .reservedFieldName),
        SurveyCase(
            "L4 custom link", article(#""links": {"html": "/1.html"}"#), at: "/data/links/html", strict: .unknownMember, else: .unknownLink),
        SurveyCase(
            "L4 previous", #"{"data": [], "links": {"previous": "/?page=1"}}"#, at: "/links/previous", strict: .unknownMember,
            else: .unknownLink),
        SurveyCase(
            "L4 custom link of a relationship", related(#"{"links": {"self": "/a", "upload": 7}}"#),
            at: "/data/relationships/author/links/upload", strict: .unknownMember, else: .unknownLink),
        SurveyCase(
            "L8 unknown member", #"{"data": null, "pagination": {}}"#, at: "/pagination", strict: .unknownMember, else: .unknownMember),
        SurveyCase(
            "L16 type", #"{"data": {"type": "a.b", "id": "1"}}"#, at: "/data/type", strict: .illegalName, else: .illegalName),
        SurveyCase(
            "L16 attribute", article(#""attributes": {"a.b": 1}"#), at: "/data/attributes/a.b", strict: .illegalName,
            else: .illegalName),
        SurveyCase(
            "L16 relationship", article(#""relationships": {"_a": {"data": null}}"#), at: "/data/relationships/_a",
            strict: .illegalName, else: .illegalName),
        SurveyCase(
            "L16 type of an identifier", related(#"{"data": {"type": "peo+ple", "id": "3"}}"#),
            at: "/data/relationships/author/data/type", strict: .illegalName, else: .illegalName),
        SurveyCase(
            "L17 blank in a link", #"{"data": null, "links": {"self": "/a?q=war and peace"}}"#, at: "/links/self",
            strict: .invalidValue, else: .invalidLink),
        SurveyCase(
            "L17 blank in a link object", #"{"data": null, "links": {"self": {"href": "/a b"}}}"#, at: "/links/self/href",
            strict: .invalidValue, else: .invalidLink),
        SurveyCase(
            "L23 one name for both", article(#""attributes": {"author": 1}, "relationships": {"author": {"data": null}}"#),
            at: "/data/relationships/author", strict: .duplicateName, else: .fieldNameClash),
        SurveyCase("L26 no version", #"{"data": null, "jsonapi": {}}"#, .silent),
        SurveyCase(
            "L27 name twice", article(#""attributes": {"a": 1, "a": 2}"#), strict: .fails(.duplicateName, "/data/attributes"),
            standard: .reports(.duplicateName, "/data/attributes/a"), lenient: .reports(.duplicateName, "/data/attributes/a")),
    ]

    static let errors: [SurveyCase] = [
        SurveyCase("L3 text", #"{"errors": ["no"]}"#, at: "/errors/0", strict: .wrongType, uses: .textErrors),
        SurveyCase(
            "L9 number as status", #"{"errors": [{"status": 422}]}"#, at: "/errors/0/status", strict: .wrongType, uses: .numericStatus),
        SurveyCase(
            "L10 null code", #"{"errors": [{"status": "422", "code": null}]}"#, at: "/errors/0/code", strict: .wrongType,
            uses: .nullErrorMembers),
        SurveyCase(
            "L10 null source", #"{"errors": [{"status": "422", "source": null}]}"#, at: "/errors/0/source", strict: .wrongType,
            uses: .nullErrorMembers),
        SurveyCase(
            "L10 null links", #"{"errors": [{"status": "422", "links": null}]}"#, at: "/errors/0/links", strict: .wrongType,
            uses: .nullErrorMembers),
        SurveyCase(
            "L10 null meta", #"{"errors": [{"status": "422", "meta": null}]}"#, at: "/errors/0/meta", strict: .wrongType,
            uses: .nullErrorMembers),
        SurveyCase(
            "L10 null id", #"{"errors": [{"status": "422", "id": null}]}"#, at: "/errors/0/id", strict: .wrongType, uses: .nullErrorMembers),
        SurveyCase(
            "L10 null pointer", #"{"errors": [{"source": {"pointer": null}}]}"#, at: "/errors/0/source/pointer", strict: .wrongType,
            uses: .nullErrorMembers),
        SurveyCase(
            "L10 status with a zero in front", #"{"errors": [{"status": "042"}]}"#, at: "/errors/0/status", strict: .invalidValue,
            uses: .invalidErrorMembers),
        SurveyCase(
            "L10 status in words", #"{"errors": [{"status": "Not Found"}]}"#, at: "/errors/0/status", strict: .invalidValue,
            uses: .invalidErrorMembers),
        SurveyCase(
            "L25 pointer without slash", #"{"errors": [{"source": {"pointer": "data/title"}}]}"#, at: "/errors/0/source/pointer",
            strict: .invalidValue, else: .invalidPointer),
    ]

    static let identities: [SurveyCase] = [
        SurveyCase("L5 null id", #"{"data": {"type": "a", "id": null}}"#, at: "/data/id", .wrongType, unless: .missingIDs),
        SurveyCase("L11 no type", #"{"data": {"id": "1"}}"#, at: "/data", .missingMember, unless: .missingTypes),
        SurveyCase("L12 no id", #"{"data": [{"type": "a"}]}"#, at: "/data/0", .missingMember, unless: .missingIDs),
        SurveyCase("L12 no id in a request", #"{"data": {"type": "a"}}"#, source: .request, .silent),
        SurveyCase("L13 integer id", #"{"data": {"type": "a", "id": 42}}"#, at: "/data/id", .wrongType, unless: .integerIDs),
        SurveyCase(
            "L13 integer id of an identifier", related(#"{"data": {"type": "people", "id": 3}}"#),
            at: "/data/relationships/author/data/id", .wrongType, unless: .integerIDs),
        SurveyCase(
            "L21 identifier without id", related(#"{"data": {"type": "people"}}"#), at: "/data/relationships/author/data",
            .missingMember, unless: .identifiersWithoutID),
        SurveyCase(
            "L7 resource in linkage", related(#"{"data": {"type": "people", "id": "3", "attributes": {"name": "Jane"}}}"#),
            strict: .fails(.unknownMember, "/data/relationships/author/data/attributes"),
            standard: .reports(.unknownMember, "/data/relationships/author/data/attributes"),
            lenient: .uses(.embeddedResources, "/data/relationships/author/data/attributes")),
        SurveyCase(
            "L7 extra member of an identifier", related(#"{"data": {"type": "people", "id": "3", "name": "Jane"}}"#),
            at: "/data/relationships/author/data/name", strict: .unknownMember, else: .unknownMember),
    ]

    static let compound: [SurveyCase] = [
        SurveyCase(
            "L6 not linked", #"{"data": null, "included": [{"type": "a", "id": "1"}]}"#, at: "/included/0", strict: .notLinked,
            else: .notLinked),
        SurveyCase(
            "L14 twice in primary data", #"{"data": [{"type": "a", "id": "1"}, {"type": "a", "id": "1"}]}"#,
            .reports(.duplicateResource, "/data/1")),
        SurveyCase(
            "L15 twice in a compound document",
            #"{"data": null, "included": [{"type": "a", "id": "1"}, {"type": "a", "id": "1"}]}"#, at: "/included/1", .duplicateResource,
            unless: .duplicateIncluded),
        SurveyCase(
            "L15 primary data again", article(#""attributes": {}"#, beside: #""included": [{"type": "articles", "id": "1"}]"#),
            at: "/included/0", .duplicateResource, unless: .duplicateIncluded),
        SurveyCase(
            "L22 repeated identifier",
            related(#"{"data": [{"type": "p", "id": "1"}, {"type": "p", "id": "2"}, {"type": "p", "id": "1"}]}"#),
            .reports(.repeatedIdentifier, "/data/relationships/author/data/2")),
        SurveyCase(
            "L24 data and errors", #"{"data": null, "errors": [{"title": "x"}]}"#, at: "", .documentStructure, unless: .dataWithErrors),
    ]

    static let containers: [SurveyCase] = [
        SurveyCase("L18 attributes", article(#""attributes": null"#), at: "/data/attributes", .wrongType, unless: .nullContainers),
        SurveyCase(
            "L18 relationships", article(#""relationships": null"#), at: "/data/relationships", .wrongType, unless: .nullContainers),
        SurveyCase("L18 links", #"{"data": null, "links": null}"#, at: "/links", .wrongType, unless: .nullContainers),
        SurveyCase("L18 meta", #"{"data": null, "meta": null}"#, at: "/meta", .wrongType, unless: .nullContainers),
        SurveyCase("L18 included", #"{"data": null, "included": null}"#, at: "/included", .wrongType, unless: .nullContainers),
        SurveyCase("L18 jsonapi", #"{"data": null, "jsonapi": null}"#, at: "/jsonapi", .wrongType, unless: .nullContainers),
        SurveyCase(
            "L18 relationship", related("null"), at: "/data/relationships/author", .wrongType, unless: .nullContainers),
        SurveyCase("L20 links", #"{"data": null, "links": []}"#, at: "/links", .wrongType, unless: .emptyArrayContainers),
        SurveyCase("L20 attributes", article(#""attributes": []"#), at: "/data/attributes", .wrongType, unless: .emptyArrayContainers),
        SurveyCase(
            "L20 links of a relationship", related(#"{"data": null, "links": []}"#), at: "/data/relationships/author/links", .wrongType,
            unless: .emptyArrayContainers),
        SurveyCase("L20 links with something in them", #"{"data": null, "links": ["/a"]}"#, .fails(.wrongType, "/links")),
    ]

    static let relationships: [SurveyCase] = [
        SurveyCase("L19 empty", related("{}"), at: "/data/relationships/author", .missingMember, unless: .emptyRelationships),
        SurveyCase(
            "L19 none of the three", related(#"{"count": 2}"#), at: "/data/relationships/author", .missingMember,
            unless: .emptyRelationships),
        SurveyCase(
            "@-members say nothing", related(#"{"@data": 1}"#), at: "/data/relationships/author", .missingMember,
            unless: .emptyRelationships),
        SurveyCase("a member of an extension does", related(#"{"audit:x": 1}"#), .silent),
        SurveyCase("meta does", related(#"{"meta": {}}"#), .silent),
        SurveyCase(
            "links without self and related", related(#"{"links": {"next": "/2"}}"#), at: "/data/relationships/author/links",
            .missingMember, unless: .emptyRelationships),
        SurveyCase(
            "a relationship in a request has data", related(#"{"links": {"self": "/a"}}"#), source: .request,
            at: "/data/relationships/author", .missingMember, unless: .emptyRelationships),
    ]
}
