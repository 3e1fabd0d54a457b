import Foundation
import JSONAPIArchive

/// Saves a file a while after its store has changed.
///
/// The store schedules saves under its lock. Releasing a function of the program could call the store again, so the saver does not keep
/// these functions alive.
final class Autosaver: Sendable {
    /// The functions of the program, and of its file.
    final class Actions: Sendable {
        let save: @Sendable () throws -> Void
        let onError: @Sendable (any Error) -> Void

        init(save: @escaping @Sendable () throws -> Void, onError: @escaping @Sendable (any Error) -> Void) {
            self.save = save
            self.onError = onError
        }

        /// Saves immediately.
        func flush(_ save: () throws -> Void) {
            do { try save() } catch { onError(error) }
        }
    }

    private struct State {
        var isCancelled = false
        /// The task that waits and then saves; nil while nothing has changed.
        var task: Task<Void, Never>?
    }

    private let delay: Duration
    private weak let actions: Actions?
    private let state = Locked(State())

    init(delay: Duration, _ actions: Actions) {
        self.delay = min(delay, Self.longestDelay)
        self.actions = actions
    }

    /// Sleeping for the greatest durations overflows.
    private static let longestDelay = Duration.seconds(1 << 30)

    /// Saves after the delay, with all changes until then. Does nothing if a save is already scheduled.
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
            // Another task saves the changes from now on.
            state.task = nil
            return state.isCancelled
        }
        guard !isCancelled, let actions else { return }
        do { try actions.save() } catch {
            // The file was closed in the meantime, which has saved the changes, or has reported its own error.
            if state.withLock({ $0.isCancelled }), (error as? ArchiveError)?.kind == .closed { return }
            actions.onError(error)
            schedule()
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.task?.cancel()
        }
    }
}

extension StoreFile {
    /// Saves the file automatically from now on, `delay` after a change. Each save writes all changes until then. Existing unsaved changes
    /// are saved after the first delay.
    ///
    /// ```swift
    /// file.autosave(after: .seconds(2)) { error in log(error) }
    /// ```
    ///
    /// Saving runs on a system thread. If it fails, the file calls `onError` on that thread and tries again after the delay. When `onError`
    /// receives an `ArchiveError` of kind `closed` or `replaced`, all further tries fail: close the file and open it again for the same
    /// store. `close` saves the remaining changes. If the file is closed, calls `onError` immediately, and does nothing else.
    ///
    /// Automatic saving ends with `cancelAutosave()`, with another call of this function, or when the file is closed or released.
    public func autosave(after delay: Duration = .seconds(1), onError: @escaping @Sendable (any Error) -> Void) {
        do { try checkOpen() } catch { return onError(error) }
        let actions = Autosaver.Actions(save: { [weak self] in try self?.save() }, onError: onError)
        let saver = Autosaver(delay: delay, actions)
        guard replaceAutosaver((saver, actions)).isAccepted else {
            return onError(ArchiveError(.closed, "the archive is being closed", advice: "open it again"))
        }
        saver.schedule()
    }

    /// Stops saving automatically. Unsaved changes remain for `save()`.
    public func cancelAutosave() { replaceAutosaver(nil) }
}
