import JSONMapping
import JSONText

/// The attributes that a patch sends for the differences between two values of a resource.
struct AttributeDifference {
    private let ground: PatchGround
    private let old: WrittenState
    private let new: WrittenState
    private let resource: ResourceIdentifier
    /// The attributes that the values have only in part.
    private let parts: AttributeParts
    /// The places of remaining members that only the old value has.
    private let lostRests: [[String]]
    /// The places that stay as they are, from the name of the attribute.
    private let absent: (old: [[String]], new: [[String]])
    private let known: JSONObject?
    private let reading: EarlierReading
    private let readingOfRest: EarlierReading

    init(_ ground: PatchGround, _ old: WrittenState, _ new: WrittenState, of resource: ResourceIdentifier) {
        (self.ground, self.old, self.new, self.resource) = (ground, old, new, resource)
        parts = old.parts.union(new.parts)
        lostRests = old.rests.filter { !new.rests.contains($0) }
        absent = (old.absentInAttributes, new.absentInAttributes)
        known = ground.known(resource)
        reading = EarlierReading(ground.base, old, isKnown: ground.isUnedited || ground.base == nil)
        let hasRest = old.isReadWhole || !old.asRead.isEmpty
        readingOfRest = EarlierReading(
            hasRest ? ResourceObject(type: "", attributes: old.asRead) : nil, old, isKnown: ground.isUnedited)
    }

    /// Returns what to send for an attribute that differs; nil for nothing.
    func value(of change: MemberChange) throws -> JSON? {
        var change = change
        if !absent.new.isEmpty {
            change.new = AttributeParts.keeping(absent.new, of: change.name, from: change.old, in: change.new)
            if change.new == change.old { return nil }
        }
        try UnreadPlace.check(change, old.unread, new.unread, resource)
        try RemainingMembers.check(change, lostRests, without: new.named, resource)
        if let path = parts.path(into: change.name) { return try part(change, path) }
        guard let value = change.new else { return .null }
        if ground.base != nil, let read = known?[change.name] { return try merged(read, change, by: reading) }
        guard old.isReadWhole || old.asRead.contains(name: change.name) else { return value }
        return try merged(old.asRead[change.name] ?? .null, change, by: readingOfRest)
    }

    /// Returns an attribute with the members inside it that only the remaining members have. An attribute stays as it is written if they have
    /// none of it, or if it has changed so much that they cannot be told where to go.
    func completed(_ name: String, _ value: JSON) -> JSON {
        guard let read = old.asRead[name], JSONMerge.hasMore(read, than: value), let again = readingOfRest.again(name),
            !JSONMerge.contradicts(again, read, value)
        else { return value }
        let change = MemberChange(name: name, old: again, new: value)
        return (try? merged(read, change, by: EarlierReading(nil, old, isKnown: true))) ?? value
    }

    private func merged(
        _ read: JSON, _ change: MemberChange, isOfBase: Bool = true, by reading: EarlierReading, parts: AttributeParts? = nil
    ) throws -> JSON {
        let merge = JSONMerge(
            resource: resource, name: change.name, nested: old.nested + new.nested, isOfBase: isOfBase, sameDates: DateText.areEqual)
        return try reading.applying(change, to: read, merge, keeping: absent, parts: parts) { $0.attributes?[change.name] }
    }

    /// Returns the whole of an attribute of which the values have only the parts at some paths.
    private func part(_ change: MemberChange, _ path: [String]) throws -> JSON? {
        guard let known = known?[change.name] else {
            throw AttributeParts.unknownRest(of: path, resource, isInBase: ground.base != nil)
        }
        var change = change
        change.new = parts.clearing(change.name, from: change.old, to: change.new)
        if change.new == change.old { return nil }
        // A part that an earlier edit removed is null as well.
        return try merged(known, change, isOfBase: ground.base != nil, by: reading, parts: parts.union(reading.parts))
    }
}

/// What a value had when it was read, before the program edited it. A patch must not take back such an edit.
final class EarlierReading {
    private let read: ResourceObject?
    private let old: WrittenState
    /// Whether the old value was not edited since it was read.
    private let isKnown: Bool
    private lazy var first = read.flatMap { old.rewritten($0, true) }
    private lazy var second = read.flatMap { old.rewritten($0, true) }

    /// - Parameter read: What was read; nil if it is not known.
    init(_ read: ResourceObject?, _ old: WrittenState, isKnown: Bool) { (self.read, self.old, self.isKnown) = (read, old, isKnown) }

    /// The attributes that the model wrote in part.
    var parts: AttributeParts { isKnown ? AttributeParts() : first?.parts ?? AttributeParts() }

    /// Returns an attribute as the model writes it when it is read again; nil if it cannot be read, or differs each time.
    func again(_ name: String) -> JSON? {
        let again = first?.object.attributes?[name]
        return second?.object.attributes?[name] == again ? again : nil
    }

    /// Returns what was read with the edits that the program made before, and then with a change.
    ///
    /// - Parameters:
    ///   - absent: The places that stay as they are, because neither of two values has them.
    ///   - parts: The parts that the model writes, of which a removed one becomes null; nil for a member that it writes as a whole.
    func applying(
        _ change: MemberChange, to read: JSON, _ merge: JSONMerge, keeping absent: (old: [[String]], new: [[String]]),
        parts: AttributeParts? = nil, _ member: (ResourceObject) -> JSON?
    ) throws -> JSON {
        func completed(_ value: JSON?, from earlier: JSON?, _ absent: [[String]]) -> JSON? {
            let kept = AttributeParts.keeping(absent, of: change.name, from: earlier, in: value)
            return parts.map { $0.clearing(change.name, from: earlier, to: kept) } ?? kept
        }
        let origin = try value(of: read, change.old, merge, member)
        let old = completed(change.old, from: origin, absent.old)
        // What was removed since it was read, and is set again now, is new.
        let now = old == origin ? read : try merge.merged(read, from: origin, to: old ?? .null)
        return try merge.merged(now, from: old, to: completed(change.new, from: old, absent.new) ?? .null)
    }

    /// Returns a member as the model wrote it when it was read. If that cannot be found out by reading it again, returns what was read, as far
    /// as the old value has it.
    ///
    /// The old value is used if a member that the program has not edited is read in another way now: by a decoder with other options, or with
    /// an identifier that each reading makes anew.
    private func value(of read: JSON, _ old: JSON?, _ merge: JSONMerge, _ member: (ResourceObject) -> JSON?) throws -> JSON? {
        // The model has all of it, unless it makes an object of null.
        guard !isKnown, read.object != nil || read.array != nil || read == .null && old?.object != nil, read != old else { return old }
        guard let again = first.flatMap({ member($0.object) }) else { return try merge.projected(read, on: old) }
        if again == old || JSONMerge.contradicts(again, read, old) { return old }
        return second.flatMap { member($0.object) } == again ? again : old
    }
}
