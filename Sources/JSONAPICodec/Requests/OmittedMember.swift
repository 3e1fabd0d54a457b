import JSONMapping
import JSONText

/// A member of a resource object that a patch leaves out, by the key path of its property.
enum OmittedMember: Equatable, Sendable {
    /// An attribute or a relationship.
    case field(String)
    case meta
    /// The links, which no request contains.
    case links

    /// The name of the attribute or relationship; nil for other members.
    var field: String? { if case .field(let name) = self { name } else { nil } }

    /// Throws `EncodingFailure` for a property whose member cannot be left out as a whole.
    init<Model: Resource>(_ property: PartialKeyPath<Model>, _ encoder: JSONAPIEncoder) throws {
        let key = try PropertyKeys.key(of: property, encoder.schemas)
        switch PropertyRole.marker(Swift.type(of: property).valueType) {
        case "meta": self = .meta
        case "links": self = .links
        case nil: self = .field(try Self.name(of: key, encoder.keyStrategy))
        default: throw Self.unknown(found: "a key path to the lid, which is none of them")
        }
    }

    private static func name(of key: OutlineKey, _ strategy: KeyStrategy) throws -> String {
        guard let name = key.memberName(strategy)?.name else {
            let isMeta = key.segments.first == "meta"
            throw unknown(
                found: "a key path to `\(key.text)`, which is none of them",
                advice: isMeta ? "leave out all of meta by a property of type ResourceMeta" : nil)
        }
        if key.segments.count > 2 {
            throw unknown(found: "a key path to a part of `\(name)`", advice: "leave out the whole of it by omitting(\"\(name)\")")
        }
        if key.segments.count < 2 { throw unknown(found: "a key path to all attributes", advice: "name the attributes") }
        return name
    }

    private static func unknown(found: String, advice: String? = nil) -> EncodingFailure {
        EncodingFailure(
            .unknownName, at: JSONPointer("data"), expected: "a key path to an attribute, a relationship, or meta", found: found,
            advice: advice)
    }
}

extension RemainingMembers {
    /// Throws when a change of an attribute deletes members that only remaining members have, because the new value was not made from the
    /// old one.
    ///
    /// - Parameters:
    ///   - rests: The paths of the remaining members that the new value does not have.
    ///   - named: The paths that the model names, from the resource object.
    static func check(_ change: MemberChange, _ rests: [[String]], without named: [[String]], _ resource: ResourceIdentifier) throws {
        for rest in rests where rest.isEmpty ? change.new == nil : UTF8Bytes.areEqual(rest[0], change.name) {
            let (old, new) = (
                AttributeParts.value(at: rest.dropFirst(), in: change.old), AttributeParts.value(at: rest.dropFirst(), in: change.new)
            )
            let members = rest.isEmpty ? [change.name] : old?.object?.map(\.name).filter { new?.object?.contains(name: $0) != true } ?? []
            let lost = members.filter { name in !named.contains { $0.dropFirst().elementsEqual(rest + [name]) } }
            if lost.isEmpty { continue }
            throw EncodingFailure(
                .wrongPlace, at: JSONPointer(tokens: ["data", "attributes"] + (rest.isEmpty ? [change.name] : rest)), resource: resource,
                expected: "the remaining members that were read, which the patch would delete", found: "RemainingMembers() without members",
                advice: """
                    edit a copy of the value that was read, as `patch { }` does, or give the new value the RemainingMembers of the old \
                    one; or set the whole attribute by set("\(change.name)", …) or setNull("\(change.name)")
                    """)
        }
    }

    /// The failure for a value that would replace the members that other properties name.
    static func isNoWhole(_ key: OutlineKey) -> EncodingFailure {
        let name = key.segments.dropFirst().first
        return EncodingFailure(
            .wrongPlace, at: JSONPointer(tokens: ["data"] + key.segments), expected: "a property that has a place of its own",
            found: "RemainingMembers beside properties that name members of the same object",
            advice: "edit a copy inside `patch { }`, or set "
                + (name.map { "the whole attribute by set(\"\($0)\", …)" } ?? "each attribute by its name"))
    }
}
