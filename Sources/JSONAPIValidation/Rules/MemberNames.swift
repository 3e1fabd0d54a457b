import JSONAPIRules
import JSONText

// Member names: https://jsonapi.org/format/1.1/#document-member-names

extension ValidationRule {
    static let nonEmptyName = ValidationRule(
        "document-structure/member-names/non-empty", .must, "document-member-names", "A member name has at least one character.")
    static let reservedCharacters = ValidationRule(
        "document-structure/member-names/reserved-characters", .mustNot, "document-member-names-reserved-characters",
        "Member names have no reserved character, which is all of ASCII but letters, digits, hyphen, underscore and space.")
    static let startAndEnd = ValidationRule(
        "document-structure/member-names/start-and-end", .must, "document-member-names",
        "A member name begins and ends with a letter, a digit or a character from U+0080 on.")
    static let extensionRemainder = ValidationRule(
        "document-structure/extension-member-names/remainder", .must, "extension-members",
        "Behind the namespace and the colon, the name of an extension member is a legal member name.")

    static let memberNames = [
        nonEmptyName, reservedCharacters, startAndEnd, extensionRemainder,
        ValidationRule(
            "document-structure/member-names/conditions", .must, "document-member-names",
            "Names that implementations and profiles choose meet all conditions on member names.",
            reportedAs: [nonEmptyName, reservedCharacters, startAndEnd]),
        ValidationRule(
            "document-structure/member-names/allowed-characters", .must, "document-member-names",
            "A member name has allowed characters only.", reportedAs: [reservedCharacters, startAndEnd]),
        ValidationRule(
            "document-structure/at-members/ignored", .must, "document-member-names-at-members",
            "@-members count for nothing when other rules are applied.", reportedAs: [requiredMember, relationshipMember, errorMember]),
        ValidationRule(
            "document-structure/extension-member-names/prefix", .must, "extension-members",
            "The name of an extension member begins with the extension's namespace and a colon.", reportedAs: [additionalMember]),
        ValidationRule(
            "document-structure/extension-member-naming", .must, "document-structure",
            "A member that an extension adds is named by the rules for extension members.", reportedAs: [extensionRemainder]),
    ]
}

extension DocumentCheck {
    /// Whose a member is, told from its name.
    enum Owner {
        /// An @-member: to be passed over.
        case nobody
        /// A member of an applied extension.
        case ofExtension
        /// The same, whose name is illegal behind the colon; it has been reported.
        case ofExtensionIllegally
        /// Any other, with a name that an implementation may choose.
        case legal
        case illegal
    }

    func owner(ofName name: Int) -> Owner {
        switch MemberName(view, name) {
        case .legal: .legal
        case .at: .nobody
        case .illegal: .illegal
        case .ofExtension: isOfAppliedExtension(name) ? .ofExtension : .illegal
        case .illegalOfExtension: isOfAppliedExtension(name) ? .ofExtensionIllegally : .illegal
        }
    }

    private func isOfAppliedExtension(_ name: Int) -> Bool {
        guard !namespaces.isEmpty else { return false }
        let namespace = view.textBytes(at: name).prefix { $0 != UInt8(ascii: ":") }
        return namespaces.contains { $0.elementsEqual(namespace) }
    }

    /// Checks the name of an attribute, a relationship or a member of `meta`. Answers whether it is one, and no @-member or member
    /// of an extension.
    mutating func checkChosenName(_ name: Int, _ value: Int, isContested: Bool = false) -> Bool {
        switch owner(ofName: name) {
        case .legal: return true
        case .nobody: return false
        case .ofExtension:
            refuseUnknownAtomicMember(name, value)
            return false
        case .ofExtensionIllegally:
            refuseExtensionName(value)
            return false
        case .illegal:
            let (rule, message, cure) = fault(ofName: name)
            if isContested { reportContested(rule, at: value, message, cure) } else { report(rule, at: value, message, cure) }
            return true
        }
    }

    mutating func refuseExtensionName(_ value: Int) {
        report(
            .extensionRemainder, at: value, "the name of an extension member is illegal behind its colon",
            "begin and end it with letters or digits, with hyphens, underscores and spaces inside only")
    }

    private func fault(ofName name: Int) -> (ValidationRule, message: String, cure: String) {
        let bytes = view.textBytes(at: name)
        if bytes.isEmpty { return (.nonEmptyName, "a member name without any character", "give the member a name") }
        if let byte = bytes.first(where: Self.isReserved) {
            let isExtension = byte == UInt8(ascii: ":")
            return (
                .reservedCharacters, "a member name with the reserved character \(Self.shown(byte))",
                isExtension ? "rename the member, or apply the extension whose member it is" : "rename the member"
            )
        }
        return (.startAndEnd, "a member name that begins or ends with a hyphen, an underscore or a space", "rename the member")
    }

    private static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "), 0x80...:
            false
        default: true
        }
    }

    private static func shown(_ byte: UInt8) -> String {
        guard byte < 0x20 || byte == 0x7F else { return "`\(Character(UnicodeScalar(byte)))`" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// A string that has to obey the rules for member names: the type of a resource.
    func isLegalName(_ word: Int) -> Bool {
        if case .legal = MemberName(view, word) { return true }
        return false
    }
}
