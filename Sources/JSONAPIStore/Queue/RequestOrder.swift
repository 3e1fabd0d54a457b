import JSONAPIArchive
import JSONAPICodec

/// Decides which request may be sent.
enum RequestOrder {
    /// Returns the first waiting request that does not depend on an earlier one.
    ///
    /// - Complexity: O(n), n = number of requests before it.
    static func next(_ requests: [QueuedRequest]) -> QueuedRequest? {
        /// The resources that earlier requests change, and those that they link to.
        var targets: Set<StoredIdentity> = []
        var linked: Set<StoredIdentity> = []
        for request in requests {
            guard let identity = request.identity?.withoutCase else { continue }
            let links = request.linked.map(\.withoutCase)
            if request.state == .waiting {
                let isHeldUp =
                    targets.contains(identity) || links.contains(where: targets.contains)
                    || (request.operation == .delete && linked.contains(identity))
                // A resource without an id has no address, and the server does not know a link to it.
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

extension StoredIdentity {
    /// The identity with a UUID in lower case, because a server can compare UUIDs without case.
    fileprivate var withoutCase: StoredIdentity { lowercasedUUID ?? self }
}
