extension JSON: Equatable {
    /// Returns whether two values are equal. Strings and names are compared by their UTF-8 bytes, numbers by their exact values, and
    /// objects regardless of the order of members.
    ///
    /// - Complexity: O(n), n = size of the smaller value. Does not recurse.
    public static func == (lhs: JSON, rhs: JSON) -> Bool {
        TreeComparison(isExact: false).areEqual(lhs, rhs)
    }

    /// Returns whether two values have the same text: equal values, the same members in the same order, and the same text for each number.
    ///
    /// - Complexity: O(n), n = size of the smaller value. Does not recurse.
    public func isIdentical(to other: JSON) -> Bool {
        TreeComparison(isExact: true).areEqual(self, other)
    }
}

extension JSONArray: Equatable {
    /// Returns whether both arrays have equal elements in the same order.
    public static func == (lhs: JSONArray, rhs: JSONArray) -> Bool {
        JSON.array(lhs) == JSON.array(rhs)
    }
}

extension JSONObject: Equatable {
    /// Returns whether both objects have the same names with equal values, in any order. If a name is repeated, only its last member is
    /// compared.
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        JSON.object(lhs) == JSON.object(rhs)
    }
}

extension JSONObject.Member: Equatable {
    /// Returns whether the names have the same bytes and the values are equal.
    public static func == (lhs: JSONObject.Member, rhs: JSONObject.Member) -> Bool {
        UTF8Bytes.areEqual(lhs.name, rhs.name) && lhs.value == rhs.value
    }
}

/// Compares two trees without recursion. A list holds the containers that are not completely compared yet.
private struct TreeComparison {
    /// Whether the order of members and the text of numbers are compared, too.
    let isExact: Bool

    private enum Frame {
        case arrays(JSONArray, JSONArray, next: Int)
        /// `haveDistinctNames` is true if neither object repeats a name.
        case objects(JSONObject, JSONObject, next: Int, haveDistinctNames: Bool)
    }

    private enum Step {
        case equal
        case different
        case descend(Frame)
    }

    func areEqual(_ lhs: JSON, _ rhs: JSON) -> Bool {
        var frames: [Frame] = []
        switch step(lhs, rhs) {
        case .equal: return true
        case .different: return false
        case .descend(let frame): frames.append(frame)
        }
        while let frame = frames.popLast() {
            let areEqual =
                switch frame {
                case .arrays(let left, let right, let next): compare(left, right, from: next, &frames)
                case .objects(let left, let right, let next, let haveDistinctNames):
                    compare(left, right, from: next, haveDistinctNames: haveDistinctNames, &frames)
                }
            guard areEqual else { return false }
        }
        return true
    }

    /// Compares two values. Containers of equal size are returned for the list.
    private func step(_ lhs: JSON, _ rhs: JSON) -> Step {
        switch (lhs, rhs) {
        case (.null, .null):
            return .equal
        case (.bool(let left), .bool(let right)):
            return left == right ? .equal : .different
        case (.number(let left), .number(let right)):
            let areEqual = isExact ? UTF8Bytes.areEqual(left.text, right.text) : left == right
            return areEqual ? .equal : .different
        case (.string(let left), .string(let right)):
            return UTF8Bytes.areEqual(left, right) ? .equal : .different
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return .different }
            if left.isEmpty || left.isShared(with: right) { return .equal }
            return .descend(.arrays(left, right, next: 0))
        case (.object(let left), .object(let right)):
            if left.isShared(with: right) { return .equal }
            let (leftCount, rightCount) =
                isExact ? (left.count, right.count) : (left.distinctNameCount, right.distinctNameCount)
            guard leftCount == rightCount else { return .different }
            if left.isEmpty { return .equal }
            let haveDistinctNames = leftCount == left.count && rightCount == right.count
            return .descend(.objects(left, right, next: 0, haveDistinctNames: haveDistinctNames))
        default:
            return .different
        }
    }

    /// Compares elements up to the first container, and returns false if they differ. Adds the remaining elements and then the container to
    /// the list.
    private func compare(_ left: JSONArray, _ right: JSONArray, from start: Int, _ frames: inout [Frame]) -> Bool {
        let count = left.count
        for index in start..<count {
            switch step(left[index], right[index]) {
            case .equal:
                continue
            case .different:
                return false
            case .descend(let frame):
                if index + 1 < count { frames.append(.arrays(left, right, next: index + 1)) }
                frames.append(frame)
                return true
            }
        }
        return true
    }

    private func compare(
        _ left: JSONObject, _ right: JSONObject, from start: Int, haveDistinctNames: Bool, _ frames: inout [Frame]
    ) -> Bool {
        let count = left.count
        for index in start..<count {
            let member = left[index]
            let position: Int
            if isExact {
                guard UTF8Bytes.areEqual(member.name, right[index].name) else { return false }
                position = index
            } else if haveDistinctNames, UTF8Bytes.areEqual(member.name, right[index].name) {
                // Most equal objects have the same order, too.
                position = index
            } else {
                guard haveDistinctNames || left.isEffective(index) else { continue }
                guard let found = right.position(ofName: member.name) else { return false }
                position = found
            }
            switch step(member.value, right[position].value) {
            case .equal:
                continue
            case .different:
                return false
            case .descend(let frame):
                if index + 1 < count {
                    frames.append(.objects(left, right, next: index + 1, haveDistinctNames: haveDistinctNames))
                }
                frames.append(frame)
                return true
            }
        }
        return true
    }
}
