import JSONText

/// The words of the members of one resource object on the tape; 0 for a member that is absent. It takes 32 bytes.
///
/// <https://jsonapi.org/format/1.1/#document-resource-objects>
package struct ResourceEntry: Sendable, BitwiseCopyable {
    package var word: UInt32 = 0
    package var type: UInt32 = 0
    package var id: UInt32 = 0
    package var lid: UInt32 = 0
    package var attributes: UInt32 = 0
    package var relationships: UInt32 = 0
    var links: UInt32 = 0
    package var meta: UInt32 = 0

    /// Whether it has no fields and no links, like a resource identifier.
    package var isBare: Bool { attributes == 0 && relationships == 0 && links == 0 }

    /// The word of a part; 0 when it is absent.
    func word(of part: ResourcePart) -> UInt32 {
        switch part {
        case .attributes: attributes
        case .relationships: relationships
        case .links: links
        case .meta: meta
        }
    }

    /// Returns the type, with the id or the lid if the resource has one; nil when it has no type.
    func identity(_ view: TapeView) -> ResourceIdentifier? {
        guard type != 0, view.isString(Int(type)) else { return nil }
        let type = view.string(at: Int(type))
        if id != 0 { return ResourceIdentifier(type: type, id: view.string(at: Int(id))) }
        return lid == 0 ? ResourceIdentifier(ofObject: type) : ResourceIdentifier(type: type, lid: view.string(at: Int(lid)))
    }

    /// Reads the object at `word`, whatever the kinds of its members are. Of repeated names, the last is used. Another value has no members.
    @inline(__always)
    package init(_ view: TapeView, at word: Int) {
        self.word = UInt32(truncatingIfNeeded: word)
        if !view.isObject(word) { return }
        view.forEachMember(of: word) { name, value in
            let value = UInt32(truncatingIfNeeded: value)
            if view.string(at: name, equals: "type") {
                type = value
            } else if view.string(at: name, equals: "id") {
                id = value
            } else if view.string(at: name, equals: "attributes") {
                attributes = value
            } else if view.string(at: name, equals: "relationships") {
                relationships = value
            } else if view.string(at: name, equals: "links") {
                links = value
            } else if view.string(at: name, equals: "meta") {
                meta = value
            } else if view.string(at: name, equals: "lid") {
                lid = value
            }
        }
    }
}

/// The words of the members of one relationship object; 0 for absent.
///
/// <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
package struct RelationshipEntry {
    let word: Int
    package private(set) var data = 0
    private(set) var links = 0
    private(set) var meta = 0
    /// Whether there are other members.
    private(set) var hasOthers = false

    @inline(__always)
    package init(_ view: TapeView, at word: Int) {
        self.word = word
        view.forEachMember(of: word) { name, value in
            if view.string(at: name, equals: "data") {
                data = value
            } else if view.string(at: name, equals: "links") {
                links = value
            } else if view.string(at: name, equals: "meta") {
                meta = value
            } else {
                hasOthers = true
            }
        }
    }
}
