import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The change that a transaction makes to the text of a resource, or to a kept value.
enum PendingChange<Value: Sendable>: Sendable {
    case put(Value)
    /// The value was loaded from the store's file, which has the same one. Nil if the file does not have it.
    case load(Value?)
    /// The store had the value already. The file through which it reads from now on does not have it.
    case keep(Value)
    case remove

    /// The new value; nil if it is removed.
    var value: Value? {
        switch self {
        case .put(let value): value
        case .load(let value): value
        case .keep(let value): value
        case .remove: nil
        }
    }
}

/// The uncommitted changes of a transaction, on top of the resources of the store.
///
/// References that were read inside the transaction resolve through these changes. After the end of the transaction there are no changes
/// left, and the references resolve through the store.
final class PendingChanges: ResourceSource {
    fileprivate struct State {
        var changes = ResourceChanges()
        /// The state before each change, for a rollback.
        var undo: [Step] = []
        /// The new identities of resources: an id in place of a lid, or another spelling of a UUID.
        var moves: [StoredIdentity: StoredIdentity] = [:]
        /// The places in lists of the resources that the store gets again.
        var places: [StoredIdentity: ListPlace] = [:]
        /// The file that the store follows after the transaction.
        var following: StoreCore.Following?
        /// The resources below the changes, if a file is opened; otherwise nil for those of the store.
        var table: ResourceTable?
        /// The changes to kept documents, values and requests.
        var kept: [StoreKey: PendingChange<KeptValue>] = [:]
        /// The keys of the changed requests. An entry may be outdated, because the request has another target by now or was rolled back.
        var requestPlaces = RequestPlaces()
        var lastRequestNumber: Int64 = 0
        /// The outcomes that committed drafts wait for.
        var outcomes: [ChangeOutcome] = []
        /// Those of committed drafts whose requests were rolled back.
        var rolledBack: [ChangeOutcome] = []
        var rolledBackRequests: Set<RequestKey> = []
        var isOver = false
    }

    fileprivate enum Step {
        case resource(StoredIdentity, before: PendingChange<[UInt8]>?)
        case move(StoredIdentity, before: StoredIdentity?)
        case place(StoredIdentity, before: ListPlace?)
        case requestRollBack(RequestKey)
        case kept(StoreKey, before: PendingChange<KeptValue>?)
    }

    private let core: StoreCore
    private weak let store: ResourceStore?
    private let state = Locked(State())
    /// Whether whole resources in relationships are resources of the document.
    let takesEmbedded: Bool
    /// Whether the changes are never committed.
    private let isDetached: Bool
    var owner: AnyObject? { isDetached ? nil : core }

    init(_ store: ResourceStore, isDetached: Bool = false) {
        core = store.core
        self.isDetached = isDetached
        takesEmbedded = store.decoder.leniencies.contains(.embeddedResources)
        self.store = store
    }

    /// Returns the text of a resource with the changes of the transaction. Throws `ArchiveError` if the resource is damaged in its file.
    func text(_ identity: StoredIdentity) throws -> [UInt8]? {
        let (change, table) = state.withLock { ($0.changes[identity], $0.table) }
        if let change { return change.value }
        guard let table else { return try core.text(identity) }
        return try table.place(of: identity).text()
    }

    /// Whether the transaction has changed a resource.
    func hasChanged(_ identity: StoredIdentity) -> Bool { state.withLock { $0.changes[identity] != nil } }

