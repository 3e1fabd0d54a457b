import JSONText

/// A value whose `init(from:)` follows the current program.
struct Driven: Codable, Sendable {
    /// The index of this driven value in its run.
    let number: Int

    init(from decoder: any Decoder) throws { number = try DrivenRun.current.read(decoder) }
    func encode(to encoder: any Encoder) throws {}
}

extension Driven: DrivenValue {
    var shown: String { "driven" }
}

/// One run of a program with one decoder: its trace, value by value.
final class DrivenRun {
    /// The current run. Only one thread runs programs.
    nonisolated(unsafe) static var current = DrivenRun(DrivenProgram(routines: []))
    static let info = CodingUserInfoKey(rawValue: "driven")

    let program: DrivenProgram
    /// The trace of each top-level value.
    private(set) var traces: [DrivenTrace] = []
    private var budget = 0
    private var depth = 0
    private var routine = 0
    private var prefix = 0
    private var count = 0
    // Containers outlive the value that requested them.
    private var keyed: [KeyedDecodingContainer<DrivenKey>] = []
    private var unkeyed: [any UnkeyedDecodingContainer] = []

    init(_ program: DrivenProgram) { self.program = program }

    /// The state of one `init(from:)`.
    private struct Frame {
        var decoders: [any Decoder]
        var singles: [any SingleValueDecodingContainer] = []
    }

    /// Runs the requested routine. A top-level value runs the first one.
    func read(_ decoder: any Decoder) throws -> Int {
        if depth == 0 { begin(decoder) }
        count += 1
        let number = count
        guard depth < 7, !program.routines.isEmpty else { return number }
        depth += 1
        defer { depth -= 1 }
        var frame = Frame(decoders: [decoder])
        for step in program.routines[routine % program.routines.count] {
            guard budget > 0 else { break }
            budget -= 1
            do { try perform(step, &frame) } catch {
                record(step, error)
                if !step.swallows { throw error }
            }
        }
        return number
    }

    private func begin(_ decoder: any Decoder) {
        traces.append(DrivenTrace())
        (budget, routine, count) = (150, 0, 0)
        (keyed, unkeyed) = ([], [])
        prefix = decoder.codingPath.count
    }

    /// Releases containers, which keep the decoder alive.
    func end() { (keyed, unkeyed) = ([], []) }

    // MARK: - Recording

    private func positions(_ path: [any CodingKey]) -> [DrivenTrace.Position] { path.dropFirst(prefix).map { DrivenTrace.Position($0) } }

    private func record(_ step: DrivenProgram.Step, _ outcome: String, path: [any CodingKey]? = nil, isError: Bool = false) {
        var event = DrivenTrace.Event(kind: step.kind, step: step.description, outcome: outcome, path: path.map(positions))
        event.isError = isError
        if isOpen(step) { event.probe = DrivenProbe.all[step.probe].name }
        traces[traces.count - 1].events.append(event)
    }

    private func record(_ step: DrivenProgram.Step, _ error: any Error) {
        if isOpen(step), DrivenProbe.all[step.probe].isUnordered { return record(step, "fails", isError: true) }
        let (text, path) = Self.describe(error)
        record(step, text, path: path, isError: true)
    }

    /// Whether the step decodes a value of its type.
    private func isOpen(_ step: DrivenProgram.Step) -> Bool {
        [.decodeForKey, .decodeIfPresentForKey, .next, .nextIfPresent, .rest, .eachKey, .singleValue].contains(step.kind)
    }

    /// The kind and the place of an error.
    static func describe(_ error: any Error) -> (String, [any CodingKey]?) {
        switch error {
        case DecodingError.typeMismatch(let type, let context): ("typeMismatch \(type)", context.codingPath)
        case DecodingError.valueNotFound(let type, let context): ("valueNotFound \(type)", context.codingPath)
        case DecodingError.keyNotFound(let key, let context): ("keyNotFound \(key.stringValue)", context.codingPath)
        case DecodingError.dataCorrupted(let context): ("dataCorrupted", context.codingPath)
        default: DrivenDifferences.isUnfitNumber(error) ? ("dataCorrupted", nil) : ("\(type(of: error))", nil)
        }
    }

    // MARK: - Steps

    private func latest<Element>(_ elements: [Element], _ step: DrivenProgram.Step) -> Int? {
        elements.isEmpty ? nil : elements.count - 1 - step.register % elements.count
    }

