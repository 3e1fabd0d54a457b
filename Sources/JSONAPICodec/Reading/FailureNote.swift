import JSONText

/// The words and the place of a failure.
struct FailureDetails: Sendable {
    var pointer: JSONPointer
    var offset: Int?
    let resource: ResourceIdentifier?
    let expected: String
    let found: String
    let advice: String?
    var syntaxError: JSONSyntaxError?
    /// Whether an attribute or a relationship is missing.
    var isMissingField = false
}

/// A failure as it is noted while models are read: the word on the tape, and what is needed to find the words for it.
///
/// A model may try one type after another and ignore what is thrown. A note takes constant time, wherever the value is in the document.
/// Putting it into words walks to the place and looks at the names around it.
///
/// A note keeps the document, and therefore its text.
struct FailureNote: Sendable {
    /// What went wrong, as far as it has to be put into words.
    enum Subject: Sendable {
        /// The words are given. Without `found`, the kind of the value is used.
        case value(expected: String, found: String?, advice: String?)
        /// A member of the object at `word`.
        case member(String)
        /// A field of a resource: an attribute, or whatever a property of the type may be.
        case field(String, of: Int, type: String)
        /// A value of a resource at a path, which is a flat key with dots or an explicit key.
        case path(Key, of: Int, type: String)
        /// A relationship. Without `advice`, the advice is to make the relationship optional.
        case relationship(String, of: Int, advice: String?)
        /// A value that the code of a type rejects.
        case rejected(by: Any.Type)
        /// The type of a resource, in place of one that is expected. `present` are types in the document.
        case resourceType(expected: [String], present: [String])
    }

    let document: ParsedDocument
    let word: Int
    let subject: Subject
    /// Whether the document is from a store or an archive.
    var isStored = false

    /// Only the expectation, for a message that may never be read.
    var brief: String {
        switch subject {
        case .value(let expected, _, _): "expected \(expected)"
        case .member(let name): "expected the member `\(name)`"
        case .field(let name, _, _): "expected the attribute `\(name)`"
        case .path(let path, _, _): "expected a value at `\(path.stringValue)`"
        case .relationship(let name, _, _): "expected the relationship `\(name)`"
        case .rejected(let type): "expected a value that \(type) accepts"
        case .resourceType(let expected, _): "expected a resource of type \(NearestName.list(expected))"
        }
    }

    /// The words and the place. O(siblings of the value and of each container around it, inside its resource).
    var details: FailureDetails {
        let note = atEndOfPath
        let (word, (expected, found, advice)) = (note.word, note.words)
        return FailureDetails(
            pointer: document.pointer(to: word), offset: document.view.start(of: word), resource: document.identifier(around: word),
            expected: expected, found: found, advice: advice, isMissingField: note.isMissingField)
    }

    private var isMissingField: Bool {
        switch subject {
        case .value, .member, .path, .rejected, .resourceType: false
        case .field(let name, _, _): !ResourcePart.isIdentity(name)
        case .relationship: true
        }
    }

    var words: (expected: String, found: String, advice: String?) {
        switch subject {
        case .value(let expected, let found, let advice): (expected, found ?? document.view.kindName(at: word), advice)
        case .member(let name): wordsForMember(name)
        case .field(let name, let ordinal, let type): wordsForField(name, document.index.entries[ordinal], type)
        case .path: atEndOfPath.words
        case .relationship(let name, let ordinal, let advice): wordsForRelationship(name, document.index.entries[ordinal], advice)
        case .rejected(let type): wordsForRejected(type)
        case .resourceType(let expected, let present): wordsForType(expected, present)
        }
    }

    private func wordsForMember(_ name: String) -> (String, String, String?) {
        let names = document.view.names(of: word)
        var advice = NearestName.find(name, in: names).map { "the nearest member is `\($0)`" }
        let converted = document.options.keyStrategy.memberName(name)
        if !UTF8Bytes.areEqual(converted, name), names.contains(where: { UTF8Bytes.areEqual($0, converted) }) {
            advice = "name `\(converted)` by a coding key, because a key strategy converts only the names of attributes and relationships"
        }
        return ("the member `\(name)`", names.isEmpty ? "an empty object" : "only \(NearestName.list(names))", advice)
    }

