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
    private let absent: [[String]]
    private let known: JSONObject?
    private let reading: EarlierReading
    private let readingOfRest: EarlierReading

    init(_ ground: PatchGround, _ old: WrittenState, _ new: WrittenState, of resource: ResourceIdentifier) {
        (self.ground, self.old, self.new, self.resource) = (ground, old, new, resource)
        parts = old.parts.union(new.parts)
        lostRests = old.rests.filter { !new.rests.contains($0) }
        absent = new.absent.filter { $0.count > 1 && $0[0] == "attributes" }.map { Array($0.dropFirst()) }
        known = ground.known(resource)
        reading = EarlierReading(ground.base, old, isKnown: ground.isUnedited || ground.base == nil)
        readingOfRest = EarlierReading(ResourceObject(type: "", attributes: old.asRead), old, isKnown: ground.isUnedited)
    }

    /// Returns what to send for an attribute that differs; nil for nothing.
    func value(of change: MemberChange) throws -> JSON? {
        var change = change
        if !absent.isEmpty {
            change.new = AttributeParts.keeping(absent, of: change.name, from: change.old, in: change.new)
            if change.new == change.old { return nil }
        }
        try UnreadPlace.check(change, old.unread, new.unread, resource)
        try RemainingMembers.check(change, lostRests, without: new.named, resource)
        if let path = parts.path(into: change.name) { return try part(change, path) }
        guard let value = change.new else { return .null }
        let merge = JSONMerge(resource: resource, name: change.name, sameDates: DateText.areEqual)
        if ground.base != nil, let read = known?[change.name] { return try merged(read, value, change, merge, by: reading) }
        guard old.isReadWhole || old.asRead.contains(name: change.name) else { return value }
        return try merged(old.asRead[change.name] ?? .null, value, change, merge, by: readingOfRest)
    }

    private func merged(
        _ read: JSON, _ value: JSON, _ change: MemberChange, _ merge: JSONMerge, by reading: EarlierReading
    ) throws -> JSON {
        let origin = try reading.value(of: read, change.old, merge) { $0.attributes?[change.name] }
        return try merge.merged(read, from: origin, to: kept(value, origin, change.name))
    }

    /// Returns the whole of an attribute of which the values have only the parts at some paths.
    private func part(_ change: MemberChange, _ path: [String]) throws -> JSON? {
        guard let known = known?[change.name] else {
            throw AttributeParts.unknownRest(of: path, resource, isInBase: ground.base != nil)
        }
        let value = parts.clearing(change.name, from: change.old, to: change.new)
        if value == change.old { return nil }
        let merge = JSONMerge(resource: resource, name: change.name, isOfBase: ground.base != nil, sameDates: DateText.areEqual)
        let origin = try reading.value(of: known, change.old, merge) { $0.attributes?[change.name] }
        // A part that an earlier edit removed is null as well.
        let cleared = parts.union(reading.parts).clearing(change.name, from: origin, to: kept(value, origin, change.name))
        return try merge.merged(known, from: origin, to: cleared)
    }

    /// Returns a value with the parts that neither of the values has, because they are absent, as they were read.
    private func kept(_ value: JSON, _ read: JSON?, _ name: String) -> JSON {
        AttributeParts.keeping(absent, of: name, from: read, in: value)
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

    /// Returns a member as the model wrote it when it was read. If that cannot be found out by reading it again, returns what was read, as far
    /// as the old value has it.
    ///
    /// The old value is used if a member that the program has not edited is read in another way now: by a decoder with other options, or with
    /// an identifier that each reading makes anew.
    func value(of read: JSON, _ old: JSON?, _ merge: JSONMerge, _ member: (ResourceObject) -> JSON?) throws -> JSON? {
        // The model has all of it, unless it makes an object of null.
        guard !isKnown, read.object != nil || read.array != nil || read == .null && old?.object != nil, read != old else { return old }
        guard let again = first.flatMap({ member($0.object) }) else { return try merge.projected(read, on: old) }
        if again == old || JSONMerge.contradicts(again, read, old) { return old }
        return second.flatMap { member($0.object) } == again ? again : old
    }
}
