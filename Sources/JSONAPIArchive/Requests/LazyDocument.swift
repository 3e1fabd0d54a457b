package import JSONAPICodec

/// A document that is made when it is first used. All copies of a request share it.
package final class LazyDocument: Sendable {
    private let make: @Sendable () -> DocumentObject
    private let made = Locked<DocumentObject?>(nil)

    package init(_ make: @escaping @Sendable () -> DocumentObject) { self.make = make }

    /// Two threads that use it first at the same time both make it. `make` calls the program's code, so it cannot run under the lock.
    package var document: DocumentObject {
        if let document = made.withLock({ $0 }) { return document }
        let document = make()
        return made.withLock { made in
            let first = made ?? document
            made = first
            return first
        }
    }
}
