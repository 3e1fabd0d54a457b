import JSONAPICodec
import JSONAPIComparison
import JSONText

/// The difference of two documents for people: a line for each thing that changed.
///
///     document
///       ~ meta total: 2 → 3
///     ~ articles 1
///       ~ title: "Old" → "New"
///       + draft: true
///       ~ comments → added comments 5; removed comments 12
///     - people 9 (included)
struct DiffText {
    private let ink: Ink
    private let limits: ShortText.Limits
    private let maximumElements: Int

    init(showsAll: Bool, ink: Ink) {
        self.ink = ink
        limits = showsAll ? .none : ShortText.Limits()
        maximumElements = showsAll ? .max : 12
    }

    func print(_ comparison: DocumentComparison, in console: Console) throws {
        if !comparison.document.isEmpty { try console.print(ink.paint("document", .heading)) }
        for change in comparison.document { try print(change, in: console) }
        for resource in comparison.resources {
            try console.print(line(resource))
            for change in resource.changes { try print(change, in: console) }
        }
    }
}

// MARK: - Lines

extension DiffText {
    private func line(_ change: ChangedResource) -> String {
        let label = Label.of(change.resource, limits: limits)
        let place = change.formerPlace.map { " (moved from \($0.rawValue) to \(change.place.rawValue))" }
        switch change.kind {
        case .added: return ink.paint("+ \(label)", .added) + ink.paint(suffix(change), .remark)
        case .removed: return ink.paint("- \(label)", .removed) + ink.paint(suffix(change), .remark)
        case .changed: return ink.paint("~", .changed) + " " + ink.paint(label, .heading) + ink.paint(place ?? "", .remark)
        }
    }

    private func suffix(_ change: ChangedResource) -> String { change.place == .included ? " (included)" : "" }

    private func print(_ change: Change, in console: Console) throws {
        let name = ink.paint(name(of: change.path), .memberName)
        switch change.kind {
        case .added(let value):
            try console.print("  \(ink.paint("+", .added)) \(name): \(text(value, change.path))")
        case .removed(let value):
            try console.print("  \(ink.paint("-", .removed)) \(name): \(text(value, change.path))")
        case .changed(let old, let new):
            try console.print("  \(ink.paint("~", .changed)) \(name)\(difference(old, new, change.path))")
        case .relinked(let added, let removed):
            let parts = [("added", added), ("removed", removed)].filter { !$0.1.isEmpty }.map { "\($0.0) \(list($0.1))" }
            try console.print("  \(ink.paint("~", .changed)) \(name): \(parts.joined(separator: "; "))")
        case .reordered:
            try console.print("  \(ink.paint("~", .changed)) \(name): \(ink.paint("in another order", .remark))")
        case .reshaped(let old, let new):
            try console.print("  \(ink.paint("~", .changed)) \(name): \(DiffText.word(old)) → \(DiffText.word(new))")
        }
    }

    private static func word(_ shape: Change.Shape) -> String {
        switch shape {
        case .absent: "absent"
        case .null: "null"
        case .one: "one resource"
        case .many: "a list"
        }
    }
}

// MARK: - Names and values

extension DiffText {
    /// What a member is called, as `show` calls it: `title`, `address/city`, `author →`, `link self`, `meta total`.
    private func name(of path: [String]) -> String {
        func text(_ tokens: ArraySlice<String>) -> String { tokens.map { ShortText.memberName($0, limits: limits) }.joined(separator: "/") }
        guard path.count > 1 else { return text(path[...]) }
        switch path[0] {
        case "attributes": return text(path[1...])
        case "relationships" where path.count > 2 && path[2] == "data":
            return text(path[1...1]) + " →" + (path.count > 3 ? " " + text(path[3...]) : "")
        case "relationships":
            guard path.count > 2 else { return text(path[1...1]) + " →" }
            return text(path[1...1]) + " → " + name(of: Array(path[2...]))
        case "links": return "link " + text(path[1...])
        case "meta": return "meta " + text(path[1...])
        default: return text(path[...])
        }
    }

    /// Both values; of two long texts that begin alike, what follows their common beginning.
    private func difference(_ old: JSON, _ new: JSON, _ path: [String]) -> String {
        if case .string(let left) = old, case .string(let right) = new, min(left.utf8.count, right.utf8.count) > limits.string {
            let common = zip(left.unicodeScalars, right.unicodeScalars).prefix { $0 == $1 }.count
            if common > limits.string / 2 {
                return " from character \(common + 1): \(rest(of: left, from: common)) → \(rest(of: right, from: common))"
            }
        }
        return ": \(text(old, path)) → \(text(new, path))"
    }

    private func rest(of text: String, from position: Int) -> String {
        let rest = text.unicodeScalars.dropFirst(position)
        let shown = String(rest.prefix(limits.string / 2))
        let isWhole = rest.dropFirst(limits.string / 2).isEmpty
        return ink.paint(ShortText.quoted(shown, limit: .max), .string) + (isWhole ? "" : "…")
    }

    private func text(_ json: JSON, _ path: [String]) -> String {
        guard path.count > 1, path[0] == "relationships" else { return ink.value(json, limits: limits) }
        if path.count == 3, path[2] == "data", let linkage = Linkage(json: json) { return text(linkage) }
        if path.count == 2, let relationship = RelationshipObject(json: json) {
            if relationship.members.contains(name: "data"), relationship.data == .absent { return ink.value(json, limits: limits) }
            return text(relationship.data)
        }
        return ink.value(json, limits: limits)
    }

    private func text(_ linkage: Linkage) -> String {
        switch linkage {
        case .absent: "not loaded"
        case .null: "none"
        case .one(let identifier): Label.of(identifier, limits: limits)
        case .many(let identifiers): identifiers.isEmpty ? "empty" : list(identifiers)
        }
    }

    private func list(_ identifiers: [ResourceIdentifier]) -> String {
        let shown = identifiers.prefix(maximumElements).map { Label.of($0, limits: limits) }
        let rest = identifiers.count > shown.count ? ", … \(identifiers.count - shown.count) more" : ""
        return shown.joined(separator: ", ") + rest
    }
}
