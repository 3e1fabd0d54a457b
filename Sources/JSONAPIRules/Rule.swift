/// A rule that the decoder, the encoder and the validator share. The tables below describe what each rule requires, and what happens
/// when it is broken.
///
/// Ids are those of `Conformance/requirements.json`.
package enum Rule: String, CaseIterable, Sendable {
    // The top level.
    case requiredMember = "document-structure/top-level/required-member"
    case dataAndErrors = "document-structure/top-level/data-and-errors-exclusive"
    case includedWithoutData = "document-structure/top-level/included-requires-data"

    // Any object.
    case additionalMember = "document-structure/no-additional-members"

    // Resource objects.
    case resourceType = "document-structure/resource-objects/type-required"
    case resourceID = "document-structure/resource-objects/id-required"
    case resourceIdentityString = "document-structure/resource-objects/identity-members-are-strings"
    case uniqueLocalID = "document-structure/resource-objects/lid-unique-in-document"
    case typeName = "document-structure/resource-objects/type-is-member-name"
    case attributesObject = "document-structure/attributes/object"
    case commonNamespace = "document-structure/fields/common-namespace"
    case reservedFieldName = "document-structure/fields/type-and-id-reserved"

    // Relationships.
    case relationshipsObject = "document-structure/relationships/object"
    case relationshipObject = "document-structure/relationships/value-object"
    case relationshipMember = "document-structure/relationships/at-least-one-member"
    case relationshipLinks = "document-structure/relationships/links-self-or-related"
    case linkageShape = "document-structure/resource-linkage/shape"

    // Resource identifier objects.
    case identifierType = "document-structure/resource-identifier-objects/type-required"
    case identifierID = "document-structure/resource-identifier-objects/id-required"
    case identifierLocalID = "document-structure/resource-identifier-objects/lid-for-new-resource"
    case identifierIdentityString = "document-structure/resource-identifier-objects/identity-members-are-strings"

    // Compound documents.
    case fullLinkage = "document-structure/compound-documents/full-linkage"
    case uniqueResource = "document-structure/compound-documents/unique-type-and-id"

    // Names.
    case nonEmptyName = "document-structure/member-names/non-empty"
    case reservedCharacters = "document-structure/member-names/reserved-characters"
    case startAndEnd = "document-structure/member-names/start-and-end"
    case extensionRemainder = "document-structure/extension-member-names/remainder"
    case duplicateName = "json/duplicate-name"

    // Links.
    case linksObject = "document-structure/links/object"
    case linkRepresentation = "document-structure/links/link-representation"
    case linkReference = "document-structure/link-objects/href-required"
    case relationType = "document-structure/link-objects/rel-valid"
    case describingLink = "document-structure/link-objects/describedby-link"
    case linkTitle = "document-structure/link-objects/title-string"
    case linkType = "document-structure/link-objects/type-string"
    case languageString = "document-structure/link-objects/hreflang-string-or-array"
    case languageTag = "document-structure/link-objects/hreflang-valid"
    case paginationPlace = "fetching/pagination/links-location"

    // Meta information and the JSON:API object.
    case metaObject = "document-structure/meta/object"
    case jsonapiObject = "document-structure/jsonapi-object/object"
    case versionString = "document-structure/jsonapi-object/version-string"
    case extensionURIs = "document-structure/jsonapi-object/ext-array-of-uris"
    case profileURIs = "document-structure/jsonapi-object/profile-array-of-uris"

    // Requests.
    case primaryDataLinkage = "fetching/relationships/primary-data-linkage"
    case creationType = "crud/creating/type-required"
    case creationRelationship = "crud/creating/relationship-data-required"
    case updateIdentity = "crud/updating/type-and-id-required"
    case updateRelationship = "crud/updating/relationship-data-required"
    case toOneData = "crud/updating-relationships/to-one/data"
    case toManyData = "crud/updating-relationships/to-many/data"
    case operationType = "atomic/creating/type-required"

    // Error objects.
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
    /// The requirement level, as BCP 14 defines it.
    package enum Level: Sendable { case must, mustNot, should }

    package var level: Level {
        switch self {
        case .errorStatusPresent, .errorSourceMember, .duplicateName: .should
        case .dataAndErrors, .includedWithoutData, .additionalMember, .uniqueResource, .reservedCharacters: .mustNot
        default: .must
        }
    }

    /// The anchor of the section in the standard.
    package var anchor: String {
        switch self {
        case .requiredMember, .dataAndErrors, .includedWithoutData: "document-top-level"
        case .additionalMember: "document-structure"
        case .resourceType, .resourceID: "document-resource-objects"
        case .resourceIdentityString, .uniqueLocalID, .typeName: "document-resource-object-identification"
        case .attributesObject: "document-resource-object-attributes"
        case .commonNamespace, .reservedFieldName: "document-resource-object-fields"
        case .relationshipsObject, .relationshipObject, .relationshipLinks: "document-resource-object-relationships"
        case .relationshipMember: "document-resource-object-relationships-relationship-object"
        case .linkageShape: "document-resource-object-linkage"
        case .identifierType, .identifierID, .identifierLocalID, .identifierIdentityString: "document-resource-identifier-objects"
        case .fullLinkage, .uniqueResource: "document-compound-documents"
        case .nonEmptyName, .startAndEnd: "document-member-names"
        case .reservedCharacters: "document-member-names-reserved-characters"
        case .extensionRemainder: "extension-members"
        case .duplicateName: "section-4"
        case .linksObject: "document-links"
        case .linkRepresentation: "document-links-link"
        case .linkReference, .relationType, .describingLink, .linkTitle, .linkType, .languageString, .languageTag:
            "document-links-link-object"
        case .paginationPlace: "fetching-pagination"
        case .metaObject: "document-meta"
        case .jsonapiObject, .versionString, .extensionURIs, .profileURIs: "document-jsonapi-object"
        case .primaryDataLinkage: "fetching-relationships-responses-200"
        case .creationType, .creationRelationship: "crud-creating"
        case .updateIdentity: "crud-updating"
        case .updateRelationship: "crud-updating-resource-relationships"
        case .toOneData: "crud-updating-to-one-relationships"
        case .toManyData: "crud-updating-to-many-relationships"
        case .operationType: "auto-id-creating-resources"
        case .errorsArray, .errorMember, .errorID, .errorStatus, .errorStatusPresent, .errorCode, .errorTitle, .errorDetail, .errorSource,
            .errorSourceMember, .errorPointer, .errorParameter, .errorHeader:
            "error-objects"
        }
    }

    /// What a rule is about. The function of that name in `Messages/` has the words for its faults.
    package enum Subject { case document, container, resource, name, relationship, identifier, link, version, error, errorSource }

    package var subject: Subject {
        switch self {
        case .requiredMember, .dataAndErrors, .includedWithoutData, .duplicateName: .document
        case .attributesObject, .relationshipsObject, .relationshipObject, .linksObject, .metaObject, .jsonapiObject: .container
        case .resourceType, .resourceID, .creationType, .updateIdentity, .operationType, .resourceIdentityString, .typeName,
            .additionalMember, .uniqueResource, .uniqueLocalID, .fullLinkage:
            .resource
        case .nonEmptyName, .reservedCharacters, .startAndEnd, .extensionRemainder, .reservedFieldName, .commonNamespace: .name
        case .relationshipMember, .relationshipLinks, .creationRelationship, .updateRelationship, .linkageShape, .toOneData, .toManyData,
            .primaryDataLinkage:
            .relationship
        case .identifierType, .identifierID, .identifierLocalID, .identifierIdentityString: .identifier
        case .linkRepresentation, .linkReference, .relationType, .describingLink, .linkTitle, .linkType, .languageString, .languageTag,
            .paginationPlace:
            .link
        case .versionString, .extensionURIs, .profileURIs: .version
        case .errorsArray, .errorMember, .errorID, .errorStatus, .errorStatusPresent, .errorCode, .errorTitle, .errorDetail: .error
        case .errorSource, .errorSourceMember, .errorPointer, .errorParameter, .errorHeader: .errorSource
        }
    }

    /// What the standard requires, in one sentence.
    package var sentence: String {
        switch self {
        case .requiredMember: "The top level must have `data`, `errors`, `meta` or a member of an applied extension."
        case .dataAndErrors: "A document must not have both `data` and `errors`."
        case .includedWithoutData: "A document without `data` must not have `included`."
        case .additionalMember: "Objects must not have members that neither the specification nor an applied extension defines."
        case .resourceType: "A resource object must have `type`."
        case .resourceID: "A resource object must have `id`, unless a client sends it to create a resource."
        case .resourceIdentityString: "`type`, `id` and `lid` of a resource object must be strings."
        case .uniqueLocalID: "`type` and `lid` must identify a single resource in a document."
        case .typeName: "A type must follow the rules for member names."
        case .attributesObject: "`attributes` must be an object."
        case .commonNamespace: "The attributes and relationships of a resource must have different names."
        case .reservedFieldName: "An attribute or a relationship must not be called `type` or `id`."
        case .relationshipsObject: "`relationships` must be an object."
        case .relationshipObject: "A relationship must be an object."
        case .relationshipMember: "A relationship object must have `links`, `data`, `meta` or a member of an applied extension."
        case .relationshipLinks:
            "A relationship object with only `links` must have the link `self`, `related` or one of an applied extension."
        case .linkageShape: "Linkage must be null, a resource identifier object, or an array of resource identifier objects."
        case .identifierType: "A resource identifier object must have `type`."
        case .identifierID: "A resource identifier object must have `id`, unless it identifies a new resource."
        case .identifierLocalID: "The `lid` of a resource identifier object must be that of a new resource."
        case .identifierIdentityString: "`type`, `id` and `lid` of a resource identifier object must be strings."
        case .fullLinkage: "Linkage must lead from primary data to every included resource, unless a sparse fieldset excludes the linkage."
        case .uniqueResource: "A compound document must not have two resource objects with the same `type` and `id`."
        case .nonEmptyName: "A member name must have at least one character."
        case .reservedCharacters:
            "Member names must not have reserved characters: all ASCII characters except letters, digits, hyphen, underscore and space."
        case .startAndEnd: "A member name must begin and end with a letter, a digit or a character from U+0080 on."
        case .extensionRemainder: "The name of an extension member must be a legal member name after the namespace and the colon."
        case .duplicateName: "The names in an object should be unique."
        case .linksObject: "`links` must be an object."
        case .linkRepresentation: "A link must be a URI reference, a link object, or null."
        case .linkReference: "A link object must have `href`, a URI reference."
        case .relationType: "`rel` of a link must be a relation type."
        case .describingLink: "`describedby` of a link must be a link."
        case .linkTitle: "`title` of a link must be a string."
        case .linkType: "`type` of a link must be a string."
        case .languageString: "`hreflang` of a link must be a string or an array of strings."
        case .languageTag: "`hreflang` of a link must contain only language tags."
        case .paginationPlace: "Pagination links must be in the `links` of a collection."
        case .metaObject: "`meta` must be an object."
        case .jsonapiObject: "`jsonapi` must be an object."
        case .versionString: "`version` of `jsonapi` must be a string."
        case .extensionURIs: "`ext` of `jsonapi` must be an array of URIs."
        case .profileURIs: "`profile` of `jsonapi` must be an array of URIs."
        case .primaryDataLinkage: "The primary data of a relationship must be its linkage."
        case .creationType: "The resource object of a creation must have `type`."
        case .creationRelationship: "Each relationship in a creation must have `data`."
        case .updateIdentity: "The resource object of an update must have `type` and `id`."
        case .updateRelationship: "Each relationship in an update must have `data`."
        case .toOneData: "The `data` for a to-one relationship must be a resource identifier object or null."
        case .toManyData: "The `data` for a to-many relationship must be an array of resource identifier objects."
        case .operationType: "The resource object that an operation creates must have `type`."
        case .errorsArray: "`errors` must be an array of error objects."
        case .errorMember: "An error object must have `id`, `links`, `status`, `code`, `title`, `detail`, `source` or `meta`."
        case .errorID: "Error objects must have different values of `id`."
        case .errorStatus: "`status` of an error must be an HTTP status code, as a string."
        case .errorStatusPresent: "An error object should have `status`."
        case .errorCode: "`code` of an error must be a string."
        case .errorTitle: "`title` of an error must be a string."
        case .errorDetail: "`detail` of an error must be a string."
        case .errorSource: "`source` of an error must be an object."
        case .errorSourceMember: "`source` of an error should have `pointer`, `parameter` or `header`."
        case .errorPointer: "`pointer` of an error's source must be a JSON Pointer."
        case .errorParameter: "`parameter` of an error's source must be a string."
        case .errorHeader: "`header` of an error's source must be a string."
        }
    }
}

