import JSONText

/// The memory of one decode: its tape, its index and the tables of its session. It is given back when only the result of the decode
/// remains, and reused by the next one.
///
/// `@unchecked Sendable`: only one decode has it at a time.
package final class DecodingMemory: @unchecked Sendable {
    // Unchecked: only one decode has the memory at a time, and nothing calls back while these change.
    @safe @exclusivity(unchecked) fileprivate(set) var tape: TapeMemory?
    @safe @exclusivity(unchecked) package fileprivate(set) var index = IndexMemory()
    /// Whether nothing holds the session any more, which had the tables.
    @safe @exclusivity(unchecked) var isSessionOver = false
    package let tables = SessionTables()

    package init() {}

    deinit { tape?.deallocate() }

    /// Prepares the memory for the next decode, when only the result of the last one remains.
    ///
    /// - Parameter tape: The tape whose words are in this memory. Nothing else may hold it.
    package func renew(from tape: Tape) {
        tables.reset()
        self.tape = tape.giveUpMemory()
    }

    /// Returns the memory for a tape, and removes it from this object.
    package func takeTape() -> TapeMemory? {
        defer { tape = nil }
        return tape
    }
}

/// The memory of an index: its entries and its table.
package final class IndexMemory: Sendable {
    let entries = ScratchStack<ResourceEntry>(capacity: 8)
    let slots = Scratch<UInt64>(zeroes: 16)

    fileprivate var isSmall: Bool { entries.capacity <= 1 << 13 && slots.capacity <= 1 << 15 }
}

/// The tables of a session.
package final class SessionTables {
    /// The resources being read, outermost first.
    let frames = ScratchStack<DecodingSession.PathFrame>(capacity: 16)
    let finder = MemberFinder()
    /// Plans of values.
    let plans = TypeTable()
    /// Plans of resources. They stay for the next session, which needs the same ones; see `AnyElementPlan.prepare`.
    let elementPlans = TypeTable()
    /// Makers of containers, which have no state.
    let containerMakers = TypeTable()
    let linkageCounts = Scratch<UInt8>(zeroes: 16)
    /// The links between resources; see `ReferenceGraph`.
    let links = ScratchStack<UInt64>(capacity: 16)

    fileprivate var isSmall: Bool {
        frames.capacity <= 1 << 12 && linkageCounts.capacity <= 1 << 13 && links.capacity <= 1 << 13 && containerMakers.count <= 256
    }

    /// Releases everything that the session has made.
    fileprivate func reset() {
        frames.removeAll()
        links.removeAll()
        plans.removeAll()
        elementPlans.forEach(AnyElementPlan.self) { $0.endSession() }
    }
}

/// Keeps memory for future decodes. A decode that ends leaves its memory here for the next one.
///
/// In addition to its result, a small document needs about thirty allocations. It also needs one plan, and one look-up of type information,
/// for each relationship of the models. Together that took a fifth of the time of decoding it. The pool keeps at most four memories, each
/// with at most half a megabyte for a tape, and nothing that larger documents needed.
enum DecodingPool {
    private static let kept = MemoryPool()
    private static let keptTape = 1 << 16

    static func take() -> DecodingMemory {
        let memory = kept.take() as? DecodingMemory ?? DecodingMemory()
        memory.isSessionOver = false
        return memory
    }

    /// Keeps the tables of a decode whose document and index stay alive for references.
    static func giveBackTables(_ memory: DecodingMemory) {
        guard memory.isSessionOver else { return }
        memory.index = IndexMemory()
        giveBack(memory)
    }

    /// Keeps the memory of a decode when only its result remains.
    ///
    /// - Parameter tape: The tape whose words are in this memory. Nothing else may hold it.
    static func giveBack(_ memory: DecodingMemory, from tape: Tape? = nil) {
        memory.tables.reset()
        guard memory.index.isSmall, memory.tables.isSmall else { return }
        if let words = tape?.giveUpMemory() {
            if words.capacity <= keptTape { memory.tape = words } else { words.deallocate() }
        }
        kept.keep(memory)
    }
}