    /// Returns the resource object instead of its text.
    func object(_ identity: StoredIdentity) throws -> ResourceObject? { try text(identity).flatMap(StoredText.object) }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        // A value that was read before a promotion still links to the lid.
        try StoredIdentity(identifier).flatMap { try text(current($0)) }
    }

    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        guard let store, state.withLock({ $0.isOver }) else { return try read() }
        return try store.resource(type, identifier)
    }

    /// Makes room for the first changes of the transaction.
    func reserve(_ count: Int) {
        state.withLock { state in
            guard state.undo.isEmpty else { return }
            state.changes.reserve(count)
            state.undo.reserveCapacity(count)
        }
    }

    func set(_ identity: StoredIdentity, _ change: PendingChange<[UInt8]>) {
        state.withLock { state in
            let before = state.changes.set(identity, change)
            state.undo.append(.resource(identity, before: before))
        }
    }

    /// Follows a file after the transaction. The transaction reads its resources from now on.
    func follow(_ following: StoreCore.Following) {
        state.withLock { ($0.following, $0.table) = (following, following.table) }
    }

    /// Reads the resources below the changes.
    private func read<Answer>(_ body: (borrowing ResourceTable) throws -> Answer) rethrows -> Answer {
        guard let table = state.withLock({ $0.table }) else { return try core.read(body) }
        return try body(table)
    }

    /// Returns the place of a resource in its list: the one before the transaction, also under another identity, or the one that the
    /// transaction gives back. Returns nil if there is none.
    func listPlace(of identity: StoredIdentity) -> ListPlace? {
        let (known, earlier) = state.withLock { state in
            (state.places[identity], state.moves.first { $0.value == identity }?.key)
        }
        return read { $0.listPlace(of: identity) } ?? known ?? earlier.flatMap { listPlace(of: $0) }
    }

    /// Gives a removed resource its earlier place, if the transaction stores it again.
    func restore(_ place: ListPlace?, of identity: StoredIdentity) {
        state.withLock { state in
            state.undo.append(.place(identity, before: state.places[identity]))
            state.places[identity] = place
        }
    }

    /// Returns all resources, or those of one type, with the changes of the transaction. Resources of the store come first. Throws
    /// `ArchiveError` if the directory of the store's file is damaged.
    func identities(ofType type: String? = nil) throws -> [StoredIdentity] {
        let table = state.withLock { $0.table } ?? core.table
        return changed(try type.map(table.listed(ofType:)) ?? table.listed(), type.map(ByteText.init))
    }

    /// Returns all resources whose texts may mention a lid, with those that the transaction has changed.
    func identities(mentioning lid: StoredIdentity) throws -> [StoredIdentity] {
        guard var table = state.withLock({ $0.table }) else { return changed(try core.identities(mentioning: lid), nil) }
        while table.searchTexts() {}
        state.withLock { $0.table = table }
        return changed(try table.identities(mentioning: lid), nil)
    }

    /// Returns resources of the store with the changes of the transaction.
    private func changed(_ stored: [StoredIdentity], _ type: ByteText?) -> [StoredIdentity] {
        let known = Set(stored)
        return state.withLock { state in
            let present = stored.filter { state.changes[$0].map { $0.value != nil } ?? true }
            let new = state.changes.list.filter { identity, change in
                change.value != nil && !known.contains(identity) && type?.isType(of: identity) ?? true
            }
            return present + new.map(\.identity)
        }
    }

    /// Returns the result of `body`. If `body` throws, its changes are rolled back.
    func atomically<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        let (mark, outcomes, rolledBack) = state.withLock { ($0.undo.count, $0.outcomes.count, $0.rolledBack.count) }
        do {
            return try body()
        } catch {
            state.withLock { state in
                state.rollBack(to: mark)
                while state.outcomes.count > outcomes { state.outcomes.popLast()?.settle(isKept: false) }
                while state.rolledBack.count > rolledBack { state.rolledBack.popLast()?.settleRequest(isRolledBack: false) }
            }
            throw error
        }
    }

    /// Returns an object that will know whether the changes so far have reached the store, and whether the request with them was rolled back.
    func outcome(of request: QueuedRequest? = nil) -> ChangeOutcome {
        let outcome = ChangeOutcome(of: request?.key)
        state.withLock { $0.outcomes.append(outcome) }
        return outcome
    }

    /// Returns whether a request has left the queue of this store before the transaction, and its changes have stayed.
    func hasSucceeded(_ request: QueuedRequest) -> Bool { core.hasEnded(request.key) && !core.wasRolledBack(request.key) }

    /// Notes that a request was rolled back, and tells its draft.
    func noteRollBack(of request: QueuedRequest) {
        state.withLock { state in
            if state.rolledBackRequests.insert(request.key).inserted { state.undo.append(.requestRollBack(request.key)) }
        }
        let own = state.withLock { state in state.outcomes.last { $0.request == request.key } }
        guard let outcome = own ?? core.outcome(of: request.key) else { return }
        outcome.settleRequest(isRolledBack: true)
        state.withLock { $0.rolledBack.append(outcome) }
    }

    /// Settles all outcomes.
    func settle(isKept: Bool) {
        let (outcomes, rolledBack) = state.withLock { state in
            defer { (state.outcomes, state.rolledBack) = ([], []) }
            return (state.outcomes, state.rolledBack)
        }
        for outcome in outcomes {
            outcome.settle(isKept: isKept)
            if isKept, let request = outcome.request { core.note(outcome, of: request) }
        }
        if !isKept { for outcome in rolledBack { outcome.settleRequest(isRolledBack: false) } }
    }

    /// Removes and returns all changes, each identity once, in the order of the first change.
    func take() -> TransactionChanges {
        state.withLock { state in
            let taken = state
            state = State(outcomes: taken.outcomes, rolledBack: taken.rolledBack, isOver: true)
            return TransactionChanges(
                resources: taken.changes.list, kept: taken.kept.map { ($0.key, $0.value) }, moves: taken.moves, places: taken.places,
                following: taken.following, rolledBackRequests: taken.rolledBackRequests)
        }
    }
}

