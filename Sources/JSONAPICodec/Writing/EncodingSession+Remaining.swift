import JSONText

// `RemainingMembers` beside properties that are nil.

extension EncodingSession {
    /// Returns a session that writes null for nil, and begins the current resource in it. Nil for a resource without `RemainingMembers`, and
    /// when nil is written as null anyway.
    ///
    /// Write the properties to it once more, and pass it to `noteClearedPaths(_:)`.
    func beginNilProbe() throws -> EncodingSession? {
        guard let extras = resource.extras, !extras.remaining.isEmpty else { return nil }
        // The strategy writes null in the attributes only.
        guard options.nilEncodingStrategy == .omit || extras.remaining.contains(where: { $0.segments.first != "attributes" }) else {
            return nil
        }
        let probe = nilProbe ?? makeNilProbe()
        // After an error it could not be used again.
        nilProbe = nil
        probe.forgetResources()
        probe.output.reset(to: .start)
        probe.relationships.reset(to: .start)
        try probe.beginResource(probe.keep(identity), at: resource.place, node: IncludeTree.nothing)
        // What is left out need not be writable.
        (probe.resource.filter, probe.hasFilter) = (resource.filter, hasFilter)
        return probe
    }

    /// Notes the paths of the properties that are nil, so that `RemainingMembers` does not bring back their earlier values. Only the probe
    /// has written them.
    func noteClearedPaths(_ probe: EncodingSession) throws {
        let extras = extras
        let written = Set(extras.paths.map { $0.segments.map { ByteText($0) } })
        let paths = (probe.resource.extras?.paths ?? []).map(\.segments).filter { !written.contains($0.map { ByteText($0) }) }
        // The attributes that have been written as null, except those at paths of several names.
        let nilAttributes = try probe.hasAttributes ? probe.takeAttributes().filter { $0.value == .null } : []
        extras.cleared += paths + nilAttributes.map { ["attributes", $0.name] }
        nilProbe = probe
    }

    /// Notes the paths that a model's `init(from:)` reads. A model that writes itself by hand may leave out what is nil, so that nothing
    /// else shows these.
    func noteReadPaths(of model: Any.Type) {
        guard let extras = resource.extras, !extras.remaining.isEmpty else { return }
        let written = extras.paths.map(\.segments)
        extras.cleared += ModelNames.attributePaths(of: model, options.keyStrategy).filter { path in
            !written.contains { $0.count >= path.count && zip($0, path).allSatisfy { UTF8Bytes.areEqual($0, $1) } }
        }
    }

    /// Notes how to complete the values of other properties by the members that `RemainingMembers` has inside them, as a patch does.
    func noteCompletion<Model: ResourceRepresentable>(by model: Model) {
        guard writesAll, absentFields == .ordinary, let extras = resource.extras,
            extras.remaining.contains(where: { place in
                place.segments.first == "attributes" && place.members.contains { $0.value.object != nil || $0.value.array != nil }
            }),
            let state = try? PatchDifference.state(of: model, options), let identifier = state.identifier
        else { return }
        extras.completed = AttributeDifference(PatchGround(), state, state, of: identifier).completed
    }

    private func makeNilProbe() -> EncodingSession {
        var encoder = options
        encoder.nilEncodingStrategy = .null
        let probe = EncodingSession(encoder)
        probe.isCreation = true
        probe.absentFields = .probed
        return probe
    }
}
