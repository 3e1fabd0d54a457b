import JSONText

/// The place of a flat name in a resource object.
enum PropertyPlace {
    case value(ValuePlace)
    /// The `id` or `type` member.
    case identity(Int)
    /// Nothing. For a path, the word of the last value on the way; otherwise 0.
    case absent(after: Int)
}

extension DecodingSession {
    /// Returns the place of a property that is neither a relationship nor a marker. The order of look-up is always the same:
    ///
    /// 1. `id` and `type` are the identity;
    /// 2. an attribute with exactly that name, except for a name with a dot in a request;
    /// 3. for a name with a dot, the path it spells.
    func place(of name: FieldName, in ordinal: Int) -> PropertyPlace {
        if name.isIdentity { return identityPlace(name, entries[ordinal]) }
        if !isOnlyPath(name), let word = attribute(name, of: ordinal) { return .value(ValuePlace(field: word)) }
        return name.hasDot ? path(name, in: ordinal) : .absent(after: 0)
    }

    private func identityPlace(_ name: FieldName, _ entry: ResourceEntry) -> PropertyPlace {
        let word = name.isID ? entry.id : entry.type
        return word == 0 ? .absent(after: 0) : .identity(Int(word))
    }

    /// Returns the place of the value at a dotted path. The path starts at the resource object when its first name is that of one of the
    /// object's parts, present or not, otherwise at the attributes. The encoder writes it to the same place.
    private func path(_ path: FieldName, in ordinal: Int) -> PropertyPlace {
        var part: ResourcePart?
        if let dot = path.firstDot { part = ResourcePart(path.extracting(..<dot)) }
        var word = Int(part == nil ? entries[ordinal].attributes : entries[ordinal].word)
        if word != 0, walk(path, from: &word) { return .value(ValuePlace(word, .elsewhere, in: nil)) }
        // In `links`, which relationships have as well, a text is a link like an object.
        return .absent(after: part == .links || part == .relationships ? 0 : word)
    }

    /// Whether a name is a path and nothing else: one with a dot in a request. A client could otherwise write an attribute under another name
    /// than its own, which a server compares with those that only it writes.
    @inline(__always)
    func isOnlyPath(_ name: FieldName) -> Bool { isRequest && name.hasDot }

    /// Follows the names of a path to its value, or to the last value on the way. Returns whether it has found the value. A member with
    /// exactly the name of the rest of the path, dots included, takes precedence over a step, except in a request.
    ///
    /// - Complexity: That of `MemberFinder` for each step. A model with many paths costs no more than one with many properties.
    private func walk(_ path: FieldName, from word: inout Int) -> Bool {
        var (begin, step) = (0, 0)
        while view.isObject(word) {
            let rest = path.extracting(begin...)
            let slot = MemberFinder.valueSlot(step)
            if !isOnlyPath(rest), let exact = finder.member(rest, of: word, slot: slot, in: view) {
                word = exact
                return true
            }
            guard let dot = rest.firstDot, let next = finder.member(rest.extracting(..<dot), of: word, slot: slot, in: view) else { break }
            word = next
            begin += dot + 1
            step += 1
        }
        return false
    }

    /// Throws for the last value on the way of a path without a value, if it is neither an object nor null. The property would otherwise be
    /// nil, whatever the server sent.
    @inline(__always)
    func checkPassable(_ word: Int) throws {
        if word != 0, !view.isObject(word), !view.isNull(word), !isEmptyArrayContainer(word) { try checkObject(at: word) }
    }
}

extension DecodingSession {
    /// Returns the failure for a missing property. It names what exists, and where else the name occurs.
    func missing(_ name: String, in ordinal: Int, as type: Any.Type) -> DecodingFailure {
        DecodingFailure(.missingMember, note(at: Int(entries[ordinal].word), .field(name, of: ordinal, type: "\(type)")))
    }

    /// Returns the failure for a missing property whose name may be a path.
    func missingProperty(_ name: String, in ordinal: Int, as type: Any.Type) -> DecodingFailure {
        let isPath = name.utf8.contains(UInt8(ascii: "."))
        return isPath ? missing(Key(name), in: ordinal, as: type) : missing(name, in: ordinal, as: type)
    }

    /// Returns the failure for a missing value at a path. It names the last object on the way, and what that object has.
    func missing(_ path: Key, in ordinal: Int, as type: Any.Type) -> DecodingFailure {
        DecodingFailure(.missingMember, note(at: Int(entries[ordinal].word), .path(path, of: ordinal, type: "\(type)")))
    }

    /// Throws when a property without an attribute has the name of a part of the resource object that exists, or, being no relationship
    /// itself, that of a relationship, such as `Set<Person>?`. The property would otherwise be nil, whatever the server sent. In lenient
    /// mode, one with the name of a relationship is nil.
    ///
    /// - Parameter word: The last value on the way of a path, which must not end at a text, for example.
    @inline(__always)
    func checkNotElsewhere(_ name: FieldName, of ordinal: Int, _ type: Any.Type, after word: Int = 0) throws {
        try checkPassable(word)
        if ResourcePart.mayBe(name) { try checkNotPart(name, of: ordinal, type) }
        guard relationship(name, of: ordinal) != nil, options.mode != .lenient else { return }
        throw missing(name.text, in: ordinal, as: type)
    }

    @inline(never)
    private func checkNotPart(_ name: FieldName, of ordinal: Int, _ type: Any.Type) throws {
        guard let part = ResourcePart(name) else { return }
        let word = entries[ordinal].word(of: part, view)
        guard word != 0, !view.isNull(word) else { return }
        throw failure(
            .wrongType, at: word, expected: "the attribute `\(part.rawValue)`", found: "the resource's member of that name",
            advice: part.advice(type))
    }
}
