import JSONText

// `RemainingMembers` beside properties that are nil.

extension EncodingSession {
    /// Notes the paths of the properties that are nil, so that `RemainingMembers` does not bring back their earlier values. `encode` writes
    /// the properties of the current resource.
    ///
    /// Writes the resource once more, with null for nil. That is done only for a resource with `RemainingMembers`.
    func noteClearedPaths(_ encode: (any Encoder) throws -> Void) throws {
        guard options.nilEncodingStrategy == .omit, let extras = resource.extras, !extras.remaining.isEmpty else { return }
        let probe = nilProbe ?? makeNilProbe()
        // After an error it could not be used again.
        nilProbe = nil
        probe.forgetResources()
        probe.output.reset(to: .start)
        probe.relationships.reset(to: .start)
        try probe.beginResource(probe.keep(identity), at: resource.place, node: IncludeTree.nothing)
        try encode(ResourceEncoder(probe))
        func isWritten(_ path: [String]) -> Bool {
            extras.paths.contains { $0.segments.count == path.count && zip($0.segments, path).allSatisfy { UTF8Bytes.areEqual($0, $1) } }
        }
        let paths = (probe.resource.extras?.paths ?? []).map(\.segments).filter { !isWritten($0) }
        extras.cleared = paths + (try probe.nilAttributes()).map { ["attributes", $0] }
        nilProbe = probe
    }

    private func makeNilProbe() -> EncodingSession {
        var encoder = options
        encoder.nilEncodingStrategy = .null
        let probe = EncodingSession(encoder, include: .none, fields: [:])
        probe.isCreation = true
        return probe
    }

    /// Returns the names of the attributes that have been written as null so far, except those at paths of several names.
    private func nilAttributes() throws -> [String] {
        guard hasAttributes else { return [] }
        output.endObject()
        let attributes = output.bytes(in: resource.attributesStart..<output.count)
        return try Tape.with(attributes.span, options: reading) { tape in
            let view = tape.view
            var names: [String] = []
            view.forEachMember(of: view.root) { name, value in
                if view.isNull(value) { names.append(view.string(at: name)) }
            }
            return names
        }
    }
}
