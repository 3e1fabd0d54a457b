#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif os(Windows)
    import WinSDK
#endif

/// A lock of the system. `NSLock` would do as well, but it is in the part of Foundation that a small program does without.
///
/// `@unchecked Sendable`: the memory of the lock is only passed to the system, which synchronizes access to it.
@safe package final class Lock: @unchecked Sendable {
    #if canImport(Darwin)
        private let memory = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #elseif os(Windows)
        private let memory = UnsafeMutablePointer<SRWLOCK>.allocate(capacity: 1)
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
        private let memory = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif

    /// Creates an unlocked lock.
    package init() {
        // In bounds: `memory` has room for one lock, and each call reads or writes that one.
        #if canImport(Darwin)
            unsafe memory.initialize(to: os_unfair_lock())
        #elseif os(Windows)
            unsafe InitializeSRWLock(memory)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            unsafe memory.initialize(to: pthread_mutex_t())
            _ = unsafe pthread_mutex_init(memory, nil)
        #endif
    }

    deinit {
        #if canImport(Darwin) || os(Windows)
            unsafe memory.deallocate()
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            _ = unsafe pthread_mutex_destroy(memory)
            unsafe memory.deallocate()
        #endif
    }

    /// Waits until the lock is free, and takes it. A thread must not take a lock that it holds.
    @usableFromInline
    func lock() {
        #if canImport(Darwin)
            unsafe os_unfair_lock_lock(memory)
        #elseif os(Windows)
            unsafe AcquireSRWLockExclusive(memory)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            _ = unsafe pthread_mutex_lock(memory)
        #endif
    }

    /// Releases the lock.
    @usableFromInline
    func unlock() {
        #if canImport(Darwin)
            unsafe os_unfair_lock_unlock(memory)
        #elseif os(Windows)
            unsafe ReleaseSRWLockExclusive(memory)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            _ = unsafe pthread_mutex_unlock(memory)
        #endif
    }

    /// Calls `body` while the lock is held. Inlinable, because generic code cannot be specialized in another module.
    @inlinable
    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}
