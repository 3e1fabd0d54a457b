import JSONText

/// The resource object being written: what is known of it beside its identity, and what is not on the text yet.
struct ResourceState {
    var place = ObjectPlace()
    var node = IncludeTree.nothing
    /// Which fields are written; nil for all.
    var filter: FieldFilter?
    /// What few resources have; made when there is something.
    var extras: ResourceExtras?
    /// Where the member `attributes` begins, and where its value.
    var attributesMark = JSONOutput.Mark.start
    var attributesStart = 0
    /// Where the object begins.
    var start = JSONOutput.Mark.start
    /// Whether the finished text has to be checked: something was written whose names nobody noted.
    var needsCheck = false
}

/// What is written at the end of a resource object.
final class ResourceExtras {
    var lid: String?
    var links: JSON?
    var meta: JSON?
    /// Values at paths of several names.
    var paths: [(segments: [String], sink: ValueSink)] = []
    /// Members beside those that other properties write, by the path of their object.
    var remaining: [(segments: [String], members: JSONObject)] = []
    /// The attributes that are written in part.
    var parts = AttributeParts()
}

/// Names of fields that are written, or that are not.
struct FieldFilter {
    let fieldset: [String]?
    let omitted: [String]

    func contains(_ name: String) -> Bool {
        if omitted.contains(where: { UTF8Bytes.areEqual($0, name) }) { return false }
        return fieldset?.contains { UTF8Bytes.areEqual($0, name) } ?? true
    }
}

extension ResourceIdentifier {
    /// What a resource object says about who it is. A resource to be created may have neither id nor lid.
    init(ofObject type: String, id: String? = nil, lid: String? = nil) { self.init(type: type, id: id, lid: lid, meta: nil) }
}

/// Where an object stands in the document.
struct ObjectPlace {
    enum Base {
        case document, data, included
        case member(String)
    }

    var base = Base.document
    var index: Int?
    /// Whether it is the data of the operation at this place.
    var isInOperation = false

    init(_ base: Base = .document, index: Int? = nil) {
        self.base = base
        self.index = index
    }

    var tokens: [String] {
        var tokens: [String] = []
        switch base {
        case .document: break
        case .data: tokens.append("data")
        case .included: tokens.append("included")
        case .member(let name): tokens.append(name)
        }
        if let index { tokens.append(String(index)) }
        if isInOperation { tokens.append("data") }
        return tokens
    }
}
