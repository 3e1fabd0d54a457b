import Foundation

/// Writes to a pipe or socket whose reader went away, as an error instead of a signal that ends the process.
///
/// This is all that differs between platforms in this module.
enum PipeSignal {
    /// The result of a write: the number of bytes, or a negative number and the system's code.
    typealias Written = (count: Int, code: Int32)

    #if canImport(Darwin)
        /// Runs `write`, which writes to the descriptor, without the signal.
        static func avoiding(_ descriptor: Int32, _ write: () -> Written) -> Written {
            _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
            return write()
        }
    #else
        /// Runs `write`, which writes to the descriptor, without the signal.
        static func avoiding(_ descriptor: Int32, _ write: () -> Written) -> Written {
            var pending = sigset_t()
            unsafe sigpending(&pending)
            // A signal that is pending is blocked already, and belongs to someone else.
            if unsafe sigismember(&pending, SIGPIPE) == 1 { return write() }
            var signal = sigset_t()
            var before = sigset_t()
            unsafe sigemptyset(&signal)
            unsafe sigaddset(&signal, SIGPIPE)
            unsafe pthread_sigmask(SIG_BLOCK, &signal, &before)
            let written = write()
            if written.count < 0, written.code == EPIPE {
                var none = timespec()
                while unsafe sigtimedwait(&signal, nil, &none) < 0, errno == EINTR {}
            }
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            return written
        }
    #endif
}
