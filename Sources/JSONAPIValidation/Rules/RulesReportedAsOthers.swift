import JSONAPIRules

// Rules that follow from other rules: https://jsonapi.org/format/1.1/

extension ValidationRule {
    static let reportedAsOthers = [
        ValidationRule(
            "document-structure/top-level/links-members", .may, "document-top-level",
            "A document may have the links `self`, `related` and `describedby`, and pagination links.", reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/resource-links/self", .may, "document-resource-object-links", "A resource object may have the link `self`.",
            reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/relationships/pagination-links-to-many", .may, "document-resource-object-relationships",
            "A to-many relationship may have pagination links.", reportedAs: shared([.paginationPlace])),
        ValidationRule(
            "document-structure/member-names/conditions", .must, "document-member-names",
            "Names that implementations and profiles define must meet all conditions for member names.",
            reportedAs: shared([.nonEmptyName, .reservedCharacters, .startAndEnd])),
        ValidationRule(
            "document-structure/member-names/allowed-characters", .must, "document-member-names",
            "A member name must contain only allowed characters.", reportedAs: shared([.reservedCharacters, .startAndEnd])),
        ValidationRule(
            "document-structure/at-members/ignored", .must, "document-member-names-at-members",
            "@-members must be ignored when other rules are applied.",
            reportedAs: shared([.requiredMember, .relationshipMember, .errorMember])),
        ValidationRule(
            "document-structure/extension-member-names/prefix", .must, "extension-members",
            "The name of an extension member must begin with the extension's namespace and a colon.", reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/extension-member-naming", .must, "document-structure",
            "The name of a member that an extension defines must follow the rules for extension members.",
            reportedAs: shared([.extensionRemainder])),
        ValidationRule(
            "fetching/resources/collection-primary-data", .must, "fetching-resources-responses-200",
            "The primary data of a collection must be an array.", reportedAs: [collectionArray]),
        ValidationRule(
            "fetching/relationships/links", .may, "fetching-relationships-responses-200",
            "The document of a relationship may have the links `self` and `related`.", reportedAs: [.additionalMember]),
        ValidationRule(
            "fetching/pagination/keys", .must, "fetching-pagination", "Pagination links must be called `first`, `last`, `prev` and `next`.",
            reportedAs: [.additionalMember]),
        ValidationRule(
            "fetching/pagination/unavailable", .must, "fetching-pagination", "An unavailable pagination link must be omitted or null.",
            reportedAs: shared([.linkRepresentation])),
        ValidationRule(
            "errors/error-objects/links-members", .may, "error-objects", "An error object may have the links `about` and `type`.",
            reportedAs: [.additionalMember]),
    ]
}
