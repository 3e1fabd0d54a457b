/// The steps of a type while it is encoded, like `DrivenProgram` for decoding.
struct WritingProgram: Sendable, Equatable {
    var routines: [[Step]]

    struct Step: Sendable, Equatable {
        var kind: Kind
        var register = 0
        /// The index in `WritingSample.all`.
        var sample = 0
        var name = "a"
        var routine = 0
        var swallows = false
    }

    enum Kind: String, Sendable, CaseIterable {
        case keyed, unkeyed, singleValue, singleNil
        case encodeForKey, encodeIfPresentForKey, encodeNilForKey, nestedKeyedForKey, nestedUnkeyedForKey, superEncoderForKey, superEncoder
        case append, appendNil, appendKeyed, appendUnkeyed, appendSuper, appendAll, state
        case path, userInfo, fail
    }

    private static let common: [Kind] = [
        .encodeForKey, .encodeForKey, .encodeForKey, .encodeForKey, .encodeIfPresentForKey, .encodeNilForKey, .nestedKeyedForKey,
        .nestedKeyedForKey, .nestedUnkeyedForKey, .append, .append, .append, .appendKeyed, .appendUnkeyed, .keyed, .superEncoderForKey,
    ]

    static func random(_ random: inout FuzzRandom) -> WritingProgram {
        let routines = (0..<1 + random.below(4)).map { index in
            var steps: [Step] = []
            if random.chance(9, in: 10) {
                steps.append(step(random.pick([.keyed, .keyed, .keyed, .keyed, .unkeyed, .singleValue]), &random))
            }
            for _ in 0..<random.below(index == 0 ? 14 : 8) {
                steps.append(step(random.chance(4, in: 5) ? random.pick(common) : random.pick(Kind.allCases), &random))
            }
            return steps
        }
        return WritingProgram(routines: routines)
    }

    private static func step(_ kind: Kind, _ random: inout FuzzRandom) -> Step {
        var kind = kind
        // Errors end the comparison, so there are only a few.
        if kind == .fail, random.chance(9, in: 10) { kind = .encodeForKey }
        var step = Step(kind: kind, register: random.chance(1, in: 2) ? 0 : random.below(6), sample: WritingSample.random(&random))
        step.name = random.chance(1, in: 3) ? "n\(random.below(60))" : random.pick(DrivenTree.names)
        step.routine = random.below(4)
        step.swallows = random.chance(1, in: 2)
        return step
    }

    var smaller: [WritingProgram] {
        var programs: [WritingProgram] = []
        if routines.count > 1 { programs.append(WritingProgram(routines: Array(routines.dropLast()))) }
        for (index, routine) in routines.enumerated() {
            for (place, step) in routine.enumerated() {
                var fewer = self
                fewer.routines[index].remove(at: place)
                programs.append(fewer)
                if step.sample != 1, step.sample != WritingSample.driven {
                    var plain = self
                    plain.routines[index][place].sample = 1
                    programs.append(plain)
                }
            }
        }
        return programs
    }
}

extension WritingProgram: CustomStringConvertible {
    var description: String {
        routines.enumerated().map { index, steps in "  routine \(index): " + steps.map(\.description).joined(separator: "; ") }
            .joined(separator: "\n")
    }
}

extension WritingProgram.Step: CustomStringConvertible {
    var description: String {
        let value = WritingSample.all[sample].name
        let text =
            switch kind {
            case .encodeForKey, .encodeIfPresentForKey: "\(kind.rawValue)(\(value), \(name))"
            case .encodeNilForKey, .nestedKeyedForKey, .nestedUnkeyedForKey: "\(kind.rawValue)(\(name))"
            case .append, .appendAll, .singleValue: "\(kind.rawValue)(\(value))"
            case .superEncoderForKey: "\(kind.rawValue)(\(name)) routine \(routine)"
            case .superEncoder, .appendSuper: "\(kind.rawValue) routine \(routine)"
            default: kind.rawValue
            }
        return (swallows ? "try? " : "try ") + "[\(register)]." + text + (value.contains("Written") ? " routine \(routine)" : "")
    }
}
