extension HostileFamily {
    /// Returns the document with the given number of units.
    func document(_ size: Int) -> Node {
        switch self {
        case .references:
            let list = resource("lists", 0, relationships: [("tags", identifiers("tags", Array(repeating: 0, count: size)))])
            let tag = resource("tags", 0, attributes: [("name", .string("shared")), ("color", .string("red"))])
            return .object([("data", list), ("included", .array([tag]))])
        case .chain: return linked(size, last: .null)
        case .ring: return linked(size, last: identifier("links", 0))
        case .pairs:
            return .object([
                ("data", .array((0..<size).map { resource("partners", $0, relationships: [("others", partner(of: $0, size))]) }))
            ])
        case .mesh:
            let all = Array(0..<Int(Double(size).squareRoot()))
            return .object([("data", .array(all.map { resource("nodes", $0, relationships: [("all", identifiers("nodes", all))]) }))])
        case .escapes: return tag([("name", .string(Self.escapedText(size)))])
        case .members: return tag((0..<size).map { ("member-\($0)", .int($0)) } + [("name", .string("last"))])
        case .duplicates: return tag((0..<size).map { ("name", .string($0 + 1 == size ? "last" : "not this")) })
        case .swallowed: return tag([("name", .array((0..<size).map { .int($0) }))])
        case .dropped: return tag([("name", .array((0..<size).map { _ in .string("none") }))])
        case .repeated:
            let members = (0..<size - 1).map { (name: "member-\($0)", value: Node.int($0)) }
            return tag([("name", .object(members + [(name: "member-0", value: .int(size))]))])
        case .paths: return tag((0..<size).map { ("member-\($0)", .int($0)) })
        case .fields, .rules: return tag([("parent", .object((0..<size).map { ("member-\($0)", .int($0)) }))])
        case .names:
            let inner = Node.object((0..<size).map { ("\($0)/", .int($0)) })
            return tag([("name", .string("last")), (String(repeating: "+", count: size), inner)])
        case .chunks:
            let data = Node.array([resource("tags", 0, attributes: [("name", .string("one")), ("color", .string("red"))])])
            return .object([("data", data)] + (0..<size).map { ("@member-\($0)", .int($0)) })
        case .kept: return .object([("data", .array((0..<size).map { resource("late", $0, attributes: [("name", .string("n\($0)"))]) }))])
        }
    }

    /// Characters that are written as escapes: two short ones, two of six bytes, and a surrogate pair.
    static func escapedText(_ size: Int) -> String {
        let pattern: [Unicode.Scalar] = ["\n", "é", "\"", "🚀"]
        var text = String.UnicodeScalarView()
        for i in 0..<size { text.append(pattern[i % pattern.count]) }
        return String(text)
    }
}

// MARK: - Parts

extension HostileFamily {
    private func tag(_ attributes: [(name: String, value: Node)]) -> Node {
        .object([("data", resource("tags", 0, attributes: attributes + [("color", .string("red"))]))])
    }

    private func linked(_ size: Int, last: Node) -> Node {
        let links = (0..<size).map { i in
            let next = i + 1 < size ? identifier("links", i + 1) : last
            return resource("links", i, relationships: [("next", .object([("data", next)]))])
        }
        return .object([("data", links[0]), ("included", .array(Array(links.dropFirst())))])
    }

    private func partner(of i: Int, _ size: Int) -> Node {
        let other = i ^ 1
        return identifiers("partners", other < size ? [other] : [])
    }

    private func identifier(_ type: String, _ id: Int) -> Node { .object([("type", .string(type)), ("id", .string("\(id)"))]) }

    private func identifiers(_ type: String, _ ids: [Int]) -> Node { .object([("data", .array(ids.map { identifier(type, $0) }))]) }

    private func resource(
        _ type: String, _ id: Int, attributes: [(name: String, value: Node)] = [], relationships: [(name: String, value: Node)] = []
    ) -> Node {
        var members: [(name: String, value: Node)] = [("type", .string(type)), ("id", .string("\(id)"))]
        if !attributes.isEmpty { members.append(("attributes", .object(attributes))) }
        if !relationships.isEmpty { members.append(("relationships", .object(relationships))) }
        return .object(members)
    }
}
