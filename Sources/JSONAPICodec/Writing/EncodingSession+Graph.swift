import JSONText

extension JSONAPIEncoder {
    /// Every resource object of a graph of values, each identity once: the values themselves first, then what they embed, hold
    /// or refer to.
    ///
    /// Throws as `encode` does, also for two values with one identity that differ.
    ///
    /// - Parameters:
    ///   - followsSources: whether references are followed that a store or an archive resolves.
    ///   - body: gets the identity, the text, and the attributes of which the text has some members alone.
    package func forEachResource<Value: ResourceRepresentable>(
        of values: [Value], followsSources: Bool = true, _ body: (ResourceIdentifier, [UInt8], AttributeParts) throws -> Void
    ) throws {
        let session = EncodingSession(self, include: .all, fields: [:])
        session.followsSources = followsSources
        do {
            try session.forEachResource(of: values, body)
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }
}

extension EncodingSession {
    fileprivate func forEachResource<Value: ResourceRepresentable>(
        of values: [Value], _ body: (ResourceIdentifier, [UInt8], AttributeParts) throws -> Void
    ) throws {
        let writer = elementWriter(for: Value.self)
        var holder: Int?
        for (index, value) in values.enumerated() {
            guard let identifier = value.identifier else {
                throw EncodingFailure(
                    .missingIdentity, at: JSONPointer("data").appending(index), expected: "a resource with an id or a lid",
                    found: "one with neither")
            }
            let type = types.number(of: identifier.type, near: writer.typeHint)
            writer.meet(value, identifier, type, self, IncludeTree.everything, in: values, at: index, &holder)
        }
        var hashes: [Int: UInt64] = [:]
        while let item = included.nextItem() {
            try write(item, at: ObjectPlace(.included))
            let text = output.bytes
            if comparesValues { hashes[item.number] = KeyedHash.shared.mix(text.span, into: 0) }
            try body(included.identifier(item.number), text, attributeParts)
            output.reset(to: .start)
        }
        for (number, value) in included.doubtful {
            let text = try text(of: value, number)
            guard hashes[number] != KeyedHash.shared.mix(text.span, into: 0), let first = included.value(number) else { continue }
            // The texts differ; the values may be the same with members in another order.
            if try json(text) != json(self.text(of: first, number)) { throw conflict(included.identifier(number)) }
        }
    }

    /// The object of a value, without what it leads to.
    private func text(of value: WaitingValue, _ number: Int) throws -> [UInt8] {
        try write(value, as: number, at: ObjectPlace(.included), node: IncludeTree.nothing)
        defer { output.reset(to: .start) }
        return output.bytes
    }
}
