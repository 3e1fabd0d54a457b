import JSONAPIRules
import JSONText

/// One resource object in a request: `Create` or `Patch`. An array of them is the body for an endpoint that accepts several.
///
/// Do not conform to this protocol. The library's own types implement it.
public protocol ResourceBody: DocumentBody {
    /// Implemented by this library.
    func _writeResource(_ target: ResourceTarget) throws
    /// Implemented by this library.
    var _restrictedFields: [String] { get }
}

/// The destination of one resource object in a request.
public struct ResourceTarget {
    let session: EncodingSession
    let place: ObjectPlace
}

extension ResourceBody {
    public func _write(_ target: DocumentTarget) throws {
        target.session.output.name("data")
        try target.session.writeBody(self, at: ObjectPlace("data"))
        try target.session.writeNewResources()
    }
}

extension Array: DocumentBody where Element: ResourceBody {
    public var _kind: DocumentKind { .any }

    public func _write(_ target: DocumentTarget) throws {
        let session = target.session
        session.output.name("data")
        session.output.beginArray()
        for (index, body) in enumerated() { try session.writeBody(body, at: ObjectPlace("data", index: index)) }
        session.output.endArray()
        try session.writeNewResources()
    }
}

extension EncodingSession {
    /// The destination of a resource object that is compared, and not part of a document.
    var data: ResourceTarget { ResourceTarget(session: self, place: ObjectPlace("data")) }

    /// Returns a model as a resource object with the given identity.
    func resourceObject(_ model: some ResourceRepresentable, as identity: ResourceIdentifier) throws -> ResourceObject {
        try data.write(model, as: identity)
        return try resourceObject()
    }

    /// Writes the resource object of a request, and checks it.
    func writeBody(_ body: some ResourceBody, at place: ObjectPlace) throws {
        isRequest = true
        isCheckedLater = true
        omitted = body._restrictedFields
        defer {
            isCheckedLater = false
            omitted = []
        }
        let mark = output.mark
        try body._writeResource(ResourceTarget(session: self, place: place))
        notePart(body._kind, at: place)
        try ResourceCheck.run(output.bytes(in: output.range(from: mark)), self, at: place, isRequest: true)
    }

    /// Notes the part of the attributes that the resource at a place has, for the encoder's rewriters.
    func notePart(_ kind: DocumentKind = .create, at place: ObjectPlace) {
        guard !options.rewriters.isEmpty, kind == .create || kind == .update else { return }
        parts[JSONPointer(tokens: place.tokens)] = kind == .update ? .changes : .without(omitted)
    }
}

// MARK: - Other documents

extension DocumentObject: DocumentBody {
    public var _kind: DocumentKind { .any }

    /// Writes the members as they are, in their order.
    public func _write(_ target: DocumentTarget) throws { for member in members { try target.session.writeTop(member.name, member.value) } }
}

extension ErrorDocument: DocumentBody {
    public var _kind: DocumentKind { .response(query: nil) }

    public func _write(_ target: DocumentTarget) throws {
        // What was read is written as it was.
        if object == nil, let index = errors.firstIndex(where: { !$0.hasDefinedMember }) {
            throw EncodingFailure(
                .documentStructure, at: JSONPointer("errors", "\(index)"), expected: "an error object with at least one defined member",
                found: "none", advice: "give the error a status or a title")
        }
        try DocumentObject(errors: errors, links: links, meta: meta, jsonapi: jsonapi)._write(target)
        try DocumentObject(members: JSONObject(members: (object?.members ?? [:]).filter { !MemberName($0.name).isPlain }))._write(target)
    }
}
