import JSONText

// Messages for resource objects: <https://jsonapi.org/format/1.1/#document-resource-objects>

extension Fault {
    func resourceMessages(_ view: TapeView) -> FaultMessages {
        switch (rule, how) {
        case (.fullLinkage, _): linkageMessages
        case (.uniqueResource, _), (.uniqueLocalID, _): repetitionMessages
        case (.additionalMember, _):
            FaultMessages(
                "no `lid`", note: how == .lidBesideID ? "both `id` and `lid`; both are kept" : "a `lid` in a response; it is kept",
                problem: "a `lid` together with an `id`",
                cure: how == .lidBesideID ? "remove `lid`, or `id` if the server assigns the id of this new resource" : "remove `lid`")
        case (.typeName, .empty): typeNameMessages("a resource's type", "an empty string")
        case (.typeName, _): typeNameMessages("a type that is a legal member name", "a type with reserved characters")
        case (_, .type): kind(view, "the `type` of a resource object", "a string", expected: "a string: the resource's type")
        case (_, .lid): kind(view, "the `lid` of a resource object", "a string", expected: "a string: the local id")
        case (_, .id), (_, .nullID), (_, .integerID):
            kind(
                view, "the `id` of a resource object", "a string", expected: "a string: the resource's id",
                note: how == .nullID ? "null instead of an id; the resource has no identity" : Self.integerID)
        case (_, .updateByLid):
            FaultMessages("the member `id`", problem: "an update of a resource that is identified by `lid`", cure: "use `id`")
        case (_, .missingID), (_, .lidInstead): missingIDMessages
        default:
            FaultMessages(
                "the member `type`", "a resource without `type`", note: "a resource without `type`; the requested type is used",
                problem: "a resource object without `type`\(how == .missingBoth ? " and `id`" : "")", cure: "add `type`, a string")
        }
    }

    static let integerID = "an integer instead of a string id; its digits are used as the id"

    private var missingIDMessages: FaultMessages {
        FaultMessages(
            "the member `id`", "a resource without `id`", note: "a resource without `id`; it has no identity",
            problem: "a resource object without `id`\(how == .lidInstead ? ", for which `lid` is no replacement here" : "")",
            cure: "add `id`, a string")
    }

    private func typeNameMessages(_ expected: String, _ found: String) -> FaultMessages {
        FaultMessages(
            expected, found, note: "a type with characters that the specification reserves",
            problem: "a type that is not a legal member name",
            cure: "use letters and digits, and hyphens, underscores and spaces only inside")
    }

    private var repetitionMessages: FaultMessages {
        let isLocal = rule == .uniqueLocalID
        return FaultMessages(
            "each identity once in a compound document", "the identity of an earlier resource object",
            note: "a resource object with the identity of an earlier one; linkage uses the first",
            problem: isLocal
                ? "a `lid` that an earlier resource of this type has" : "a resource object with the `type` and `id` of an earlier one",
            cure: isLocal ? "use a different `lid` for each new resource" : "keep one of them")
    }

    private var linkageMessages: FaultMessages {
        var messages = FaultMessages(
            "linkage from primary data to each included resource", "no linkage to this one",
            note: "an included resource without linkage to it",
            problem: "an included resource that linkage from primary data does not reach",
            cure: "link it or remove it; if a sparse fieldset excludes the linkage, pass the query to the validator")
        messages.advice = "if the request had a sparse fieldset that excludes the linkage, set the decoder's `fields`"
        return messages
    }
}

// MARK: - Names

extension Fault {
    func nameMessages(_ view: TapeView) -> FaultMessages {
        switch rule {
        case .nonEmptyName:
            FaultMessages(
                "a legal member name", "an empty name", note: "an empty name", problem: "an empty member name",
                cure: "give the member a name")
        case .reservedFieldName: reservedNameMessages(view.string(at: name))
        case .commonNamespace:
            FaultMessages(
                "a name that no attribute of the resource has", "the name of an attribute", note: clash(view.shown(name)),
                problem: "a name that both an attribute and a relationship have", cure: "rename one of them")
        case .extensionRemainder:
            FaultMessages(
                "a legal member name after the extension's namespace", "reserved characters, or nothing",
                note: "an extension member whose name is not legal after its colon",
                problem: "an extension member whose name is not legal after its colon",
                cure: "use letters and digits, and hyphens, underscores and spaces only inside")
        case .startAndEnd:
            illegalNameMessages("a member name that begins or ends with a hyphen, an underscore or a space", "rename the member")
        default: reservedCharacterMessages(view.textBytes(at: name).first(where: MemberName.isReserved))
        }
    }

    private func clash(_ name: String) -> String {
        "`\(name)` is also the name of an attribute; use `attributes.\(name)` and `relationships.\(name)` to read both"
    }

    private func reservedNameMessages(_ name: String) -> FaultMessages {
        let group = how == .relationship ? "relationship" : "attribute"
        return FaultMessages(
            "no \(group) called `\(name)`", "one with this name",
            note:
                "\(how == .relationship ? "a" : "an") \(group) called `\(name)`, which is not the resource's \(name); use `\(group)s.\(name)` to read it",
            problem: "a field called `\(name)`", cure: "rename it; fields share a namespace with `type` and `id`")
    }

    private func illegalNameMessages(_ problem: String, _ cure: String) -> FaultMessages {
        FaultMessages(
            "a legal member name", "a name with reserved characters, or with `-`, `_` or a space at either end",
            note: "a name that the specification does not allow", problem: problem, cure: cure)
    }

    private func reservedCharacterMessages(_ byte: UInt8?) -> FaultMessages {
        illegalNameMessages(
            "a member name with the reserved character \(byte.map(Self.shown) ?? "")",
            byte == UInt8(ascii: ":") ? "rename the member, or apply the extension whose member it is" : "rename the member")
    }

    private static func shown(_ byte: UInt8) -> String {
        guard byte < 0x20 || byte == 0x7F else { return "`\(Character(UnicodeScalar(byte)))`" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
