import JSONText

// Messages for relationships and identifiers: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>

extension Fault {
    func relationshipMessages(_ view: TapeView) -> FaultMessages {
        switch (rule, how) {
        case (.relationshipMember, _):
            FaultMessages(
                "one of the members `data`, `links` and `meta`",
                how == .unwrapped ? "an identifier in place of a relationship object" : "a relationship without them",
                note: "a relationship without `data`, `links` and `meta`",
                problem: "a relationship object without `data`, `links` and `meta`",
                cure: how == .unwrapped ? Self.wrapping : "add one of them, or remove the relationship")
        case (.relationshipLinks, _):
            FaultMessages(
                "one of the links `self` and `related`", "neither of them, in a relationship without `data`",
                note: "a relationship without `data` and without the links `self` and `related`",
                problem: "links of a relationship without `self` and `related`", cure: "add one of them")
        case (.creationRelationship, _), (.updateRelationship, _):
            FaultMessages(
                "the member `data`", "a relationship without `data`, in a request",
                note: "a relationship without `data` in a request",
                problem: "a relationship without `data` in a request",
                cure: how == .unwrapped ? Self.wrapping : "add `data`: linkage, null, or an empty array")
        case (_, .element):
            kind(view, "an element of linkage", "a resource identifier object", expected: "a resource identifier object")
        default:
            kind(view, "the linkage of a relationship", shape, expected: "linkage: null, an identifier, or an array of identifiers")
        }
    }

    private static let wrapping = "put the identifier into `data`"

    private var shape: String {
        switch how {
        case .notOne: "a resource identifier object, or null"
        case .notMany: "an array of resource identifier objects"
        default: "a resource identifier object, null, or an array of such objects"
        }
    }

    func identifierMessages(_ view: TapeView) -> FaultMessages {
        switch (rule, how) {
        case (.identifierType, _):
            FaultMessages(
                "the member `type`", "an identifier without `type`",
                problem: "a resource identifier object without `type`\(how == .missingBoth ? " and `id`" : "")",
                cure: "add `type`, a string")
        case (.identifierID, _):
            FaultMessages(
                "the member `id`", how == .lidInstead ? "only a `lid`, in a response" : "an identifier without `id`",
                note: "an identifier without `id`", problem: "a resource identifier object without `id`",
                cure: how == .missingIdentity ? "add `id`, or the `lid` of a resource in this request" : "add `id`, a string")
        case (.identifierLocalID, _):
            FaultMessages(
                "the `lid` of a resource in the document", "another `lid`", note: "a `lid` that no resource in the document has",
                problem: "a `lid` that no new resource of this type in the request has",
                cure: "use the `lid` of a resource of this request, or an `id`")
        case (_, .type): kind(view, "the `type` of a resource identifier object", "a string", expected: "a string: the type")
        case (_, .lid): kind(view, "the `lid` of a resource identifier object", "a string", expected: "a string: the local id")
        default: kind(view, "the `id` of a resource identifier object", "a string", expected: "a string: the id", note: Self.integerID)
        }
    }
}
