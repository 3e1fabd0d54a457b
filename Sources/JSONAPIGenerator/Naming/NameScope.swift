/// Assigns unique names.
struct NameScope {
    private(set) var taken: Set<String>
    /// Names of the enclosing scopes, which must not be hidden.
    private let outer: Set<String>
    /// Names that no scope of this kind can have.
    private let reserved: Set<String>
    private var next: [String: Int] = [:]
    private let ignoresCase: Bool

    /// Creates a scope in which some names are taken.
    init(taken: Set<String> = []) {
        ignoresCase = false
        self.taken = taken
        outer = []
        reserved = []
    }

    /// Creates a scope for the names of types. These become names of files, so case does not matter.
    init(typesIn enclosing: [String], outer: Set<String> = []) {
        ignoresCase = true
        taken = Set(enclosing.map { $0.lowercased() })
        self.outer = outer
        reserved = ReservedNames.types
    }

    private func key(_ name: String) -> String { ignoresCase ? name.lowercased() : name }

    /// Takes exactly that name. Returns false if it is taken, or reserved.
    mutating func claim(_ name: String) -> Bool {
        guard !outer.contains(key(name)), !reserved.contains(name) else { return false }
        return taken.insert(key(name)).inserted
    }

    /// Takes the first of the names that is free, otherwise the first name with the lowest free number from 2.
    mutating func take(_ names: String...) -> String { take(names) }

    /// Takes the first of the names that is free, otherwise the first name with the lowest free number from 2.
    mutating func take(_ names: [String]) -> String {
        for name in names where claim(name) { return name }
        let base = names.first ?? ""
        var number = next[key(base)] ?? 2
        while !claim("\(base)\(number)") { number += 1 }
        next[key(base)] = number + 1
        return "\(base)\(number)"
    }
}

extension NameScope {
    /// Returns names for the properties of `members`. A member whose name already is a Swift name keeps it, at any position. `reserved`
    /// returns another name for a name with a special meaning.
    mutating func properties(for members: [String], reserved: (String) -> String?) -> [String] {
        let bases = members.map { member -> String in
            let name = SwiftName.lowerCamel(member)
            return reserved(name) ?? (name.isEmpty ? "field" : name)
        }
        var names = zip(members, bases).map { member, base in base == member && claim(base) ? base : nil }
        for position in names.indices where names[position] == nil { names[position] = take(bases[position]) }
        return names.map { $0 ?? "" }
    }
}