    /// The words that say which attributes exist, and where else the name occurs.
    private func wordsForField(_ name: String, _ entry: ResourceEntry, _ type: String) -> (String, String, String?) {
        if ResourcePart.isIdentity(name) {
            return (
                "the member `\(name)`", "a resource object without it",
                "make `\(name)` optional if a resource may have none" + (name == "id" ? " (in a direct initializer with idIfPresent)" : "")
            )
        }
        let attributes = entry.attributes == 0 ? [] : document.view.names(of: Int(entry.attributes))
        let relationships = entry.relationships == 0 ? [] : document.view.names(of: Int(entry.relationships))
        var advice: String?
        if relationships.contains(where: { UTF8Bytes.areEqual($0, name) }) {
            advice = "`\(name)` is a relationship: declare it as ToOne, ToMany or an embedded Resource instead of \(type)"
        } else if let near = NearestName.find(name, in: attributes) {
            let isConverted = !UTF8Bytes.areEqual(document.options.keyStrategy.memberName(near), near)
            advice =
                "the nearest attribute is `\(near)`; "
                + (isConverted
                    ? "name it by the coding key `attributes.\(near)`, because the key strategy converts other keys"
                    : "name it by a coding key, or choose a key strategy")
        } else if isStored || attributes.isEmpty {
            let other = isStored ? "migrate what older models have stored by an ArchiveModel" : "ask the server for its attributes"
            advice = "make the property optional, or " + other
        } else {
            advice = "if it was left out by a sparse fieldset, make the property optional"
        }
        let found = attributes.isEmpty ? "a resource without attributes" : "only \(NearestName.list(attributes))"
        return ("the attribute `\(name)`", found, advice)
    }

    private func wordsForRelationship(_ name: String, _ entry: ResourceEntry, _ cure: String?) -> (String, String, String?) {
        let names = entry.relationships == 0 ? [] : document.view.names(of: Int(entry.relationships))
        let nearest = NearestName.find(name, in: names).map { "the nearest relationship is `\($0)`" }
        return (
            "the relationship `\(name)`",
            names.isEmpty ? "a resource without relationships" : "only \(NearestName.list(names))",
            nearest ?? cure ?? "make it optional if a server may leave it out"
        )
    }
}

// MARK: - Words for values and types

extension FailureNote {
    /// For an enum, the words name the nearest raw value.
    private func wordsForRejected(_ type: Any.Type) -> (String, String, String?) {
        let found = "\(document.view.kindName(at: word)) that it rejects"
        guard let raw = type as? any RawRepresentable.Type else { return ("a value that \(type) accepts", found, nil) }
        let texts = (type as? any CaseIterable.Type).map { Self.rawTexts(of: $0) } ?? []
        let nearest = document.view.isString(word) ? NearestName.find(document.view.string(at: word), in: texts) : nil
        return (
            "a raw value of \(raw)" + (texts.isEmpty ? "" : ": \(NearestName.list(texts))"), found,
            (nearest.map { "the nearest is `\($0)`; " } ?? "")
                + "add a case for it, or declare the property as an optional with @Lossy of JSONMapping, which is nil for such a value"
        )
    }

    private static func rawTexts<Cases: CaseIterable>(of type: Cases.Type) -> [String] {
        type.allCases.prefix(100).compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
    }

    /// The advice is the spelling of the type, if one in the document is similar.
    private func wordsForType(_ expected: [String], _ present: [String]) -> (String, String, String?) {
        let found = document.view.isString(word) ? document.view.string(at: word) : ""
        let pair = expected.lazy.compactMap { type in NearestName.find(type, in: [found] + present).map { (type, $0) } }
            .first { !UTF8Bytes.areEqual($0, $1) }
        return (
            "a resource of type \(NearestName.list(expected))", "a resource of type `\(found.prefix(60))`",
            (pair.map { "`\($1)` in the document is similar to `\($0.prefix(60))`: check the spelling of both, or " } ?? "")
                + "use a ResourceUnion for several types in one place"
        )
    }
}

