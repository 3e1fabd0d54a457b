/// A JSON value of a generated document. It shares no code with the library, so that a fault of the library cannot affect the input.
indirect enum Node {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([Node])
    case object([(name: String, value: Node)])

    static func strings(_ values: [String]) -> Node { .array(values.map(Node.string)) }

    subscript(name: String) -> Node? {
        if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
    }

    var elements: [Node] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The same value with the members of each object in a random order.
    func shuffled(_ random: inout SplitMix64) -> Node {
        switch self {
        case .object(let members): .object(random.shuffled(members).map { ($0.name, $0.value.shuffled(&random)) })
        case .array(let elements): .array(elements.map { $0.shuffled(&random) })
        default: self
        }
    }
}
