import JSONAPIRules

/// The rule that a name breaks which a server may choose: of an attribute, a relationship, a type, a member of meta, the base of
/// a custom query parameter.
///
/// ```swift
/// MemberNameFault(in: "first-name")     // nil: the name is legal
/// MemberNameFault(in: "_links")         // .start: it begins with an underscore
/// MemberNameFault(in: "a.b")            // .reservedCharacter(".")
/// ```
///
/// @-members and members of extensions have names of other kinds, which are not legal here.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-member-names>
public enum MemberNameFault: Error, Sendable, Hashable {
    /// A name has one character at least.
    case empty
    /// A character that the specification keeps for itself: all of ASCII but letters, digits, hyphen, underscore and space.
    case reservedCharacter(Unicode.Scalar)
    /// It begins with a hyphen, an underscore or a space, which may stand inside only.
    case start
    /// It ends with a hyphen, an underscore or a space, which may stand inside only.
    case end

    /// The first rule that the name breaks; nil when it is legal.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    public init?(in name: String) {
        guard !name.isEmpty else {
            self = .empty
            return
        }
        if let reserved = name.unicodeScalars.first(where: Self.isReserved) {
            self = .reservedCharacter(reserved)
        } else if !MemberName.isLegal(Array(name.utf8.prefix(1))) {
            self = .start
        } else if !MemberName.isLegal(Array(name.utf8.suffix(1))) {
            self = .end
        } else {
            return nil
        }
    }

    /// Whether a scalar may stand nowhere in a name: it would not even between two letters.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return false }
        let a = UInt8(ascii: "a")
        return !MemberName.isLegal([a, UInt8(truncatingIfNeeded: scalar.value), a])
    }
}

extension MemberNameFault: CustomStringConvertible {
    /// The broken rule in words.
    public var description: String {
        switch self {
        case .empty: "the name is empty"
        case .reservedCharacter(let scalar): "the name has the reserved character \(Self.shown(scalar))"
        case .start: "the name begins with a hyphen, an underscore or a space, which may stand inside only"
        case .end: "the name ends with a hyphen, an underscore or a space, which may stand inside only"
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        if scalar.value > 0x20, scalar.value != 0x7F { return "`\(scalar)`" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
