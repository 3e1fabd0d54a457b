import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The source that one value is read through. It notes every resource that is requested while the value is made. Afterwards, references in
/// the value resolve to the current state of the store.
final class ReadingSource: ResourceSource {
    private struct State {
        /// The versions of all requested resources, including missing ones; nil once the value is made.
        var versions: [StoredIdentity: Int]? = [:]
        /// The resources as of one moment. If present, they are read instead of those of the store.
        var frozen: ResourceTable?
        /// Whether a text mentions the watched type twice.
        var foundWatchedType = false
    }

    private let core: StoreCore
    var owner: AnyObject? { core }
    /// Weak, because the store keeps values, and the values keep their source.
    private weak let store: ResourceStore?
    private let state: Locked<State>
    /// The member that each resource or identifier of the watched type has; nil if no type is watched.
    private let mark: [UInt8]?

    /// With `watching`, the source notes whether a resource could embed another one of that type.
    init(_ store: ResourceStore, frozen: ResourceTable? = nil, watching type: String? = nil) {
        core = store.core
        self.store = store
        state = Locked(State(frozen: frozen))
        mark = type.flatMap { try? JSONWriter().write(.string($0)) }.map { Array(#""type":"#.utf8) + $0 }
    }

    /// Whether a text that was read mentions the watched type twice. Once is the type of the resource itself.
    var foundWatchedType: Bool { state.withLock { $0.foundWatchedType } }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        guard let identity = StoredIdentity(identifier) else { return nil }
        let (isReading, frozen) = state.withLock { ($0.versions != nil, $0.frozen) }
        // A value that was read before an answer arrived can still refer to a lid.
        guard isReading else { return try core.text(core.current(identity)) }
        let (place, version) = frozen.map { ($0.place(of: identity), $0.version(of: identity)) } ?? core.place(of: identity)
        // Also for a text that cannot be read, because the value depends on it as well.
        state.withLock { _ = $0.versions?.updateValue(version, forKey: identity) }
        let text = try place.text()
        if let mark, let text, let first = text.span.firstIndex(of: mark, from: 0),
            text.span.firstIndex(of: mark, from: first + mark.count) != nil
        {
            state.withLock { $0.foundWatchedType = true }
        }
        return text
    }

    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        guard let store, state.withLock({ $0.versions == nil }) else { return try read() }
        return try store.resource(type, identifier)
    }

    /// Ends the reading, and returns the versions of all requested resources. Call this when the value is made.
    func finish() -> [StoredIdentity: Int] {
        state.withLock { state in
            defer { state = State(versions: nil, frozen: nil, foundWatchedType: state.foundWatchedType) }
            return state.versions ?? [:]
        }
    }
}
