import JSONText

// Resource objects in words: <https://jsonapi.org/format/1.1/#document-resource-objects>

extension Fault {
    func resourceWords(_ view: TapeView) -> Words {
        switch (rule, how) {
        case (.fullLinkage, _): linkageWords
        case (.uniqueResource, _), (.uniqueLocalID, _): repetitionWords
        case (.additionalMember, _):
            Words(
                "no `lid`", note: how == .lidBesideID ? "a `lid` beside an `id`; both are kept" : "a `lid` in a response; it is kept",
                problem: "`lid` beside `id`", cure: "remove one of them")
        case (.typeName, .empty): typeNameWords("a resource's type", "an empty string")
        case (.typeName, _): typeNameWords("a type that is a legal member name", "one with reserved characters")
        case (_, .type): kind(view, "the `type` of a resource object", "a string", expected: "a string: the resource's type")
        case (_, .lid): kind(view, "the `lid` of a resource object", "a string", expected: "a string: the local id")
        case (_, .id), (_, .nullID), (_, .integerID):
            kind(
                view, "the `id` of a resource object", "a string", expected: "a string: the resource's id",
                note: how == .nullID ? "null in place of the id; the resource has no identity" : Self.integerID)
        case (_, .updateByLid):
            Words("the member `id`", problem: "an update of a resource that is identified by `lid`", cure: "identify it by `id`")
        case (_, .missingID), (_, .lidInstead): missingIDWords
        default:
            Words(
                "the member `type`", "a resource without it", note: "a resource without `type`; the type that is asked for counts",
                problem: "a resource object without `type`\(how == .missingBoth ? " and `id`" : "")", cure: "give it one, a string")
        }
    }

    static let integerID = "an integer in place of the id; its digits are the id"

    private var missingIDWords: Words {
        Words(
            "the member `id`", "a resource without it", note: "a resource without `id`; it has no identity",
            problem: "a resource object without `id`\(how == .lidInstead ? ", which `lid` does not replace here" : "")",
            cure: "give it an `id`, a string")
    }

    private func typeNameWords(_ expected: String, _ found: String) -> Words {
        Words(
            expected, found, note: "a type with characters that the specification reserves", problem: "a type that is no legal member name",
            cure: "write it with letters and digits, with hyphens, underscores and spaces inside only")
    }

    private var repetitionWords: Words {
        let isLocal = rule == .uniqueLocalID
        return Words(
            "each identity once in a compound document", "one that a resource object before it has",
            note: "a resource object with the identity of one before it; linkage takes the first",
            problem: isLocal
                ? "a `lid` that a resource of this type before it has" : "a resource object whose `type` and `id` one before it has",
            cure: isLocal ? "give each new resource its own" : "keep one of them")
    }

    private var linkageWords: Words {
        var words = Words(
            "a chain of linkage from primary data to each included resource", "none to this one",
            note: "an included resource that nothing links to",
            problem: "an included resource to which no chain of linkage leads from primary data",
            cure: "link it, or leave it out; if a sparse fieldset left the linkage out, tell the query")
        words.advice = "if the request had a sparse fieldset that leaves the linkage out, set the decoder's `fields`"
        return words
    }
}

// MARK: - Names

extension Fault {
    func nameWords(_ view: TapeView) -> Words {
        switch rule {
        case .nonEmptyName:
            Words(
                "a legal member name", "an empty name", note: "an empty name", problem: "a member name without any character",
                cure: "give the member a name")
        case .reservedFieldName: reservedNameWords(view.string(at: name))
        case .commonNamespace:
            Words(
                "a name that no attribute of the resource has", "one of an attribute", note: clash(view.shown(name)),
                problem: "a name that both an attribute and a relationship have", cure: "rename one of them")
        case .extensionRemainder:
            Words(
                "a legal member name behind the extension's namespace", "reserved characters, or nothing",
                note: "the rest of an extension member's name is no legal member name",
                problem: "the name of an extension member is illegal behind its colon",
                cure: "begin and end it with letters or digits, with hyphens, underscores and spaces inside only")
        case .startAndEnd:
            illegalNameWords("a member name that begins or ends with a hyphen, an underscore or a space", "rename the member")
        default: reservedCharacterWords(view.textBytes(at: name).first(where: MemberName.isReserved))
        }
    }

    private func clash(_ name: String) -> String {
        "`\(name)` is an attribute too; `attributes.\(name)` and `relationships.\(name)` read both"
    }

    private func reservedNameWords(_ name: String) -> Words {
        let group = how == .relationship ? "relationship" : "attribute"
        return Words(
            "no \(group) called `\(name)`", "one",
            note: "an \(group) called `\(name)`, which is not the resource's \(name); `\(group)s.\(name)` reads it",
            problem: "a field called `\(name)`", cure: "rename it: `type` and `id` of a resource stand beside its fields")
    }

    private func illegalNameWords(_ problem: String, _ cure: String) -> Words {
        Words(
            "a legal member name", "a name with reserved characters, or with `-`, `_` or a space at an end",
            note: "a name that the specification does not allow", problem: problem, cure: cure)
    }

    private func reservedCharacterWords(_ byte: UInt8?) -> Words {
        illegalNameWords(
            "a member name with the reserved character \(byte.map(Self.shown) ?? "")",
            byte == UInt8(ascii: ":") ? "rename the member, or apply the extension whose member it is" : "rename the member")
    }

    private static func shown(_ byte: UInt8) -> String {
        guard byte < 0x20 || byte == 0x7F else { return "`\(Character(UnicodeScalar(byte)))`" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