// MARK: - Paths

extension FailureNote {
    /// The note about the last object on the way to a value at a path, and about what it lacks. Other notes stay as they are.
    private var atEndOfPath: FailureNote {
        guard case .path(let path, let ordinal, let type) = subject else { return self }
        let view = document.view
        let names = names(of: path)
        var object = word
        for (index, name) in names.enumerated() {
            guard let value = view.member(name, of: object) else { return lacking(names, at: index, object, ordinal, type) }
            guard index + 1 < names.count else { break }
            guard view.isObject(value) else {
                let expected = "an object with the member `\(names[index + 1])`"
                return FailureNote(document: document, word: value, subject: .value(expected: expected, found: nil, advice: nil))
            }
            object = value
        }
        return lacking(names, at: names.count - 1, object, ordinal, type)
    }

    /// Returns the names that lead to the value from the resource object, as they are looked up.
    private func names(of path: Key) -> [String] {
        var names = OutlineKey(path).segments
        // The first name is that of a field.
        if path.root != .flat, names.count > 1 { names[1] = document.options.keyStrategy.memberName(names[1]) }
        return names
    }

    /// Returns the note about the member at `index` of a path, which `object` lacks.
    private func lacking(_ names: [String], at index: Int, _ object: Int, _ ordinal: Int, _ type: String) -> FailureNote {
        let (part, field) = (ResourcePart(rawValue: names[0]), names.dropFirst().joined(separator: "."))
        var (word, subject) = (object, Subject.member(names[index]))
        if index < 2, names.count > 1 {
            // Without the first name, there is no such field.
            if part == .attributes { (word, subject) = (self.word, .field(field, of: ordinal, type: type)) }
            if part == .relationships { (word, subject) = (self.word, .relationship(names[1], of: ordinal, advice: nil)) }
        }
        return FailureNote(document: document, word: word, subject: subject, isStored: isStored)
    }
}

// MARK: - Places in a document

extension ParsedDocument {
    /// Returns a failure at a value on the tape. Most are caught, and never need their pointer.
    func failure(
        _ kind: DecodingFailure.Kind, at word: Int, expected: String, found: String? = nil, advice: String? = nil
    ) -> DecodingFailure {
        DecodingFailure(kind, FailureNote(document: self, word: word, subject: .value(expected: expected, found: found, advice: advice)))
    }

    /// Returns the identity of a resource; nil when it has none.
    func identifier(of ordinal: Int) -> ResourceIdentifier? {
        guard index.entries.indices.contains(ordinal) else { return nil }
        let entry = index.entries[ordinal]
        return entry.id == 0 && entry.lid == 0 ? nil : entry.identity(view)
    }

    /// Returns the identity of the resource that contains a value; nil outside of all resources.
    func identifier(around word: Int) -> ResourceIdentifier? { index.ordinal(holding: word, view).flatMap { identifier(of: $0) } }

    func pointer(ofResource ordinal: Int) -> JSONPointer {
        if ordinal < index.primaryCount {
            let data = JSONPointer("data")
            return view.isArray(layout.data) ? data.appending(ordinal) : data
        }
        if ordinal < index.entries.count - index.embedded.count { return JSONPointer("included").appending(ordinal - index.primaryCount) }
        return index.entries.indices.contains(ordinal) ? view.pointer(to: Int(index.entries[ordinal].word)) : .root
    }

    /// Returns the pointer to any value. It is fast for values inside resources.
    func pointer(to word: Int) -> JSONPointer {
        guard let ordinal = index.ordinal(holding: word, view) else { return view.pointer(to: word) }
        return view.pointer(to: word, from: Int(index.entries[ordinal].word), prefix: pointer(ofResource: ordinal))
    }
}
