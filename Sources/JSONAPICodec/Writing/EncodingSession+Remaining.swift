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
        extras.cleared = (probe.resource.extras?.paths ?? []).map(\.segments).filter { !isWritten($0) }
    }
}
