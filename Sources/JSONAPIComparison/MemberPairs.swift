import JSONText

/// The members of two objects by name: first those of the left one, then those that only the right one has. When a name is repeated, the
/// last member is used.
struct MemberPairs: Sequence {
    private let left: JSONObject
    private let right: JSONObject

    init(_ left: JSONObject, _ right: JSONObject) {
        self.left = left
        self.right = right
    }

    func makeIterator() -> AnyIterator<(name: String, left: JSON?, right: JSON?)> {
        var next = 0
        return AnyIterator {
            while next < left.count + right.count {
                let isLeft = next < left.count
                let position = isLeft ? next : next - left.count
                next += 1
                let object = isLeft ? left : right
                let member = object[position]
                guard object.position(ofName: member.name) == position else { continue }
                if isLeft { return (member.name, member.value, right[member.name]) }
                if !left.contains(name: member.name) { return (member.name, nil, member.value) }
            }
            return nil
        }
    }
}
