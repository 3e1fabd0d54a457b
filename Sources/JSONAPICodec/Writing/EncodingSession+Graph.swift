import JSONText

extension JSONAPIEncoder {
    /// Calls `body` with every resource object of a graph of values, each identity once. The values themselves come first, then the
    /// resources that they embed, hold or refer to.
    ///
    /// Throws `EncodingError` when `encode` does, and when two different values have the same identity.
    ///
    /// - Parameters:
    ///   - isLeftOut: Whether to leave out a resource that a reference finds in a source; see `EncodingSession.leavesOut`.
    ///   - new: The identity of a single new value, in place of its own.
    ///   - isNeeded: Whether a resource has to be written, other than a new one.
    ///   - body: Receives the identity, the text, the attributes that the text contains only in part, and the type of the model; that is
    ///     `ResourceObject` for a resource that was read.
    package func forEachResource<Value: ResourceRepresentable>(
        of values: [Value], leavingOut isLeftOut: @escaping (any ResourceSource, ResourceIdentifier?) -> Bool = { _, _ in false },
        as new: ResourceIdentifier? = nil, isNeeded: (ResourceIdentifier) -> Bool = { _ in true },
        _ body: (ResourceIdentifier, [UInt8], AttributeParts, Any.Type) throws -> Void
    ) throws {
        try withSession(include: .all) { session in
            session.leavesOut = isLeftOut
            session.isCreation = new != nil
            try session.watch.during {
                let writer = session.elementWriter(for: Value.self)
                var holder: Int?
                for (index, value) in values.enumerated() {
                    guard let identifier = new ?? value.identifier else {
                        throw EncodingFailure(
                            .missingIdentity, at: JSONPointer("data").appending(index), expected: "a resource with an id or a lid",
                            found: "a resource with neither")
                    }
                    let type = session.types.number(of: identifier.type, near: writer.typeHint)
                    writer.meet(value, identifier, type, session, IncludeTree.everything, in: values, at: index, &holder)
                }
                try session.forEachNoted(where: isNeeded, body)
            }
        }
    }
}

extension EncodingSession {
    /// Calls `body` with every resource that was noted, and with those that are noted while these are written.
    func forEachNoted(
        where isNeeded: (ResourceIdentifier) -> Bool = { _ in true },
        _ body: (ResourceIdentifier, [UInt8], AttributeParts, Any.Type) throws -> Void
    ) throws {
        var hashes: [Int: UInt64] = [:]
        while included.isWaiting {
            while let item = included.nextItem() {
                guard isCreation || isNeeded(included.identifier(item.number)) else { continue }
                let text = try self.text { try write(item.content, as: item.number, at: ObjectPlace("included"), node: item.node) }
                included.set(0..<text.count, for: item.number)
                // Only the first resource can be a new one.
                isCreation = false
                if comparesValues { hashes[item.number] = KeyedHash.shared.mix(text.span, into: 0) }
                var model: Any.Type = ResourceObject.self
                if case .value(let value) = item.content { model = included.values(of: value).model }
                try body(included.identifier(item.number), text, attributeParts, model)
            }
            for other in included.takeOthers() {
                let number = other.number
                let text = try self.text { try write(other) }
                guard !other.isEqual, hashes[number] != KeyedHash.shared.mix(text.span, into: 0), let first = included.value(number)
                else { continue }
                // The texts differ, but the values may be equal with members in a different order.
                let firstText = try self.text {
                    try write(first, as: number, at: ObjectPlace("included"), node: IncludeTree.nothing)
                }
                if try json(text) != json(firstText) { throw conflict(included.identifier(number)) }
            }
        }
    }

    /// Returns the object that `write` writes.
    private func text(_ write: () throws -> Void) throws -> [UInt8] {
        try write()
        defer { output.reset(to: .start) }
        return output.bytes
    }
}
