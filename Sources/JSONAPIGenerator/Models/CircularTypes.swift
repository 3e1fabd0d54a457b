/// Finds structs that contain themselves. A property that closes such a cycle gets the type `JSON`.
///
/// Arrays and dictionaries can close a cycle, because they store their elements indirectly.
enum CircularTypes {
    static func cut(in declarations: [TypeDeclaration]) -> [TypeDeclaration] {
        var declarations = declarations
        let positions = Dictionary(declarations.enumerated().map { ($1.name, $0) }) { first, _ in first }
        let targets = declarations.map { direct(in: $0).compactMap { positions[$0] } }
        var state = [State](repeating: .new, count: declarations.count)
        var cuts: [Int: Set<String>] = [:]
        for root in declarations.indices where state[root] == .new {
            var way = [(type: root, next: 0)]
            state[root] = .open
            while let (type, next) = way.last {
                guard next < targets[type].count else {
                    state[type] = .done
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                let target = targets[type][next]
                switch state[target] {
                case .new:
                    state[target] = .open
                    way.append((target, 0))
                case .open: cuts[type, default: []].insert(declarations[target].name)
                case .done: break
                }
            }
        }
        for (type, names) in cuts { declarations[type] = replacing(names, in: declarations[type]) }
        return declarations
    }

    private enum State { case new, open, done }

    /// The names of the types that a value of this type contains directly. The recursion is limited by the number of distinguished levels.
    private static func direct(in declaration: TypeDeclaration) -> [String] {
        declaration.properties.compactMap { name(of: $0.type) } + declaration.nested.flatMap(direct)
    }

    private static func name(of type: SwiftType) -> String? {
        switch type {
        case .named(let name): name
        case .optional(let wrapped): name(of: wrapped)
        default: nil
        }
    }

    private static func replacing(_ names: Set<String>, in declaration: TypeDeclaration) -> TypeDeclaration {
        var declaration = declaration
        declaration.properties = declaration.properties.map { property in
            guard let target = name(of: property.type), names.contains(target) else { return property }
            return Property(
                member: property.member, name: property.name, key: property.key, role: property.role,
                type: property.type.isOptional ? .optional(.json) : .json,
                notes: property.notes + ["A \(target), kept as JSON: it may contain this type again."], keepsEmpty: property.keepsEmpty)
        }
        declaration.nested = declaration.nested.map { replacing(names, in: $0) }
        return declaration
    }
}
