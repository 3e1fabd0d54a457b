import JSONAPIRules
import JSONText

/// The owner of a member, as its name shows.
///
/// ```
/// title               the specification, or the server
/// @context            none: an @-member
/// atomic:operations   the extension whose namespace is "atomic"
/// ```
///
/// https://jsonapi.org/format/1.1/#document-member-names
package enum MemberKind {
    case plain
    case at
    case extensionMember

    /// Creates the kind of a member with the given name. The namespace of an extension is one or more ASCII letters and digits.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    package init(of name: String) {
        self =
            switch MemberName(name) {
            case .at: .at
            case .ofExtension, .illegalOfExtension: .extensionMember
            case .legal, .illegal: .plain
            }
    }
}

extension JSONObject {
    /// Returns the plain members whose names are not in `names`, in order.
    func unknownMembers(besides names: [StaticString]) -> JSONObject {
        JSONObject(
            members: filter { member in
                MemberKind(of: member.name) == .plain && !names.contains { $0.hasBytes(of: member.name) }
            })
    }
}

extension StaticString {
    /// Whether both consist of the same bytes.
    fileprivate func hasBytes(of text: String) -> Bool {
        withBytes { bytes in UTF8Bytes.withBytes(of: text) { UTF8Bytes.areEqual(bytes, $0) } }
    }
}
