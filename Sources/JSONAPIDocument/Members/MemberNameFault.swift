import JSONAPIRules

/// The rule that a name breaks. It applies to the names that a server may choose: of attributes, relationships, types, members of meta, and
/// the base of a custom query parameter.
///
/// ```swift
/// MemberNameFault(in: "first-name")     // nil: the name is legal
/// MemberNameFault(in: "_links")         // .start: it begins with an underscore
/// MemberNameFault(in: "a.b")            // .reservedCharacter(".")
/// ```
///
/// @-members and members of extensions follow other rules, so their names are not legal here.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-member-names>
public enum MemberNameFault: Error, Sendable, Hashable {
    /// The name is empty.
    case empty
    /// The name contains a character that the specification reserves: any ASCII character but letters, digits, hyphen, underscore and
    /// space.
    case reservedCharacter(Unicode.Scalar)
    /// The name begins with a hyphen, an underscore or a space, which are allowed only inside.
    case start
    /// The name ends with a hyphen, an underscore or a space, which are allowed only inside.
    case end

    /// Creates the first rule that the name breaks; nil when the name is legal.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    public init?(in name: String) {
        guard !name.isEmpty else {
            self = .empty
            return
        }
        if let reserved = name.unicodeScalars.first(where: { $0.isASCII && MemberName.isReserved(UInt8(truncatingIfNeeded: $0.value)) }) {
            self = .reservedCharacter(reserved)
        } else if !MemberName.isLegal(Array(name.utf8.prefix(1))) {
            self = .start
        } else if !MemberName.isLegal(Array(name.utf8.suffix(1))) {
            self = .end
        } else {
            return nil
        }
    }
}

extension MemberNameFault: CustomStringConvertible {
    /// A sentence that names the broken rule.
    public var description: String {
        switch self {
        case .empty: "the name is empty"
        case .reservedCharacter(let scalar): "the name contains the reserved character \(Self.shown(scalar))"
        case .start: "the name begins with a hyphen, an underscore or a space, which are allowed only inside"
        case .end: "the name ends with a hyphen, an underscore or a space, which are allowed only inside"
        }
    }

    private static func shown(_ scalar: Unicode.Scalar) -> String {
        if scalar.value > 0x20, scalar.value != 0x7F { return "`\(scalar)`" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