/// The changes of a transaction to resources: each identity once, in the order of the first change.
struct ResourceChanges {
    private(set) var list: [(identity: StoredIdentity, change: PendingChange<[UInt8]>)] = []
    /// The places in the list.
    private var index = SlotIndex()

    subscript(identity: StoredIdentity) -> PendingChange<[UInt8]>? { place(of: identity).map { list[$0].change } }

    /// Makes room in an empty list.
    mutating func reserve(_ count: Int) {
        list.reserveCapacity(count)
        index = SlotIndex(capacity: count)
    }

    private func place(of identity: StoredIdentity) -> Int? { index.slot(of: identity) { list[$0].identity } }

    /// Sets the change of a resource, and returns the one before.
    @discardableResult
    mutating func set(_ identity: StoredIdentity, _ change: PendingChange<[UInt8]>) -> PendingChange<[UInt8]>? {
        guard let place = place(of: identity) else {
            list.append((identity, change))
            index.insert(list.count - 1, identity) { list[$0].identity }
            return nil
        }
        let before = list[place].change
        list[place].change = change
        return before
    }

    mutating func removeLast() {
        guard let last = list.last else { return }
        _ = index.remove(last.identity) { list[$0].identity }
        list.removeLast()
    }
}

/// All changes of a transaction.
struct TransactionChanges {
    /// Each identity once, in the order of the first change.
    let resources: [(identity: StoredIdentity, change: PendingChange<[UInt8]>)]
    /// Each key once, in no particular order.
    let kept: [(key: StoreKey, change: PendingChange<KeptValue>)]
    /// The new identities of resources: an id in place of a lid, or another spelling of a UUID.
    let moves: [StoredIdentity: StoredIdentity]
    /// The places in lists of the resources that the store gets again. Those that it has keep their places.
    let places: [StoredIdentity: ListPlace]
    /// The file that the store follows from now on; nil if no file was opened.
    let following: StoreCore.Following?
    /// The requests that were rolled back. One that is still in the queue was not, after all.
    let rolledBackRequests: Set<RequestKey>

    var isEmpty: Bool { resources.isEmpty && kept.isEmpty && moves.isEmpty && following == nil }
}

// MARK: - Current identities

extension PendingChanges {
    /// Notes the new identity of a resource: the id in place of its lid, or another spelling of its UUID.
    func noteMove(of identity: StoredIdentity, to new: StoredIdentity) {
        state.withLock { state in
            // Without what leads away from the new identity, moves make no circle.
            for (key, value) in [(new, nil), (identity, new)] {
                state.undo.append(.move(key, before: state.moves[key]))
                state.moves[key] = value
            }
        }
        if identity.isLocal { notePromotion(FiledPromotions.Entry(local: identity, target: new)) }
    }

    /// Notes the id of a lid for the stores of other programs.
    private func notePromotion(_ entry: FiledPromotions.Entry) {
        var promotions = FiledPromotions(kept(.promotions)?.text)
        promotions.append(entry)
        // Writing cannot fail, because the text is not nested deeply.
        if let text = try? promotions.text { setKept(.promotions, .put(KeptValue(text))) }
    }

    /// Returns the identity that has replaced a lid; nil if there is none.
    func promoted(_ local: StoredIdentity) -> StoredIdentity? {
        guard local.isLocal else { return nil }
        return state.withLock { $0.moves[local] } ?? core.promoted(local)
    }

    /// Whether an id has replaced any lid.
    var hasPromotions: Bool { state.withLock { $0.moves.keys.contains(where: \.isLocal) } || core.hasPromotions }

    /// Returns the current identity of a resource, with the changes of the transaction. See `StoredIdentity.current`.
    func current(_ identity: StoredIdentity, _ type: Any.Type = ResourceObject.self) -> StoredIdentity {
        identity.current(
            type, promoted: promoted,
            isThere: { identity in
                if let change = state.withLock({ $0.changes[identity] }) { return change.value != nil }
                return read { $0.mayHave(identity) }
            })
    }

    /// Returns the replacement of identities that the program has written by the current ones. `new` is the identity of a resource that the
    /// program creates. It stays, even if an earlier resource had the same lid.
    func replacement(_ type: Any.Type = ResourceObject.self, new: StoredIdentity? = nil) -> IdentityReplacement {
        IdentityReplacement { $0 == new ? $0 : self.current($0, type) }
    }
}

// MARK: - Beside resources

extension PendingChanges {
    /// Returns the value of a key with the changes of the transaction.
    func kept(_ key: StoreKey) -> KeptValue? {
        if let change = state.withLock({ $0.kept[key] }) { return change.value }
        return core.readKept { $0.value(key) }
    }

