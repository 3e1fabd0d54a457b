import JSONAPIRules

// Statements of the standard that follow from others: https://jsonapi.org/format/1.1/

extension ValidationRule {
    static let reportedAsOthers = [
        ValidationRule(
            "document-structure/top-level/links-members", .may, "document-top-level",
            "The links of a document are `self`, `related`, `describedby` and those of pagination.", reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/resource-links/self", .may, "document-resource-object-links", "The link of a resource object is `self`.",
            reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/relationships/pagination-links-to-many", .may, "document-resource-object-relationships",
            "The links of a to-many relationship may be those of pagination.", reportedAs: shared([.paginationPlace])),
        ValidationRule(
            "document-structure/member-names/conditions", .must, "document-member-names",
            "Names that implementations and profiles choose meet all conditions on member names.",
            reportedAs: shared([.nonEmptyName, .reservedCharacters, .startAndEnd])),
        ValidationRule(
            "document-structure/member-names/allowed-characters", .must, "document-member-names",
            "A member name has allowed characters only.", reportedAs: shared([.reservedCharacters, .startAndEnd])),
        ValidationRule(
            "document-structure/at-members/ignored", .must, "document-member-names-at-members",
            "@-members count for nothing when other rules are applied.",
            reportedAs: shared([.requiredMember, .relationshipMember, .errorMember])),
        ValidationRule(
            "document-structure/extension-member-names/prefix", .must, "extension-members",
            "The name of an extension member begins with the extension's namespace and a colon.", reportedAs: [.additionalMember]),
        ValidationRule(
            "document-structure/extension-member-naming", .must, "document-structure",
            "A member that an extension adds is named by the rules for extension members.", reportedAs: shared([.extensionRemainder])),
        ValidationRule(
            "fetching/resources/collection-primary-data", .must, "fetching-resources-responses-200",
            "The primary data of a collection is an array.", reportedAs: [collectionArray]),
        ValidationRule(
            "fetching/relationships/links", .may, "fetching-relationships-responses-200",
            "The links of a relationship's document are `self` and `related`.", reportedAs: [.additionalMember]),
        ValidationRule(
            "fetching/pagination/keys", .must, "fetching-pagination", "Pagination links are called `first`, `last`, `prev` and `next`.",
            reportedAs: [.additionalMember]),
        ValidationRule(
            "fetching/pagination/unavailable", .must, "fetching-pagination", "A pagination link that is not there is left out or null.",
            reportedAs: shared([.linkRepresentation])),
        ValidationRule(
            "errors/error-objects/links-members", .may, "error-objects", "The links of an error are `about` and `type`.",
            reportedAs: [.additionalMember]),
    ]
}
