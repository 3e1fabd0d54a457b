import CMallocCount
import Measuring
import Workloads

/// Takes the measurements for some rows, in an order that shares documents.
final class Measurements {
    private let rows: [Row]
    private let effort: Race.Effort
    private let inputs = Inputs()
    private let workspace: Workspace
    private let instructions: Instructions
    /// The results by the name of the row; nil for a row that this machine cannot measure.
    private var results: [String: Double] = [:]
    /// Checksums by the content of documents.
    private var checksums: [String: UInt64] = [:]

    init(_ rows: [Row], _ effort: Race.Effort) throws {
        self.rows = rows
        self.effort = effort
        workspace = try Workspace()
        instructions = Instructions(inputs, workspace)
    }

    func values() throws -> [String: Double] {
        try measureRaces()
        for row in rows { try measureAlone(row) }
        return results
    }
}

// MARK: - Results

extension Measurements {
    /// Throws if a timed work gives a wrong result, fails, or crashes. Times nothing.
    func checkResults() throws {
        for name in races {
            Progress.note("checking \(name)")
            let contenders = Set(rows.filter { $0.race == name }.flatMap(\.contenders))
            for contender in contenders {
                guard try survives(contender) else { throw WrongResult("\(contender.work) of \(contender.input) fails") }
                try check(try inputs.job(contender.work, contender.input), contender)
            }
            for contender in contenders { forgetUnlessShared(contender.input) }
        }
    }

    /// Throws if the work's result differs in any field from that of earlier works on the same content.
    private func check(_ job: Job, _ contender: Race.Contender) throws {
        let content = contender.input.hasPrefix("medium") ? "medium" : contender.input
        let expected: UInt64
        if let size = try inputs[contender.input].hostileSize {
            expected = UInt64(size)
        } else if let known = checksums[content] {
            expected = known
        } else {
            expected = try inputs.job("foundation-resolve", content).checksum()
            checksums[content] = expected
        }
        guard try job.checksum() == expected else {
            throw WrongResult("\(contender.work) of \(contender.input) gives another result than was expected")
        }
    }

    /// Returns false if the work crashes or fails with a hostile document, which is tried in another process.
    private func survives(_ contender: Race.Contender) throws -> Bool {
        guard Workload.isHostile(contender.input) else { return true }
        return try Child.survives(contender.work, contender.input, inputs, workspace)
    }
}

// MARK: - Races

extension Measurements {
    private var races: [String] {
        var names: [String] = []
        for row in rows { if let name = row.race, !names.contains(name) { names.append(name) } }
        return names
    }

    private func measureRaces() throws {
        var times: [String: [Race.Contender: Double]] = [:]
        for name in races { times[name] = try measureRace(name) }
        // Other programs may have used the machine. A row that misses its limit is timed once more, and the shorter time of each contender
        // counts, including the baseline.
        for name in races {
            guard let first = times[name], rows.contains(where: { $0.race == name && !$0.isMet(by: results[$0.name] ?? 0) }) else {
                continue
            }
            _ = try measureRace(name, after: first)
        }
    }

    /// The times of the race's contenders, for the values of its rows; nil if one of them fails.
    private func measureRace(_ name: String, after earlier: [Race.Contender: Double] = [:]) throws -> [Race.Contender: Double]? {
        let members = rows.filter { $0.race == name }
        let contenders = members.flatMap(\.contenders)
        guard try contenders.allSatisfy(survives) else {
            for row in members { results[row.name] = .infinity }
            return nil
        }
        let times = try race(name, contenders).merging(earlier, uniquingKeysWith: min)
        for row in members { results[row.name] = try row.ratio(times, inputs) }
        return times
    }

    private func race(_ name: String, _ contenders: [Race.Contender]) throws -> [Race.Contender: Double] {
        var race = Race()
        var seen: Set<Race.Contender> = []
        for contender in contenders where seen.insert(contender).inserted {
            let job = try inputs.job(contender.work, contender.input)
            try check(job, contender)
            try race.add(contender, run: job.run)
        }
        Progress.note("timing \(name)")
        let times = try race.run(contenders.contains { Workload.isHostile($0.input) } ? .quick : effort)
        for contender in contenders where seen.remove(contender) != nil {
            Progress.note("  \(contender.work) \(contender.input): \(Progress.milliseconds(times[contender] ?? 0))")
        }
        for contender in contenders { forgetUnlessShared(contender.input) }
        return times
    }

    /// Many rows use documents with the content of medium.
    private func forgetUnlessShared(_ input: String) {
        if !input.hasPrefix("medium") { inputs.forget(input) }
    }
}

// MARK: - Alone

extension Measurements {
    private func measureAlone(_ row: Row) throws {
        switch row.measure {
        case .speed, .cost, .timePerReference, .timeGrowth: return
        case .instructions(let work, let input):
            Progress.note("counting instructions of \(work) \(input)")
            results[row.name] = try instructions.count(work, input).map { $0 / 1e6 }
        case .allocations(let work, let input, let own): results[row.name] = try allocationsPerResource(work, input, own)
        case .memory(let work, let input):
            Progress.note("measuring memory of \(work) \(input)")
            let bytes = try PeakMemory.bytes(work, input, inputs, workspace)
            results[row.name] = bytes / Double(try inputs[input].text.count)
        case .instructionGrowth(let work, let small, let large):
            results[row.name] = try instructionGrowth(work, small, large)
        }
    }

    private func allocationsPerResource(_ work: String, _ input: String, _ own: String?) throws -> Double? {
        guard malloc_count_is_available() else { return nil }
        Progress.note("counting allocations of \(work) \(input)")
        let own = try own.map { try allocations($0, input) } ?? 0
        let all = try allocations(work, input)
        let resources = Double(try inputs.counts(input).resources)
        Progress.note("  the result's own \(own), all \(all)")
        return (Double(all) - Double(own)) / resources
    }

    private func allocations(_ work: String, _ input: String) throws -> UInt64 {
        let job = try inputs.job(work, input)
        try job.run()
        malloc_count_start()
        let outcome = Result { try job.run() }
        let count = malloc_count_stop()
        try outcome.get()
        return count
    }

    private func instructionGrowth(_ work: String, _ small: String, _ large: String) throws -> Double? {
        Progress.note("counting instructions of \(work) \(small), \(large)")
        let perUnit = try [small, large].map { input -> Double? in
            let counts = try inputs.counts(input)
            return try instructions.count(work, input).map { $0 / Double(counts.resources + counts.references) }
        }
        guard let before = perUnit[0], let after = perUnit[1] else { return nil }
        Progress.note("  \(fixed(before, 0)) and \(fixed(after, 0)) for each resource and reference")
        return after / before
    }
}
