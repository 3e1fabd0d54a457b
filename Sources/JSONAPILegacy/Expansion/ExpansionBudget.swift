import JSONText

/// What an expansion may still add.
struct ExpansionBudget {
    let limit: Int
    private(set) var remaining: Int

    init(_ limit: Int) {
        self.limit = limit
        remaining = limit
    }

    /// Takes an amount away; answers whether there was so much.
    mutating func spend(_ amount: Int) -> Bool {
        guard amount <= remaining else { return false }
        remaining -= amount
        return true
    }

    /// Takes an amount away. Throws when there is not so much; `pointer` says where that was.
    mutating func spend(_ amount: Int, at pointer: @autoclosure () -> JSONPointer) throws(ExpansionError) {
        guard spend(amount) else { throw overrun(at: pointer()) }
    }

    func overrun(at pointer: JSONPointer) -> ExpansionError {
        ExpansionError(
            .expansionLimit, at: pointer,
            "the result adds more than \(limit) bytes to its input, for resources embed each other too often or templates are too many; "
                + "read typed values with references, or raise `maximumSize`")
    }
}

extension ExpansionBudget {
    /// About what an object costs beside its members, and a member or element beside its text.
    static let object = 160
    static let value = 40
    /// What trying a template on a resource costs. It takes time even when nothing comes of it, and documents of many templates and
    /// many resources have to end, too.
    static let attempt = 32

    /// About what a value takes in memory, which is more than its text.
    ///
    /// - Complexity: O(n), n = values inside. No recursion.
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
