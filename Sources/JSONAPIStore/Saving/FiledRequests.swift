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
    /// order of the queue.
    func mergeBelowRequests(_ archive: Archive, _ following: StoreCore.Following, _ policy: MergePolicy) throws {
        let requests = pending.requests
        guard !requests.isEmpty else { return }
        let filedKeys = Set(archive.keys.compactMap(StoreKey.init(archiveKey:)))
        let unsaved = following.base == nil ? [] : following.journal.identities
        var intake = Intake(pending)
        for (identity, requests) in Dictionary(grouping: requests, by: \.identity) {
            guard let identity else { continue }
            let ofStore = requests.filter { request in store.core.readKept { $0.value(.request(request.key)) != nil } }
            let ofFile = requests.filter { filedKeys.contains(.request($0.key)) }
            guard ofStore.count < requests.count || ofFile.count < requests.count else { continue }
            // A resource that is damaged in a file is missing there, and the next save replaces it.
            let own = (try? following.before.place(of: identity).text()) ?? nil
            guard own != nil || !ofStore.isEmpty else { continue }
            let filed = (try? archive.image.text(identity)) ?? nil
            guard filed != nil || !ofFile.isEmpty else { continue }
            switch following.precedence(identity, own, filed, isUnsaved: unsaved.contains(identity)) {
            case .policy: break
            case .store where filed == nil: break
            case .store, .file: continue
            }
            func layers(_ text: [UInt8]?, _ requests: [QueuedRequest]) throws -> RequestLayers {
                pending.set(identity, text.map(PendingChange.put) ?? .remove)
                return try RequestLayers(identity, pending, below: requests)
            }
            var merged = try layers(own, ofStore)
            let others = try layers(filed, ofFile)
            var base = merged.object
            if let text = try others.text {
                try intake.load(identity, text, over: try merged.text, policy, isReadThrough: false)
                base = try pending.object(identity)
            }
            try merged.join(others, on: base) { try Intake.combined(identity, $0, $1, policy, at: .root) }
            try merged.finish()
        }
    }
}
