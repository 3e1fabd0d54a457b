import Foundation
import JSONText

/// The memory of one decode: its tape, its index and the tables of its session. Given back when nothing of the decode is left but its
/// result, and used again by the next.
///
/// `@unchecked Sendable`: one decode has it at a time.
final class DecodingMemory: @unchecked Sendable {
    fileprivate(set) var tape: TapeMemory?
    fileprivate(set) var index = IndexMemory()
    /// Whether nothing holds the session any more, which had the tables.
    var isSessionOver = false
    let tables = SessionTables()

    deinit { tape?.deallocate() }

    /// Makes it ready for the next decode of who has it, when nothing of the last but its result is left.
    ///
    /// - Parameter tape: the tape that has its words there, which nobody else has.
    func renew(from tape: Tape) {
        tables.reset()
        self.tape = tape.giveUpMemory()
    }

    /// Takes the memory out, for a tape.
    func takeTape() -> TapeMemory? {
        defer { tape = nil }
        return tape
    }
}

/// Where an index has its entries and its table.
final class IndexMemory: Sendable {
    let entries = ScratchStack<ResourceEntry>(capacity: 8)
    let slots = ScratchZeroes<UInt64>(capacity: 16)

    fileprivate var isSmall: Bool { entries.capacity <= 1 << 13 && slots.capacity <= 1 << 15 }
}

/// The tables of a session.
final class SessionTables {
    /// The resources being read, outermost first.
    let frames = ScratchStack<DecodingSession.PathFrame>(capacity: 16)
    let finder = MemberFinder()
    /// Plans of values.
    let plans = TypeTable()
    /// Plans of resources. They stay for the next session, which would ask for the same; see `AnyElementPlan.prepare`.
    let elementPlans = TypeTable()
    let linkageCounts = ScratchZeroes<UInt32>(capacity: 16)
    /// Which resource leads to which; see `ReferenceGraph`.
    let links = ScratchStack<UInt64>(capacity: 16)

    fileprivate var isSmall: Bool { frames.capacity <= 1 << 12 && linkageCounts.capacity <= 1 << 13 && links.capacity <= 1 << 13 }

    /// Lets go of what the session has made.
    fileprivate func reset() {
        frames.removeAll()
        links.removeAll()
        plans.removeAll()
        elementPlans.forEach(AnyElementPlan.self) { $0.endSession() }
    }
}

/// Memory for decodes to come: one that has ended leaves its own here for the next.
///
/// A small document needs some thirty pieces of memory beside its result, and as many plans and questions to what is known about
/// types as the models have relationships: a fifth of the time of decoding it. At most four are kept, each with at most half a megabyte
/// for a tape, and nothing of what larger documents needed.
///
/// `@unchecked Sendable`: the list is reached under the lock only.
final class DecodingPool: @unchecked Sendable {
    static let shared = DecodingPool()

    private static let limit = 4
    private static let keptTape = 1 << 16

    private let lock = Lock()
    private var kept: [DecodingMemory] = []

    func take() -> DecodingMemory {
        lock.lock()
        let memory = kept.popLast()
        lock.unlock()
        memory?.isSessionOver = false
        return memory ?? DecodingMemory()
    }

    /// Keeps the tables of a decode whose document lives on with its index, for references.
    func giveBackTables(_ memory: DecodingMemory) {
        guard memory.isSessionOver else { return }
        memory.index = IndexMemory()
        giveBack(memory)
    }

    /// Keeps the memory of a decode of which nothing but its result is left.
    ///
    /// - Parameter tape: the tape that has its words there, which nobody else has.
    func giveBack(_ memory: DecodingMemory, from tape: Tape? = nil) {
        memory.tables.reset()
        guard memory.index.isSmall, memory.tables.isSmall else { return }
        if let words = tape?.giveUpMemory() {
            if words.capacity <= Self.keptTape { memory.tape = words } else { words.deallocate() }
        }
        lock.lock()
        if kept.count < Self.limit { kept.append(memory) }
        lock.unlock()
    }
}
