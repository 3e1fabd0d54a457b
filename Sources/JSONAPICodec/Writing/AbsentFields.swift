/// How a session writes the fields of a resource that have no value.
enum AbsentFields {
    /// As the strategies of the encoder say.
    case ordinary
    /// So that a patch can compare them: relationships are marked, and what is nil is null in all parts of the resource.
    case compared
    /// As in `compared`, for a property that a patch sets: a to-one relationship that is nil is empty, whatever it was before.
    case cleared
    /// So that their names can be listed: relationships that are nil or not loaded are empty, and what a schema omits is null.
    case named
    /// So that a session can find the properties that are nil: null in all parts of the resource.
    case probed
}

extension EncodingSession {
    /// Whether a relationship that is nil is marked, because a patch compares it with another value.
    var clearsRelationships: Bool { absentFields != .ordinary && absentFields != .probed }

    /// Whether nil is written as null in all parts of the resource, and not only in the attributes.
    var clearsParts: Bool { absentFields != .ordinary && absentFields != .named }

    /// Whether a to-one relationship that is nil is written as an empty one instead, whatever it was before.
    var statesCleared: Bool { absentFields == .cleared }

    /// Whether a page of a relationship would be taken for the whole of it, as in a request that changes a resource.
    var refusesPages: Bool { isRequest && !isCreation && absentFields != .compared }

    /// Whether an array that a patch refuses is marked.
    var marksAssigned: Bool { absentFields == .compared || options.isForArchives }

    /// Whether relationships that are nil or not loaded are written as well.
    var namesRelationships: Bool { absentFields == .named }
}
