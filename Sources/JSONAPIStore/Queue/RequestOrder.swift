import JSONAPICodec

/// Which request may be sent.
enum RequestOrder {
    /// The first waiting request that no earlier one stands in front of.
    ///
    /// - Complexity: O(n), n = requests in front of it.
    static func next(_ requests: [QueuedRequest]) -> QueuedRequest? {
        /// What earlier requests are about, and what they link to.
        var targets: Set<StoredIdentity> = []
        var linked: Set<StoredIdentity> = []
        for request in requests {
            guard let identity = request.identity else { continue }
            let links = request.linked
            if request.state == .waiting {
                let isHeldUp =
                    targets.contains(identity) || links.contains(where: targets.contains)
                    || (request.operation == .delete && linked.contains(identity))
                // A resource without an id has no address, and a link to one means nothing to the server.
                let mayBeNamed =
                    (!identity.isLocal || request.operation == .create) && links.allSatisfy { !$0.isLocal || $0 == identity }
                if !isHeldUp, mayBeNamed { return request }
            }
            targets.insert(identity)
            linked.formUnion(links)
        }
        return nil
    }
}
