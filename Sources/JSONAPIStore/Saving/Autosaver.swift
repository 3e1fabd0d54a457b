import Foundation

/// Saves a file some time after its store has changed.
final class Autosaver: Sendable {
    private struct State {
        var isCancelled = false
        /// Waits, and then saves; nil while nothing has changed.
        var task: Task<Void, Never>?
    }

    private let delay: Duration
    private let save: @Sendable () throws -> Void
    private let onError: @Sendable (any Error) -> Void
    private let state = Locked(State())

    init(delay: Duration, onError: @escaping @Sendable (any Error) -> Void, save: @escaping @Sendable () throws -> Void) {
        self.delay = delay
        self.onError = onError
        self.save = save
    }

    /// Saves after the delay, with everything that changes until then. Nothing happens if that is about to happen anyway.
    func schedule() {
        state.withLock { state in
            guard !state.isCancelled, state.task == nil else { return }
            state.task = Task.detached { [weak self, delay] in
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                self?.run()
            }
        }
    }

    private func run() {
        let isCancelled = state.withLock { state in
            // What changes from now on is saved by another task.
            state.task = nil
            return state.isCancelled
        }
        if isCancelled { return }
        do { try save() } catch {
            onError(error)
            schedule()
        }
    }

    /// Saves now what waits to be saved.
    func flush(_ save: () throws -> Void) {
        do { try save() } catch { onError(error) }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }
}

extension StoreFile {
    /// Saves by itself from now on, `delay` after a change, with everything that has changed by then. What is unsaved already counts as a change.
    ///
    /// ```swift
    /// file.autosave(after: .seconds(2)) { error in log(error) }
    /// ```
    ///
    /// Saving runs on a thread of the system. If it fails, `onError` is called there, and it is tried again after the delay. `close` saves what is
    /// left. It ends with `cancelAutosave()`, with another call of this function, and with the file.
    public func autosave(after delay: Duration = .seconds(1), onError: @escaping @Sendable (any Error) -> Void) {
        let saver = Autosaver(delay: delay, onError: onError) { [weak self] in try self?.save() }
        replaceAutosaver(saver)
        saver.schedule()
    }

    /// Saves no longer by itself. What has changed stays for `save()`.
    public func cancelAutosave() { replaceAutosaver(nil) }
}
