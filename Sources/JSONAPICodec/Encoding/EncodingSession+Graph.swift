import JSONText

extension JSONAPIEncoder {
    /// Every resource object of a graph of values, each identity once: the values themselves first, then what they embed, hold
    /// or refer to. The text is valid during the call.
    ///
    /// Throws as `encode` does, also for two values with one identity that differ.
    ///
    /// - Parameter followsSources: whether references are followed that a store or an archive resolves.
    package func forEachResource<Value: ResourceRepresentable>(
        of values: [Value], followsSources: Bool = true, _ body: (ResourceIdentifier, UnsafeBufferPointer<UInt8>) throws -> Void
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
        of values: [Value], _ body: (ResourceIdentifier, UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        let writer = elementWriter(for: Value.self)
        let values = withUnsafePointer(to: values) { writer.keep($0) }
        for index in 0..<values.count {
            guard let identifier = Value._identifier(of: values[index]) else {
                throw EncodingFailure(
                    .missingIdentity, at: JSONPointer("data").appending(index), expected: "a resource with an id or a lid",
                    found: "one with neither")
            }
            writer.meet(values[index], identifier, self, IncludeTree.everything, isKept: true)
        }
        var hashes: [Int: Int] = [:]
        while let item = included.nextItem() {
            try write(item, at: ObjectPlace(.included))
            hashes[item.pointee.ordinal] = hash()
            try body(included.known(item.pointee.ordinal).pointee.identifier, output.text)
            output.reset(to: .start)
        }
        guard case .throw = options.conflictingResources else { return }
        for (ordinal, value) in included.doubtful {
            let resource = UnsafePointer(included.known(ordinal))
            try value.write(self, as: resource, at: ObjectPlace(.included), node: IncludeTree.nothing)
            if hashes[ordinal] != hash() { throw conflict(resource.pointee.identifier) }
            output.reset(to: .start)
        }
    }

    /// A hash of what is written, to tell two texts apart without keeping one.
    private func hash() -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(output.text))
        return hasher.finalize()
    }
}
