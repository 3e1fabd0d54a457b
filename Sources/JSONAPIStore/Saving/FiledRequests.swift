import JSONAPIArchive
import JSONAPICodec
import JSONText

extension StoreTransaction {
    /// Merges what the store and a file have of the resources for which requests wait, if only one side had some of these requests. To be
    /// called when the resources and the requests of the file are loaded.
    ///
    /// ```
    /// the file     title A, and a request that sets title B: it has title B
    /// the store    title C, which the server has sent since then
    /// merged       title C, and a request that sets title B: the store shows title B
    /// ```
    ///
    /// The text of each side has the changes of its requests. These changes are undone before the merge, and made again on top of it, in the
    /// order of the queue. A request that has left the queue on one side was answered or rolled back there, so its fields are as on that side:
    ///
    /// ```
    /// the store    title B by a request, and a new subtitle
    /// the file     title A, because another program has rolled the request back
    /// merged       title A, and the new subtitle
    /// ```
    func mergeBelowRequests(_ archive: Archive, _ following: StoreCore.Following, _ policy: MergePolicy) throws {
        let filedKeys = Set(archive.keys.compactMap(StoreKey.init(archiveKey:)))
        let requests = requestsOfBothSides(archive, filedKeys)
        guard !requests.isEmpty else { return }
        let unsaved = following.base == nil ? [] : following.notes.identities
        // The changes of these resources are made again when the ids take the place of the lids.
        let promoted = Set(promotionsOfOthers(archive, following).map(\.local))
        var intake = Intake(pending)
        for (identity, requests) in Dictionary(grouping: requests, by: \.identity) {
            guard let identity, !promoted.contains(identity) else { continue }
            let ofStore = requests.compactMap { beforeOpening($0.key) }
            let filed = requests.filter { filedKeys.contains(.request($0.key)) }
            guard ofStore.count < requests.count || filed.count < requests.count else { continue }
            let hasEnded = requests.contains { pending.kept(.request($0.key)) == nil }
            // A resource that is damaged in a file is missing there, and the next save replaces it.
            let own = (try? following.before.place(of: identity).text()) ?? nil
            guard own != nil || !ofStore.isEmpty || hasEnded else { continue }
            let text = (try? archive.image.text(identity)) ?? nil
            guard text != nil || !filed.isEmpty || hasEnded else { continue }
            switch following.precedence(identity, own, text, isUnsaved: unsaved.contains(identity)) {
            case .policy: break
            case .store where text == nil: break
            case .store, .file: continue
            }
            var ofFile = filed.map { (try? archive.image.request($0.key)) ?? $0 }
            func layers(_ text: [UInt8]?, _ requests: [QueuedRequest]) throws -> RequestLayers {
                pending.set(identity, text.map(PendingChange.put) ?? .remove)
                return try RequestLayers(identity, pending, below: requests)
            }
            var merged = try layers(own, ofStore)
            // What the server has created is loaded like any resource that the store has removed.
            if merged.object == nil, text != nil, let first = ofFile.first, hasCreated(first) { ofFile.removeFirst() }
            var others = try layers(text, ofFile)
            merged.takeEndedFields(from: others)
            others.takeEndedFields(from: merged)
            var base = merged.object
            if let text = try others.text {
                try intake.load(identity, text, over: try merged.text, policy, isReadThrough: false)
                base = try pending.object(identity)
            }
            try merged.join(others, on: base) { try Intake.combined(identity, $0, $1, policy, at: .root) }
            try merged.finish()
            // The store may not have it, so that no change of the store removes it from the file.
            if following.base == nil, try pending.text(identity) == nil {
                following.journal.note([(identity: identity, note: StoreJournal.Note.removed)], isOfFile: false)
            }
        }
    }

    /// Returns the requests that the store or the file has, oldest first. Those that have left the queue are as on the side that still has
    /// them.
    private func requestsOfBothSides(_ archive: Archive, _ filedKeys: Set<StoreKey>) -> [QueuedRequest] {
        let present = pending.requests
        let stored = store.core.readKept { $0.requests }
        let known = Set((present + stored).map { StoreKey.request($0.key) })
        let left = stored.filter { pending.kept(.request($0.key)) == nil }
        let leftInFile = filedKeys.subtracting(known).compactMap { key -> QueuedRequest? in
            guard case .request(let request) = key else { return nil }
            return try? archive.image.request(request)
        }
        return left.isEmpty && leftInFile.isEmpty ? present : (present + left + leftInFile).sorted { $0.key < $1.key }
    }

    /// Returns whether the store knows that the server has created the resource of a request, under this identity.
    private func hasCreated(_ request: QueuedRequest) -> Bool {
        guard request.operation == .create, let identity = request.identity, !identity.isLocal else { return false }
        return pending.hasSucceeded(request) && !identity.otherSpellings.contains(where: isThere)
    }

    /// Returns a request as the store had it before the file was opened.
    private func beforeOpening(_ key: RequestKey) -> QueuedRequest? { store.core.readKept { $0.value(.request(key))?.request } }
}