    func setKept(_ key: StoreKey, _ change: PendingChange<KeptValue>) {
        state.withLock { state in
            let before = state.kept.updateValue(change, forKey: key)
            state.undo.append(.kept(key, before: before))
            guard case .request(let place) = key else { return }
            state.lastRequestNumber = max(state.lastRequestNumber, place.number)
            if let request = change.value?.request { state.requestPlaces.insert(request) }
        }
    }

    /// All keys with the changes of the transaction, in no particular order.
    var keptKeys: [StoreKey] {
        let changes = state.withLock { $0.kept }
        return core.readKept { $0.keys }.filter { changes[$0] == nil } + changes.filter { $0.value.value != nil }.map(\.key)
    }

    /// Returns the keys of the values that mention a lid, with the changes of the transaction, in no particular order.
    ///
    /// - Complexity: O(n), n = number of these values, and of the changes.
    func keptKeys(mentioning lid: StoredIdentity) -> [StoreKey] {
        let changes = state.withLock { $0.kept }
        let stored = core.readKept { $0.lids.elements(mentioning: lid) }
        return changes.filter { $0.value.value?.lids.contains(lid) == true }.map(\.key) + stored.filter { changes[$0] == nil }
    }

    /// The waiting requests with the changes of the transaction, oldest first.
    ///
    /// - Complexity: O(1). After the transaction has changed a request O(n), n = number of requests.
    var requests: [QueuedRequest] {
        let changed = state.withLock { state in
            state.kept.filter { if case .request = $0.key { true } else { false } }
        }
        let stored = core.readKept { $0.requests }
        guard !changed.isEmpty else { return stored }
        let rest = stored.filter { changed[.request($0.key)] == nil }
        return (rest + changed.compactMap { $0.value.value?.request }).sorted { $0.key < $1.key }
    }

    /// Returns the waiting requests about a resource with the changes of the transaction, oldest first.
    ///
    /// - Complexity: O(n), n = number of requests about the resource.
    func requests(about identity: StoredIdentity) -> [QueuedRequest] {
        keys { $0.about(identity) }.compactMap { request($0, about: identity) }
    }

    /// Returns one of these requests and those after it.
    func requests(about identity: StoredIdentity, from first: RequestKey) -> [QueuedRequest] {
        keys { list in list.about(identity).reversed().prefix { $0 >= first }.reversed() }.compactMap { request($0, about: identity) }
    }

    /// Returns the oldest of these requests.
    func firstRequest(about identity: StoredIdentity) -> QueuedRequest? {
        keys { $0.about(identity) }.lazy.compactMap { self.request($0, about: identity) }.first
    }

    private func request(_ key: RequestKey, about identity: StoredIdentity) -> QueuedRequest? {
        kept(.request(key))?.request.flatMap { $0.identity == identity ? $0 : nil }
    }

    /// Returns the waiting requests that are about a resource or link to it, oldest first.
    ///
    /// - Complexity: O(n), n = number of these requests.
    func requests(mentioning identity: StoredIdentity) -> [QueuedRequest] {
        keys { $0.about(identity).merged(with: $0.linking(to: identity)) }.compactMap { key in
            kept(.request(key))?.request.flatMap { $0.mentioned.contains(identity) ? $0 : nil }
        }
    }

    private func keys(_ list: (RequestPlaces) -> [RequestKey]) -> [RequestKey] {
        core.readKept { list($0.places) }.merged(with: state.withLock { list($0.requestPlaces) })
    }

    /// Whether there may be waiting requests. If this is false, there are none.
    var mayHaveRequests: Bool { state.withLock { $0.lastRequestNumber > 0 } || core.readKept { !$0.requests.isEmpty } }

    /// A number that is greater than that of any request, and not less than the microseconds since 1970. A new request therefore also comes
    /// after those in a file that the store opens later, and after those that another program has made before, unless a clock was ahead when
    /// they were made. If a file has a request with the greatest possible number, returns that one, because the id also distinguishes requests.
    var nextRequestNumber: Int64 {
        let last = max(core.readKept { $0.requests.last?.key.number ?? 0 }, state.withLock { $0.lastRequestNumber })
        return max(min(last, .max - 1) + 1, Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
}

extension PendingChanges.State {
    fileprivate mutating func rollBack(to mark: Int) {
        while undo.count > mark, let step = undo.popLast() {
            switch step {
            case .resource(let identity, let before):
                // The first change of a resource is also the last one in the list, because later changes were rolled back before.
                if let before { changes.set(identity, before) } else { changes.removeLast() }
            case .move(let identity, let before): moves[identity] = before
            case .place(let identity, let before): places[identity] = before
            case .requestRollBack(let key): rolledBackRequests.remove(key)
            case .kept(let key, let before): kept[key] = before
            }
        }
    }
}
