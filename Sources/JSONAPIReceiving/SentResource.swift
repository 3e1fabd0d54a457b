import JSONAPICodec
import JSONMapping
import JSONText

/// A resource object as a client has sent it, and what the decoder's rewriter makes of it.
struct SentResource: Sendable {
    /// The resource object with rewritten attributes. It has no attribute that only the rewriter supplies, such as a default.
    private(set) var object: ResourceObject
    /// The names of the attributes that the rewriter drops.
    private(set) var dropped: [String] = []

    /// The resource object as it was sent.
    private let original: ResourceObject
    /// The place of the resource object in the request.
    private let root: [String]
    private let rewriter: Rewriter?

    /// Creates a resource whose attributes are not rewritten. With a rewriter, the places of errors are those in the attributes that it makes.
    init(_ original: ResourceObject, at place: [String] = ["data"], _ rewriter: Rewriter? = nil) {
        object = original
        self.original = original
        root = place
        self.rewriter = rewriter
    }

    /// Creates a resource with rewritten attributes. Throws `ErrorDocument` when they cannot be rewritten.
    ///
    /// - Parameter isChange: Whether the resource has only the attributes that change, so that a rule that needs others is an error.
    init(rewriting original: ResourceObject, at place: [String] = ["data"], isChange: Bool, _ decoder: JSONAPIDecoder) throws {
        self.init(original, at: place, decoder.rewriter(for: original.type))
        guard let rewriter, let attributes = original.attributes else { return }
        do {
            let partial = try isChange ? rewriter.forChanges(attributes) : rewriter.withoutDefaults(for: attributes)
            object.attributes = try partial.rewrite(.object(attributes))
        } catch let error as ValidationError {
            throw RequestRefusal.moved(error) { self.place(of: ["attributes"] + $0) }
        }
        dropped = rewriter.dropped(from: attributes)
    }

    /// Whether the attributes are rewritten.
    var isRewritten: Bool { rewriter != nil }
}

// MARK: - Places

extension SentResource {
    /// Returns the place in the request for a path in the rewritten resource object.
    ///
    /// The place of an attribute is that of the only value that it is made from. If there are several, it is the place of all attributes.
    /// Instead of a place that the request does not have, it is the nearest place around it, because the pointer of an error must refer to a
    /// value of the request.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#error-objects>
    func place(of path: [String]) -> [String] {
        guard let rewriter, path.first == "attributes" else { return place(ofOriginal: path) }
        var pointer = JSONPointer(tokens: ["attributes"])
        if path.count > 1, let source = rewriter.source(of: path[1], in: original.attributes ?? JSONObject()) {
            pointer.tokens += source.segments + path.dropFirst(2)
        }
        while original.json[pointer: pointer] == nil, let parent = pointer.parent { pointer = parent }
        return place(ofOriginal: pointer.tokens)
    }

    /// Returns the place in the request for a path in the resource object as it was sent.
    func place(ofOriginal path: [String]) -> [String] { root + path }
}
