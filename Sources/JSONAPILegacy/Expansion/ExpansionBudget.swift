import JSONText

/// The number of bytes that an expansion can still add.
struct ExpansionBudget {
    let limit: Int
    private(set) var remaining: Int

    init(_ limit: Int) {
        self.limit = limit
        remaining = limit
    }

    /// Subtracts an amount if enough is left. Returns whether it did.
    mutating func spend(_ amount: Int) -> Bool {
        guard amount <= remaining else { return false }
        remaining -= amount
        return true
    }

    /// Subtracts an amount. Throws an error with `pointer` as its place if not enough is left.
    mutating func spend(_ amount: Int, at pointer: @autoclosure () -> JSONPointer) throws(ExpansionError) {
        guard spend(amount) else { throw overrun(at: pointer()) }
    }

    func overrun(at pointer: JSONPointer) -> ExpansionError {
        ExpansionError(
            .expansionLimit, at: pointer,
            "the result adds more than \(limit) bytes to its input, because it repeats resources or long names too often, or has too many templates; "
                + "decode models with `ToOne` and `ToMany`, or raise `maximumSize`")
    }
}

extension ExpansionBudget {
    /// The approximate size of an object without its members, and of a member or an element without its text.
    static let object = 160
    static let value = 40
    /// The cost of trying a template on a resource, and of each use of a variable in it. It takes time even without a result, and the time
    /// for many templates, variables and resources must be limited, too.
    static let attempt = 32

    /// Returns the approximate size of a value in memory, which is more than the size of its text.
    ///
    /// - Complexity: O(n), n = number of nested values. Does not recurse.
    static func size(of json: JSON) -> Int {
        var size = 0
        var open = [json]
        while let json = open.popLast() {
            size += value
            switch json {
            case .null, .bool: break
            case .number(let number): size += number.text.utf8.count
            case .string(let text): size += text.utf8.count
            case .array(let array):
                size += object
                open.append(contentsOf: array)
            case .object(let members):
                size += object
                for member in members {
                    size += member.name.utf8.count
                    open.append(member.value)
                }
            }
        }
        return size
    }
}
