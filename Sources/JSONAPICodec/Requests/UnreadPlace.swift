import JSONMapping
import JSONText

/// The place of a value that a property wrapper could not decode, and writes back.
struct UnreadPlace: Sendable {
    /// The names and indices from the attribute to the value, the attribute's name first.
    private let path: [String]
    /// Whether the value is one of several values of a property.
    private let isPart: Bool
    /// Whether an index before the last step depends on other elements.
    private let isInArray: Bool

    init(_ sink: ValueSink, isPart: Bool) {
        let steps = sink.path
        path = (sink.group.first == nil ? [""] : []) + steps.compactMap(\.token)
        self.isPart = isPart
        isInArray = steps.contains { if case .index = $0 { true } else { false } }
    }

    /// Throws when a change of an attribute deletes values that could not be decoded, because the new value was not made from the old one.
    static func check(_ change: MemberChange, _ old: [UnreadPlace], _ new: [UnreadPlace], _ resource: ResourceIdentifier) throws {
        if old.isEmpty { return }
        let (before, after) = (old.filter { $0.isIn(change.name) }, new.filter { $0.isIn(change.name) })
        let areElementsGone = before.filter(\.isPart).count > after.filter(\.isPart).count && change.new ?? .null != .null
        let left = Set(after.map(\.path))
        guard areElementsGone || before.contains(where: { $0.isGone(in: change, left) }) else { return }
        throw EncodingFailure(
            .wrongPlace, at: JSONPointer("data", "attributes", change.name), resource: resource,
            expected: "the values that could not be decoded, which the patch would delete", found: "a value without them",
            advice: """
                to keep them, edit a copy of the value that was read, as `patch { }` does, and assign no nil to a property that could not \
                be decoded; to delete them, set the whole attribute by set("\(change.name)", …) or setNull("\(change.name)")
                """)
    }

    private func isIn(_ attribute: String) -> Bool { path.first.map { UTF8Bytes.areEqual($0, attribute) } ?? false }

    /// Whether the value of an optional property is nil now, and was not nil but could not be decoded.
    private func isGone(in change: MemberChange, _ left: Set<[String]>) -> Bool {
        if isPart || isInArray || left.contains(path) { return false }
        let around = path.dropFirst().dropLast().reduce(change.new) { json, name in json?.object?[name] }
        if path.count > 1, around ?? .null == .null { return false }
        let value = path.count == 1 ? change.new : path.last.flatMap { around?.object?[$0] }
        return value ?? .null == .null
    }
}
