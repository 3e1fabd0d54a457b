import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// The document of a request that creates or changes a resource, as the client has sent it.
struct SentDocument {
    /// The resource to be created or changed.
    let data: ResourceObject
    /// The resources in `included`.
    let included: [ResourceObject]
    private let decoder: JSONAPIDecoder

    /// Checks the whole document. Throws `DecodingError` when it is not a document with one resource, and `ErrorDocument` with status 409 when
    /// the resource has another type, and with status 400 when it is included as well.
    init(_ body: Data, of type: String, _ decoder: JSONAPIDecoder) throws {
        var reader = decoder.readerOfRequests
        reader.rewriters = [:]
        let document = try reader.decode(Document<ResourceObject>.self, from: body)
        var data = document.data
        // A leniency reads a resource without a type as one of the model's type.
        if data.type.isEmpty { data.type = type }
        guard UTF8Bytes.areEqual(data.type, type) else { throw RequestRefusal.otherType(than: type) }
        self.data = data
        included = document.included
        self.decoder = decoder
        if !decoder.leniencies.contains(.duplicateIncluded) { try checkIsNotIncluded() }
    }

    /// The decoder takes primary data without fields for the linkage of a relationship, whose resource may be included.
    private func checkIsNotIncluded() throws {
        guard let own = data.identifier, let twin = included.firstIndex(where: { $0.identifier?.isSameResource(as: own) == true }) else {
            return
        }
        throw RequestRefusal.error(
            400, "Repeated resource", "Expected only one resource object with this identity.",
            at: ["included", String(twin)] + (own.id == nil ? ["lid"] : []))
    }
}

// MARK: - Resources

extension SentDocument {
    /// The resource to be created and the included resources, not rewritten.
    var resources: [SentResource] {
        [SentResource(data)] + included.enumerated().map { SentResource($1, at: ["included", String($0)]) }
    }

    /// Returns the resource object at a place; nil when there is none.
    func object(at place: some Collection<String>) -> ResourceObject? {
        var root = data.json
        var path = Array(place.dropFirst())
        if place.first == "included" {
            guard let index = path.first.flatMap({ Int($0) }), included.indices.contains(index) else { return nil }
            root = included[index].json
            path.removeFirst()
        }
        return root[pointer: JSONPointer(tokens: path)]?.object.map { ResourceObject(members: $0) }
    }

    /// Returns the resource at a place with rewritten attributes; nil when there is none.
    func resource(at place: [String]) throws -> SentResource? {
        try object(at: place).map { try SentResource(rewriting: $0, at: place, isChange: false, decoder) }
    }
}

// MARK: - Errors

extension SentDocument {
    /// Runs `body`, which reads the document as the rewriters make it, and moves its errors to places in the request.
    func locating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch  where !decoder.rewriters.isEmpty && (error is DecodingError || error is ValidationError) {
            throw RequestRefusal.moved(error) { place(of: $0) }
        }
    }

    private func place(of tokens: [String]) -> [String] {
        let depth = tokens.first == "included" ? 2 : 1
        let place = Array(tokens.prefix(depth))
        guard place.count == depth, let object = object(at: place) else { return tokens }
        return SentResource(object, at: place, decoder.rewriter(for: object.type)).place(of: Array(tokens.dropFirst(depth)))
    }
}
