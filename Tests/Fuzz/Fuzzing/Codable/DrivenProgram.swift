/// The steps of a driven type while it is decoded. The first routine decodes the value itself, and the others decode the values that it
/// requests.
struct DrivenProgram: Sendable, Equatable {
    var routines: [[Step]]

    struct Step: Sendable, Equatable {
        var kind: Kind
        /// The index of one of the current decoders or containers, counted from the latest.
        var register = 0
        /// The index in `DrivenProbe.all`.
        var probe = 0
        var name = "a"
        /// The routine of a nested driven value.
        var routine = 0
        /// Whether an error is ignored. Otherwise it ends the routine.
        var swallows = false
    }

    enum Kind: String, Sendable, CaseIterable {
        case keyed, unkeyed, single
        case contains, allKeys, eachKey, decodeNilForKey, decodeForKey, decodeIfPresentForKey
        case nestedKeyedForKey, nestedUnkeyedForKey, superDecoder, superDecoderForKey
        case next, nextIfPresent, nextNil, nextState, nextKeyed, nextUnkeyed, nextSuper, nextCopy, rest
        case singleValue, singleNil
        case path, userInfo, fail
    }

    private static let common: [Kind] = [
        .decodeForKey, .decodeForKey, .decodeForKey, .decodeForKey, .decodeIfPresentForKey, .decodeIfPresentForKey, .decodeIfPresentForKey,
        .keyed, .nestedKeyedForKey, .nestedKeyedForKey, .nestedUnkeyedForKey, .next, .next, .next, .nextIfPresent, .contains, .rest,
        .eachKey,
    ]

    static func random(_ random: inout FuzzRandom) -> DrivenProgram {
        let routines = (0..<1 + random.below(4)).map { index in
            var steps: [Step] = []
            if random.chance(9, in: 10) {
                steps.append(
                    Step(kind: random.pick([.keyed, .keyed, .keyed, .keyed, .unkeyed, .single]), swallows: random.chance(4, in: 5)))
            }
            if random.chance(1, in: 3) { steps.append(Step(kind: .unkeyed, swallows: true)) }
            if random.chance(1, in: 5) { steps.append(Step(kind: .single, swallows: true)) }
            for _ in 0..<1 + random.below(index == 0 ? 12 : 7) { steps.append(step(&random)) }
            return steps
        }
        return DrivenProgram(routines: routines)
    }

    private static func step(_ random: inout FuzzRandom) -> Step {
        let kind = random.chance(3, in: 4) ? random.pick(common) : random.pick(Kind.allCases)
        var step = Step(kind: kind, register: random.chance(2, in: 3) ? 0 : random.below(6), probe: DrivenProbe.random(&random))
        step.name = random.chance(1, in: 12) ? "n\(random.below(60))" : random.pick(DrivenTree.names)
        step.routine = random.below(4)
        step.swallows = random.chance(7, in: 8)
        return step
    }

    /// Returns programs with one step less.
    var smaller: [DrivenProgram] {
        var programs: [DrivenProgram] = []
        if routines.count > 1 { programs.append(DrivenProgram(routines: Array(routines.dropLast()))) }
        for (index, routine) in routines.enumerated() {
            for place in routine.indices {
                var fewer = self
                fewer.routines[index].remove(at: place)
                programs.append(fewer)
            }
        }
        return programs
    }
}

extension DrivenProgram: CustomStringConvertible {
    var description: String {
        routines.enumerated().map { index, steps in "  routine \(index): " + steps.map(\.description).joined(separator: "; ") }
            .joined(separator: "\n")
    }
}

extension DrivenProgram.Step: CustomStringConvertible {
    var description: String {
        let type = DrivenProbe.all[probe].name
        let text =
            switch kind {
            case .contains, .decodeNilForKey, .nestedKeyedForKey, .nestedUnkeyedForKey, .superDecoderForKey: "\(kind.rawValue)(\(name))"
            case .decodeForKey, .decodeIfPresentForKey: "\(kind.rawValue)(\(type), \(name))"
            case .next, .nextIfPresent, .rest, .eachKey, .singleValue: "\(kind.rawValue)(\(type))"
            default: kind.rawValue
            }
        return (swallows ? "try? " : "try ") + "[\(register)]." + text + (type.contains("Driven") ? " routine \(routine)" : "")
    }
}
