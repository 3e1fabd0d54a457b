import JSONAPICodec
import JSONText

/// The places that a type's `init(from:)` asks for, with the types of the values there.
final class SchemaNode {
    private(set) var types: [any Decodable.Type] = []
    private(set) var isKeyed = false
    private(set) var isUnkeyed = false
    /// Whether the type looks at the names of all members. It may then read members of any names.
    private(set) var isOpen = false
    private(set) var children: [(name: String, node: SchemaNode)] = []
    private var positions: [ByteText: Int] = [:]

    func child(_ name: String) -> SchemaNode? { positions[ByteText(name)].map { children[$0].node } }

    func node(at path: some Collection<String>) -> SchemaNode? {
        path.reduce(self) { (node: SchemaNode?, name) in node?.child(name) }
    }

    func add(_ requests: [DecodingRecord.Request]) {
        for request in requests {
            var node = self
            for name in request.path { node = node.makeChild(name) }
            switch request.kind {
            case .value(let type): node.add(type)
            case .keyedContainer: node.isKeyed = true
            case .unkeyedContainer: node.isUnkeyed = true
            case .memberNames: node.isOpen = true
            case .presence: break
            }
        }
    }

    private func add(_ type: any Decodable.Type) {
        if !types.contains(where: { $0 == type }) { types.append(type) }
    }

    private func makeChild(_ name: String) -> SchemaNode {
        if let child = child(name) { return child }
        positions[ByteText(name)] = children.count
        children.append((name, SchemaNode()))
        return children[children.count - 1].node
    }

    /// The types of the values. If there are places in this node, `RemainingMembers` is left out, because its schema would hide theirs.
    var wholeTypes: [any Decodable.Type] {
        children.isEmpty ? types : types.filter { $0 != RemainingMembers.self && $0 != RemainingMembers?.self }
    }

    /// The number of places in this node.
    var count: Int { children.reduce(types.count) { $0 + 1 + $1.node.count } }

    /// The paths of the places without further places in them.
    func leaves(_ path: [String] = []) -> [[String]] {
        children.isEmpty ? (path.isEmpty ? [] : [path]) : children.flatMap { $0.node.leaves(path + [$0.name]) }
    }
}