    private func perform(_ step: DrivenProgram.Step, _ frame: inout Frame) throws {
        let before = routine
        routine = step.routine
        defer { routine = before }
        switch step.kind {
        case .keyed, .unkeyed, .single, .userInfo, .fail: try performOnDecoder(step, &frame)
        case .singleValue, .singleNil:
            guard let place = latest(frame.singles, step) else { return }
            if step.kind == .singleNil {
                record(step, frame.singles[place].decodeNil().shown)
            } else {
                record(step, try DrivenProbe.all[step.probe].single(frame.singles[place]))
            }
        case .next, .nextIfPresent, .nextNil, .nextState, .nextKeyed, .nextUnkeyed, .nextSuper, .nextCopy, .rest:
            guard let place = latest(unkeyed, step) else { return }
            try performOnArray(step, place, &frame)
        case .path:
            if let place = latest(keyed, step) { record(step, "path", path: keyed[place].codingPath) }
            if let place = latest(unkeyed, step) { record(step, "path", path: unkeyed[place].codingPath) }
            record(step, "path", path: frame.decoders[0].codingPath)
        default:
            guard let place = latest(keyed, step) else { return }
            try performOnObject(step, keyed[place], &frame)
        }
    }

    private func performOnDecoder(_ step: DrivenProgram.Step, _ frame: inout Frame) throws {
        let decoder = frame.decoders[latest(frame.decoders, step) ?? 0]
        switch step.kind {
        case .keyed: keyed.append(try decoder.container(keyedBy: DrivenKey.self))
        case .unkeyed: unkeyed.append(try decoder.unkeyedContainer())
        case .single: frame.singles.append(try decoder.singleValueContainer())
        case .userInfo: return record(step, "\(Self.info.flatMap { decoder.userInfo[$0] as? Int } ?? 0)")
        default: throw DrivenFailure()
        }
        record(step, "made")
    }

    private func performOnObject(_ step: DrivenProgram.Step, _ container: KeyedDecodingContainer<DrivenKey>, _ frame: inout Frame) throws {
        let key = DrivenKey(step.name)
        let probe = DrivenProbe.all[step.probe]
        switch step.kind {
        case .contains: record(step, container.contains(key).shown)
        case .allKeys: record(step, container.allKeys.map(\.stringValue).sorted().shown)
        case .eachKey:
            for key in Set(container.allKeys).sorted(by: { $0.stringValue < $1.stringValue }) {
                if DrivenDifferences.identity.contains(key.stringValue) { continue }
                guard budget > 0 else { return }
                budget -= 1
                do { record(step, "\(key.stringValue) \(try probe.keyed(container, key))") } catch { record(step, error) }
            }
        case .decodeNilForKey: record(step, try container.decodeNil(forKey: key).shown)
        case .decodeForKey: record(step, try probe.keyed(container, key))
        case .decodeIfPresentForKey: record(step, try probe.keyedIfPresent(container, key))
        case .nestedKeyedForKey:
            keyed.append(try container.nestedContainer(keyedBy: DrivenKey.self, forKey: key))
            record(step, "made")
        case .nestedUnkeyedForKey:
            unkeyed.append(try container.nestedUnkeyedContainer(forKey: key))
            record(step, "made")
        case .superDecoder:
            guard DrivenDifferences.asksForSuper(container) else { return }
            frame.decoders.append(try container.superDecoder())
            record(step, "made", path: frame.decoders.last?.codingPath)
        default:
            guard DrivenDifferences.asksForSuper(container, key) else { return }
            frame.decoders.append(try container.superDecoder(forKey: key))
            record(step, "made", path: frame.decoders.last?.codingPath)
        }
    }

    private func performOnArray(_ step: DrivenProgram.Step, _ place: Int, _ frame: inout Frame) throws {
        let probe = DrivenProbe.all[step.probe]
        // A nested driven value can add a container while it is decoded, so the array is not accessed in the meantime.
        var container = unkeyed[place]
        defer { unkeyed[place] = container }
        switch step.kind {
        case .next: record(step, try probe.next(&container))
        case .nextIfPresent: record(step, try probe.nextIfPresent(&container))
        case .nextNil: record(step, try container.decodeNil().shown)
        case .nextState:
            let index = DrivenDifferences.index(container)
            record(step, "\(container.count ?? -1) \(index) \(container.isAtEnd)", path: container.codingPath)
        case .nextKeyed:
            keyed.append(try container.nestedContainer(keyedBy: DrivenKey.self))
            record(step, "made")
        case .nextUnkeyed:
            unkeyed.append(try container.nestedUnkeyedContainer())
            record(step, "made")
        case .nextSuper:
            frame.decoders.append(try container.superDecoder())
            record(step, "made", path: frame.decoders.last?.codingPath)
        case .nextCopy: unkeyed.append(container)
        default:
            while !container.isAtEnd, budget > 0 {
                budget -= 1
                do { record(step, try probe.next(&container)) } catch {
                    record(step, error)
                    _ = try container.decode(DrivenLossy.DrivenIgnored.self)
                }
            }
        }
    }
}
