/// A rule that the decoder's modes and the validator both ask for, each with its own consequences: the modes throw or report
/// (`DocumentSurvey`), the validator reports all (`DocumentCheck`).
///
/// Ids are those of `Conformance/requirements.json`.
package enum Rule: String, CaseIterable, Sendable {
    // <https://jsonapi.org/format/1.1/#document-links>
    case linkRepresentation = "document-structure/links/link-representation"
    case linkReference = "document-structure/link-objects/href-required"
    case relationType = "document-structure/link-objects/rel-valid"
    case describingLink = "document-structure/link-objects/describedby-link"
    case linkTitle = "document-structure/link-objects/title-string"
    case linkType = "document-structure/link-objects/type-string"
    case languageString = "document-structure/link-objects/hreflang-string-or-array"
    case languageTag = "document-structure/link-objects/hreflang-valid"
    case paginationPlace = "fetching/pagination/links-location"

    // <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    case versionString = "document-structure/jsonapi-object/version-string"
    case extensionURIs = "document-structure/jsonapi-object/ext-array-of-uris"
    case profileURIs = "document-structure/jsonapi-object/profile-array-of-uris"

    // <https://jsonapi.org/format/1.1/#error-objects>
    case errorsArray = "errors/array"
    case errorMember = "errors/error-objects/at-least-one-member"
    case errorID = "errors/error-objects/id-unique"
    case errorStatus = "errors/error-objects/status-string"
    case errorStatusPresent = "errors/error-objects/status-provided"
    case errorCode = "errors/error-objects/code-string"
    case errorTitle = "errors/error-objects/title-string"
    case errorDetail = "errors/error-objects/detail-string"
    case errorSource = "errors/error-objects/source-object"
    case errorSourceMember = "errors/error-objects/source-member"
    case errorPointer = "errors/error-objects/pointer-syntax"
    case errorParameter = "errors/error-objects/parameter-string"
    case errorHeader = "errors/error-objects/header-string"
}

extension Rule {
    /// How strongly the standard asks, after BCP 14.
    package enum Level: Sendable { case must, should }

    package var level: Level {
        switch self {
        case .errorStatusPresent, .errorSourceMember: .should
        default: .must
        }
    }

    /// The section of the standard: an anchor of its page.
    package var anchor: String {
        switch self {
        case .linkRepresentation: "document-links-link"
        case .linkReference, .relationType, .describingLink, .linkTitle, .linkType, .languageString, .languageTag:
            "document-links-link-object"
        case .paginationPlace: "fetching-pagination"
        case .versionString, .extensionURIs, .profileURIs: "document-jsonapi-object"
        default: "error-objects"
        }
    }

    /// What the standard asks for, in one sentence.
    package var sentence: String {
        switch self {
        case .linkRepresentation: "A link is a URI reference, a link object, or null."
        case .linkReference: "A link object has `href`, a URI reference."
        case .relationType: "`rel` of a link is one relation type."
        case .describingLink: "`describedby` of a link is a link."
        case .linkTitle: "`title` of a link is a string."
        case .linkType: "`type` of a link is a string."
        case .languageString: "`hreflang` of a link is a string or an array of strings."
        case .languageTag: "`hreflang` of a link is made of language tags."
        case .paginationPlace: "Pagination links stand in the `links` that belong to a collection."
        case .versionString: "`version` of `jsonapi` is a string."
        case .extensionURIs: "`ext` of `jsonapi` is an array of URIs."
        case .profileURIs: "`profile` of `jsonapi` is an array of URIs."
        case .errorsArray: "`errors` is an array of error objects."
        case .errorMember: "An error object has `id`, `links`, `status`, `code`, `title`, `detail`, `source` or `meta`."
        case .errorID: "No two error objects have the same `id`."
        case .errorStatus: "`status` of an error is an HTTP status code, as a string."
        case .errorStatusPresent: "An error object has `status`."
        case .errorCode: "`code` of an error is a string."
        case .errorTitle: "`title` of an error is a string."
        case .errorDetail: "`detail` of an error is a string."
        case .errorSource: "`source` of an error is an object."
        case .errorSourceMember: "`source` of an error has `pointer`, `parameter` or `header`."
        case .errorPointer: "`pointer` of an error's source is a JSON Pointer."
        case .errorParameter: "`parameter` of an error's source is a string."
        case .errorHeader: "`header` of an error's source is a string."
        }
    }
}
