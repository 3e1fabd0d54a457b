import Foundation
import JSONText

/// Checks whether a model's `init(from:)` reads what its `encode(to:)` writes.
///
/// Example: a hand-written `init(from:)` uses `Key`, and the compiler generates `encode(to:)` from `CodingKeys`. The model then reads
/// `attributes.address.city` but writes `city`, and the server would get an attribute that it does not have.
enum CodingMatch {
    /// Throws when a change in a patch is not read back. Checks only models that are read by `Key` and written by other keys.
    static func check(_ new: WrittenState, _ changes: ResourceObject) throws {
        guard new.isReadByKey, changes.attributes != nil, let own = new.object, let again = new.rewritten(own, false)?.object else {
            return
        }
        let names = own.namesDiffering(from: again, in: "attributes")
        guard let name = names.first(where: { changes[attribute: $0] ?? .null != .null }) else { return }
        throw mismatch(JSONPointer("data", "attributes", name), new.identifier)
    }

    fileprivate static func mismatch(_ pointer: JSONPointer, _ resource: ResourceIdentifier?) -> EncodingFailure {
        EncodingFailure(
            .wrongPlace, at: pointer, resource: resource, expected: "a value that init(from:) reads where encode(to:) writes it",
            found: "a value that is read from another place, or not at all",
            advice:
                "write encode(to:) by hand with the same keys as init(from:), or name the places in CodingKeys and write neither by hand")
    }
}

extension ResourceObject {
    /// Returns the names in an object such as `attributes` whose values differ from those of another resource object, each once.
    func namesDiffering(from other: ResourceObject, in group: String) -> [String] {
        let (old, new) = (members[group]?.object ?? JSONObject(), other.members[group]?.object ?? JSONObject())
        return ByteText.distinct(Array(old.names) + Array(new.names)).filter { old[$0] != new[$0] }
    }
}

extension JSONAPIEncoder {
    /// Throws unless a model's `init(from:)` reads back what its `encode(to:)` writes. Use it in tests, and while you write a model.
    ///
    /// ```swift
    /// try JSONAPIEncoder().checkCoding(of: article)
    /// ```
    ///
    /// `decoder` must use the same strategies as this encoder. Throws `EncodingError` for the first place that differs, and when the
    /// decoder refuses the document. Relationships that are not loaded are not written, and therefore not checked.
    ///
    /// - Complexity: That of writing the model three times and reading it once, with all resources that are available.
    public func checkCoding<Model: Resource>(of model: Model, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        var encoder = self
        // Whether a server accepts the names is another question.
        encoder.checksNames = false
        let data = try encoder.encode(model)
        let again: Model
        do { again = try decoder.decode(Model.self, from: data) } catch {
            throw EncodingFailure(
                .wrongPlace, at: (error as? DecodingError)?.failure?.pointer ?? JSONPointer("data"), resource: model.identifier,
                expected: "what init(from:) reads",
                found: "a document that it cannot read: \((error as? DecodingError)?.failure?.description ?? "\(error)")",
                advice: "write encode(to:) by hand with the same keys as init(from:)"
            ).encodingError
        }
        let (first, second) = (try encoder.resourceObject(model), try encoder.resourceObject(again))
        for group in ["attributes", "relationships", "meta", "links"] {
            guard let name = first.namesDiffering(from: second, in: group).first else { continue }
            throw CodingMatch.mismatch(JSONPointer("data", group, name), model.identifier).encodingError
        }
    }
}
