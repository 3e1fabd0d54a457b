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
        var isInNamespace = false
        for byte in name.utf8 {
            switch byte {
            case 0x40 where !isInNamespace:
                self = .at
                return
            case 0x3A where isInNamespace:
                self = .extensionMember
                return
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
                isInNamespace = true
            default:
                self = .plain
                return
            }
        }
        self = .plain
    }
}

extension JSONObject {
    /// Returns the members of the wanted kinds, in order.
    func filtered(_ isWanted: (MemberKind) -> Bool) -> JSONObject {
        JSONObject(members: filter { isWanted(MemberKind(of: $0.name)) })
    }

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
