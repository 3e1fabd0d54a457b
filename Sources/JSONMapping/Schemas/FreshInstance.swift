/// Tells whether a change to a value can be seen by anybody else.
enum FreshInstance {
    /// Whether the value is no class instance, or one that is referred to from here alone.
    static func isFresh<Root>(_ root: inout Root) -> Bool {
        guard Root.self is AnyObject.Type else { return true }
        return withUnsafeMutablePointer(to: &root) { pointer in
            // SAFETY: a value of a class type is one reference, as an AnyObject is.
            pointer.withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
        }
    }
}
