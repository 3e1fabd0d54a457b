import JSONText

/// The words of the members of one resource object on the tape; 0 for a member that is absent. It takes 24 bytes.
///
/// A document has as many as it has resources, so `links` and `meta`, which few models read, are looked up on the tape.
///
/// <https://jsonapi.org/format/1.1/#document-resource-objects>
package struct ResourceEntry: Sendable, BitwiseCopyable {
    package var word: UInt32 = 0
    package var type: UInt32 = 0
    package var id: UInt32 = 0
    package var lid: UInt32 = 0
    package var attributes: UInt32 = 0
    package var relationships: UInt32 = 0

    /// Returns whether it has no fields and no links, like a resource identifier.
    package func isBare(_ view: TapeView) -> Bool { attributes == 0 && relationships == 0 && self.word(of: .links, view) == 0 }

    /// Returns the word of a part; 0 when it is absent. Of repeated names, the last is used.
    func word(of part: ResourcePart, _ view: TapeView) -> Int {
        switch part {
        case .attributes: Int(attributes)
        case .relationships: Int(relationships)
        case .links: member("links", view)
        case .meta: member("meta", view)
        }
    }

    private func member(_ name: StaticString, _ view: TapeView) -> Int {
        view.isObject(Int(word)) ? view.member(name, of: Int(word)) ?? 0 : 0
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
