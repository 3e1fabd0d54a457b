// Differences between platforms: background work.

#if canImport(Dispatch)
    import Dispatch
#endif

enum Platform {
    /// Runs `body` later on another thread.
    static func runLater(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Dispatch)
            DispatchQueue.global().async(execute: body)
        #else
            Task.detached { body() }
        #endif
    }
}
