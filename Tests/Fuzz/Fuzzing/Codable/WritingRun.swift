import JSONText

/// One run of a program with one encoder. It does only what both encoders document: one kind of container for a value, one value for a
/// name, and containers that are used only while their value is encoded.
final class WritingRun {
    nonisolated(unsafe) static var current = WritingRun(WritingProgram(routines: []), repeatsNames: false, passesErrors: true)

    let program: WritingProgram
    /// Whether names can be repeated, which this library rejects.
    private let repeatsNames: Bool
    /// Whether no error is ignored. `JSONEncoder` can trap if a value continues after an error.
    private let passesErrors: Bool
    private(set) var hasRepeated = false
    /// The trace up to the first error.
    private(set) var events: [Event] = []
    private(set) var firstError: (any Error)?
    private var budget = 150
    private var depth = 0
    private var routine = 0

    struct Event: Equatable {
        var step: String
        var outcome: String
    }

    /// What happened to one value or container.
    private final class State {
        enum Kind { case nothing, keyed, unkeyed, single }
        var kind = Kind.nothing
        var names: Set<String> = []
        init(_ kind: Kind = .nothing) { self.kind = kind }
    }

    private struct Frame {
        var encoders: [(encoder: any Encoder, state: State)]
        var keyed: [(container: KeyedEncodingContainer<DrivenKey>, state: State)] = []
        var unkeyed: [(container: any UnkeyedEncodingContainer, state: State)] = []
        /// Whether the value is a resource, whose `superEncoder` is the resource itself.
        var isResource = false
    }

    init(_ program: WritingProgram, repeatsNames: Bool, passesErrors: Bool) {
        self.passesErrors = passesErrors
        self.program = program
        self.repeatsNames = repeatsNames
    }

    func write(_ encoder: any Encoder, isResource: Bool = false) throws {
        if depth == 0 { budget = 150 }
        guard depth < 6, !program.routines.isEmpty else { return }
        depth += 1
        defer { depth -= 1 }
        var frame = Frame(encoders: [(encoder, State(isResource ? .keyed : .nothing))], isResource: isResource)
        for step in program.routines[depth == 1 ? 0 : routine % program.routines.count] {
            guard budget > 0 else { break }
            budget -= 1
            do { try perform(step, &frame) } catch {
                if firstError == nil { firstError = error }
                if !step.swallows || passesErrors || step.kind == .appendSuper { throw error }
            }
        }
    }

    private func record(_ step: WritingProgram.Step, _ outcome: String) {
        if firstError == nil { events.append(Event(step: step.description, outcome: outcome)) }
    }

    // MARK: - Steps

    private func latest(_ count: Int, _ step: WritingProgram.Step) -> Int? { count == 0 ? nil : count - 1 - step.register % count }

    private func perform(_ step: WritingProgram.Step, _ frame: inout Frame) throws {
        let before = routine
        routine = step.routine
        defer { routine = before }
        switch step.kind {
        case .keyed, .unkeyed, .singleValue, .singleNil, .userInfo: try performOnEncoder(step, &frame)
        // An encoder cannot see an error that a program throws and ignores itself.
        case .fail: if !step.swallows { throw DrivenFailure() }
        case .append, .appendNil, .appendKeyed, .appendUnkeyed, .appendSuper, .appendAll, .state:
            guard let place = latest(frame.unkeyed.count, step) else { return }
            try performOnArray(step, place, &frame)
        case .path:
            // `JSONEncoder` omits the names of nested containers, so paths are requested but not compared.
            _ = frame.encoders[0].encoder.codingPath
            _ = frame.keyed.last?.container.codingPath
            _ = frame.unkeyed.last?.container.codingPath
        default:
            guard let place = latest(frame.keyed.count, step) else { return }
            try performOnObject(step, place, &frame)
        }
    }

    private func performOnEncoder(_ step: WritingProgram.Step, _ frame: inout Frame) throws {
        let (encoder, state) = frame.encoders[latest(frame.encoders.count, step) ?? 0]
        switch (step.kind, state.kind) {
        case (.keyed, .nothing), (.keyed, .keyed):
            state.kind = .keyed
            frame.keyed.append((encoder.container(keyedBy: DrivenKey.self), state))
        case (.unkeyed, .nothing), (.unkeyed, .unkeyed):
            state.kind = .unkeyed
            frame.unkeyed.append((encoder.unkeyedContainer(), state))
        case (.singleValue, .nothing):
            state.kind = .single
            var container = encoder.singleValueContainer()
            try WritingSample.all[step.sample].single(&container)
        case (.singleNil, .nothing):
            state.kind = .single
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case (.userInfo, _): record(step, "\(DrivenRun.info.flatMap { encoder.userInfo[$0] as? Int } ?? 0)")
        default: return
        }
    }

    private func performOnObject(_ step: WritingProgram.Step, _ place: Int, _ frame: inout Frame) throws {
        let key = DrivenKey(step.kind == .superEncoder ? "super" : step.name)
        let state = frame.keyed[place].state
        if step.kind == .superEncoder, frame.isResource, state === frame.encoders[0].state { return }
        if !state.names.insert(key.stringValue).inserted {
            guard repeatsNames, [.encodeForKey, .encodeNilForKey].contains(step.kind) else { return }
            hasRepeated = true
        }
        let sample = WritingSample.all[step.sample]
        switch step.kind {
        case .encodeForKey: try sample.keyed(&frame.keyed[place].container, key)
        case .encodeIfPresentForKey: try sample.keyedIfPresent(&frame.keyed[place].container, key)
        case .encodeNilForKey: try frame.keyed[place].container.encodeNil(forKey: key)
        case .nestedKeyedForKey:
            frame.keyed.append((frame.keyed[place].container.nestedContainer(keyedBy: DrivenKey.self, forKey: key), State(.keyed)))
        case .nestedUnkeyedForKey:
            frame.unkeyed.append((frame.keyed[place].container.nestedUnkeyedContainer(forKey: key), State(.unkeyed)))
        case .superEncoder: frame.encoders.append((frame.keyed[place].container.superEncoder(), State()))
        default: frame.encoders.append((frame.keyed[place].container.superEncoder(forKey: key), State()))
        }
    }

    private func performOnArray(_ step: WritingProgram.Step, _ place: Int, _ frame: inout Frame) throws {
        let sample = WritingSample.all[step.sample]
        switch step.kind {
        case .append: try sample.append(&frame.unkeyed[place].container)
        case .appendAll: try sample.appendAll(&frame.unkeyed[place].container)
        case .appendNil: try frame.unkeyed[place].container.encodeNil()
        case .appendKeyed:
            frame.keyed.append((frame.unkeyed[place].container.nestedContainer(keyedBy: DrivenKey.self), State(.keyed)))
        case .appendUnkeyed:
            frame.unkeyed.append((frame.unkeyed[place].container.nestedUnkeyedContainer(), State(.unkeyed)))
        case .appendSuper:
            // `JSONEncoder` adds it to the array when the encoder is released, at the index at which the array ended when it was created.
            try Written().encode(to: frame.unkeyed[place].container.superEncoder())
        default: record(step, "\(frame.unkeyed[place].container.count)")
        }
    }
}
