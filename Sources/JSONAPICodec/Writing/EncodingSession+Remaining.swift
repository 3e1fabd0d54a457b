import JSONText

// `RemainingMembers` beside properties that are nil.

extension EncodingSession {
    /// Notes the paths of the properties that are nil, so that `RemainingMembers` does not bring back their earlier values. `encode` writes
    /// the properties of the current resource.
    ///
    /// Writes the resource once more, with null for nil. That is done only for a resource with `RemainingMembers`.
    func noteClearedPaths(_ encode: (any Encoder) throws -> Void) throws {
        guard options.nilEncodingStrategy == .omit, let extras = resource.extras, !extras.remaining.isEmpty else { return }
        var encoder = options
        encoder.nilEncodingStrategy = .null
        let probe = EncodingSession(encoder, include: .none, fields: [:])
        probe.isCreation = true
        try probe.beginResource(probe.keep(identity), at: resource.place, node: IncludeTree.nothing)
        try encode(ResourceEncoder(probe))
        func isWritten(_ path: [String]) -> Bool {
            extras.paths.contains { $0.segments.count == path.count && zip($0.segments, path).allSatisfy { UTF8Bytes.areEqual($0, $1) } }
        }
        let paths = (probe.resource.extras?.paths ?? []).map(\.segments).filter { !isWritten($0) }
        extras.cleared = paths + (try probe.nilAttributes()).map { ["attributes", $0] }
    }

    /// Returns the names of the attributes that have been written as null so far, except those at paths of several names.
    private func nilAttributes() throws -> [String] {
        guard hasAttributes else { return [] }
        output.endObject()
        return try json(output.bytes(in: resource.attributesStart..<output.count)).object?.filter(\.value.isNull).map(\.name) ?? []
    }
}
