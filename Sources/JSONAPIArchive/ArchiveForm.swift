import JSONAPICodec
import JSONText

/// Determines how a Swift type is stored in an archive: as one resource, as many resources, or as a plain value. Only the type matters.
package enum ArchiveForm {
    /// Returns the contents of a root as a value of a type. Throws `otherForm` if the root has another form.
    static func value<Value: Decodable>(_ type: Value.Type, of root: ArchiveRoot, _ key: String, _ archive: Archive) throws -> Value {
        let found: Any
        if let optional = type as? any ArchivedOptional.Type {
            found = try optional.read(root, key, archive)
        } else if let list = type as? any ArchivedList.Type {
            guard case .many(let keys) = root else { throw other(root, key, "many resources", type) }
            found = try list.read(keys, key, archive)
        } else if let model = type as? any ResourceRepresentable.Type {
            guard case .one(let identity) = root else { throw other(root, key, "one resource", type) }
            found = try one(model, identity, key, archive)
        } else {
            guard case .value(let text) = root else { throw other(root, key, "a plain value", type) }
            do { return try archive.reader.value(type, from: text, holding: archive.contents) } catch {
                throw naming(key).moved(error)
            }
        }
        // Each branch above returns a value of this type.
        guard let value = found as? Value else { throw other(root, key, "another value", type) }
        return value
    }

    /// Adds a key to the words of an error. A list of several problems stays as it is.
    private static func naming(_ key: String) -> ErrorRelocation {
        ErrorRelocation(failure: { failure in
            guard failure.others.isEmpty, failure.syntaxError == nil else { return failure }
            return DecodingFailure(
                failure.kind, at: failure.pointer, offset: failure.offset, resource: failure.resource, expected: failure.expected,
                found: "\(failure.found), under the key `\(key)`", advice: failure.advice)
        })
    }

    /// Returns a text of the archive as JSON. Limits of decoders do not apply, because a text that exceeds one is not damaged.
    package static func json(_ text: [UInt8], _ what: @autoclosure () -> String, at offset: Int? = nil) throws(ArchiveError) -> JSON {
        do { return try JSON(parsing: text, options: .unlimited) } catch {
            throw ArchiveError(.malformed, "\(what()) is not JSON: \(error.reason)", section: .record, offset: offset)
        }
    }

    private static func one<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity, _ key: String, _ archive: Archive
    ) throws -> Model {
        if let model = try archive.models(type, [identity.identifier])[0] { return model }
        guard try archive.contents.has(identity) else {
            throw ArchiveError(
                .missingResource, "the key `\(key)` names \(identity.identifier), which has been removed",
                advice: "use decodeIfPresent with an optional type, or remove the key too")
        }
        throw otherType(identity, key, type)
    }

    /// Returns the resources of a key as models, without those that were removed. Throws `otherForm` if the model does not read the type of
    /// one of them.
    static func many<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identities: [StoredIdentity], _ key: String, _ archive: Archive
    ) throws -> [Model] {
        let models = try archive.models(type, identities.map(\.identifier))
        let found = models.compactMap { $0 }
        if found.count < models.count {
            for (model, identity) in zip(models, identities) where try model == nil && archive.contents.has(identity) {
                throw otherType(identity, key, type)
            }
        }
        return found
    }

    private static func otherType(_ identity: StoredIdentity, _ key: String, _ type: Any.Type) -> ArchiveError {
        ArchiveError(
            .otherForm, "the key `\(key)` names a resource of type `\(identity.type)`, which \(type) is not for",
            advice: "decode it as a model for that type, or as ResourceObject")
    }

    private static func other(_ root: ArchiveRoot, _ key: String, _ wanted: String, _ type: Any.Type) -> ArchiveError {
        let found: (form: String, cure: String) =
            switch root {
            case .value: ("a plain value", "the type that was encoded, which is no resource")
            case .one(let identity): ("one resource", "a model for the type `\(identity.type)`")
            case .many(let identities):
                ("many resources", "an array of models" + (identities.first.map { " for the type `\($0.type)`" } ?? ""))
            }
        return ArchiveError(
            .otherForm, "the key `\(key)` names \(found.form), and \(type) is read from \(wanted)", advice: "decode it as \(found.cure)")
    }
}

/// An array of resources.
protocol ArchivedList {
    static func read(_ keys: [StoredIdentity], _ key: String, _ archive: Archive) throws -> Any
    func write(_ key: String, to writer: inout Archive.Writer) throws
}

extension Array: ArchivedList where Element: ResourceRepresentable {
    static func read(_ keys: [StoredIdentity], _ key: String, _ archive: Archive) throws -> Any {
        try ArchiveForm.many(Element.self, keys, key, archive)
    }

    func write(_ key: String, to writer: inout Archive.Writer) throws { try writer.putResources(self, key, isMany: true) }
}

/// An optional value. Nil is stored as JSON null.
protocol ArchivedOptional {
    static func read(_ root: ArchiveRoot, _ key: String, _ archive: Archive) throws -> Any
}

extension Optional: ArchivedOptional where Wrapped: Decodable {
    static func read(_ root: ArchiveRoot, _ key: String, _ archive: Archive) throws -> Any {
        switch root {
        case .value(let text) where text == Array("null".utf8): return Self.none as Any
        case .one(let identity) where try !archive.contents.has(identity): return Self.none as Any
        default: return Self.some(try ArchiveForm.value(Wrapped.self, of: root, key, archive)) as Any
        }
    }
}