// MARK: - Verdicts

extension Rule {
    /// Returns the consequences of a broken rule, for reading, writing and validation.
    package func verdict(_ how: RuleFinding.Break) -> Verdict {
        switch self {
        // The top level, and any object. The arguments are for reading, writing and validation.
        case .requiredMember, .includedWithoutData: Verdict(.refused, .passed, .issue)
        case .dataAndErrors: Verdict(.refusedUnlessSet, .passed, .issue)
        case .duplicateName: Verdict(.refusedInStrict, .refused, .contested)
        case .additionalMember:
            switch how {
            case .lidBesideID: Verdict(.reported, .refused, .issue)
            case .lidBesideIDInResponse: Verdict(.reported, .refused, .contested)
            case .lidInResponse: Verdict(.reported, .passed, .passed)
            default: Verdict(.refusedInStrict, .passed, .issue)
            }

        // Containers.
        case .attributesObject, .relationshipsObject, .relationshipObject, .linksObject, .metaObject:
            switch how {
            case .null, .emptyArray: Verdict(.refusedUnlessSet, .refused, .issue)
            case .nullInError: Verdict(.refusedInStrict, .passed, .issue)
            default: Verdict(.refused, .refused, .issue)
            }
        case .jsonapiObject: how == .kind ? Verdict(.refused, .passed, .issue) : Verdict(.refusedUnlessSet, .passed, .issue)

        // The identity of a resource object.
        case .resourceType, .resourceID, .creationType: Verdict(.refusedUnlessSet, .passed, .issue)
        case .updateIdentity: how == .updateByLid ? Verdict(.passed, .passed, .strictOnly) : Verdict(.passed, .passed, .issue)
        case .operationType: Verdict(.passed, .passed, .issue)
        case .resourceIdentityString:
            how == .nullID || how == .integerID ? Verdict(.refusedUnlessSet, .refused, .issue) : Verdict(.refused, .refused, .issue)
        case .typeName: how == .empty ? Verdict(.refused, .refused, .issue) : Verdict(.refusedInStrict, .refused, .issue)
        case .uniqueLocalID: Verdict(.refusedUnlessSet, .passed, .issue)

        // The identity of an identifier.
        case .identifierType: Verdict(.refused, .refused, .issue)
        case .identifierID: how == .empty ? Verdict(.passed, .refused, .passed) : Verdict(.refusedUnlessSet, .refused, .issue)
        case .identifierLocalID: Verdict(.refusedInStrict, .passed, .issue)
        case .identifierIdentityString:
            how == .integerID ? Verdict(.refusedUnlessSet, .passed, .issue) : Verdict(.refused, .refused, .issue)

        // Fields and names.
        case .reservedFieldName, .commonNamespace: Verdict(.refusedInStrict, .refused, .issue)
        case .nonEmptyName, .reservedCharacters, .startAndEnd:
            switch how {
            case .metaName, .unknownExtension: Verdict(.passed, .passed, .contested)
            default: Verdict(.refusedInStrict, .refused, .issue)
            }
        case .extensionRemainder: Verdict(.refusedInStrict, .refused, .issue)

        // Relationships.
        case .creationRelationship: Verdict(.refusedUnlessSet, .refused, .issue)
        case .updateRelationship: Verdict(.passed, .passed, .issue)
        case .relationshipMember: Verdict(.refusedUnlessSet, how == .unwrapped ? .refused : .passed, .issue)
        case .relationshipLinks: how == .beside ? Verdict(.passed, .passed, .strictOnly) : Verdict(.refusedUnlessSet, .passed, .issue)
        case .linkageShape: Verdict(.refused, .refused, .issue)
        case .toOneData, .toManyData, .primaryDataLinkage: Verdict(.passed, .passed, .issue)

        // Compound documents.
        case .uniqueResource: how == .repeatedAlone ? Verdict(.reported, .passed, .contested) : Verdict(.refusedUnlessSet, .passed, .issue)
        case .fullLinkage: how == .excused ? Verdict(.reported, .passed, .passed) : Verdict(.refusedInStrict, .passed, .issue)

        // Links and the JSON:API object.
        case .linkRepresentation, .describingLink, .linkReference, .relationType, .languageTag:
            how == .text ? Verdict(.refusedInStrict, .passed, .issue) : Verdict(.refused, .passed, .issue)
        case .linkTitle, .linkType, .languageString: Verdict(.refused, .passed, .issue)
        case .paginationPlace: how == .missing ? Verdict(.passed, .passed, .contested) : Verdict(.refusedInStrict, .passed, .contested)
        case .versionString, .extensionURIs, .profileURIs: Verdict(.refusedInStrict, .passed, .issue)

        // Error objects. Outside strict mode, the server's message must not be lost, whatever is wrong with the object.
        case .errorID:
            switch how {
            case .kind: Verdict(.reported, .passed, .passed)
            case .null: Verdict(.refusedInStrict, .passed, .passed)
            default: Verdict(.refusedInStrict, .passed, .issue)
            }
        case .errorPointer: how == .missing ? Verdict(.passed, .passed, .passed) : Verdict(.refusedInStrict, .passed, .issue)
        case .errorStatusPresent, .errorSourceMember: Verdict(.passed, .passed, .issue)
        case .errorsArray, .errorMember, .errorStatus, .errorCode, .errorTitle, .errorDetail, .errorSource, .errorParameter, .errorHeader:
            Verdict(.refusedInStrict, .passed, .issue)
        }
    }
}
