/// A JSON value for the comparison with `Codable`: with ordered members, repeated names, and numbers as texts.
indirect enum DrivenTree: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([DrivenTree])
    case object([Member])

    struct Member: Sendable, Equatable {
        var name: String
        var value: DrivenTree
    }
}

// MARK: - Making

extension DrivenTree {
    /// Only a few names, so that nested objects have the names of outer ones.
    static let names = [
        "a", "b", "c", "a", "b", "c", "name", "lat", "super", "1", "2", "é", "x y", "aa", "kind", "a/b~c\"", "longer than sixteen",
    ]

    /// How values are generated.
    struct Shape {
        var depth: Int
        var repeatsNames = false
        var width = 5
    }

    static func random(_ random: inout FuzzRandom) -> DrivenTree {
        var shape = Shape(depth: 1 + random.below(5))
        shape.repeatsNames = random.chance(1, in: 6)
        switch random.below(40) {
        case 0: return deep(&random, shape)
        case 1, 2: return wide(&random, shape)
        default: return random.chance(3, in: 4) ? object(&random, shape) : value(&random, shape)
        }
    }

    static func object(_ random: inout FuzzRandom, _ shape: Shape) -> DrivenTree {
        var inner = shape
        inner.depth -= 1
        var members: [Member] = []
        for _ in 0..<random.below(shape.width + 2) {
            let name = random.pick(names)
            if !shape.repeatsNames, members.contains(where: { $0.name == name }) { continue }
            members.append(Member(name: name, value: value(&random, inner)))
        }
        return .object(members)
    }

    static func value(_ random: inout FuzzRandom, _ shape: Shape) -> DrivenTree {
        guard shape.depth > 0, random.chance(3, in: 5) else { return leaf(&random) }
        if random.chance(2, in: 3) { return object(&random, shape) }
        var inner = shape
        inner.depth -= 1
        let count = random.below(shape.width)
        // Arrays with elements of one kind, or of several.
        if random.chance(1, in: 2) {
            return .array((0..<count).map { _ in value(&random, inner) })
        }
        let kind = random.below(5)
        return .array((0..<count).map { _ in kind == 0 ? object(&random, inner) : leaf(&random, kind: kind) })
    }

    private static func deep(_ random: inout FuzzRandom, _ shape: Shape) -> DrivenTree {
        var tree = object(&random, shape)
        for _ in 0..<10 + random.below(random.chance(1, in: 4) ? 300 : 30) {
            if random.chance(1, in: 3) {
                tree = .array(random.chance(1, in: 2) ? [leaf(&random), tree] : [tree, leaf(&random)])
            } else {
                var members = [Member(name: random.pick(["a", "b"]), value: tree)]
                if random.chance(1, in: 3) { members.append(Member(name: "c", value: leaf(&random))) }
                if random.chance(1, in: 3) { members.insert(Member(name: "name", value: leaf(&random)), at: 0) }
                tree = .object(members)
            }
        }
        return tree
    }

    private static func wide(_ random: inout FuzzRandom, _ shape: Shape) -> DrivenTree {
        var members = (0..<20 + random.below(180)).map { index in
            Member(name: "n\(index)", value: random.chance(1, in: 20) ? value(&random, shape) : leaf(&random))
        }
        for name in names.prefix(3) {
            members.insert(Member(name: name, value: value(&random, shape)), at: random.below(members.count))
        }
        return .object(members)
    }

    private static func leaf(_ random: inout FuzzRandom) -> DrivenTree { leaf(&random, kind: random.below(9)) }

    private static func leaf(_ random: inout FuzzRandom, kind: Int) -> DrivenTree {
        switch kind {
        case 0: .null
        case 1: .bool(random.chance(1, in: 2))
        case 2, 3, 4: .number(number(&random))
        default: .string(string(&random))
        }
    }

    private static let edges = [
        "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "65535", "65536", "2147483647", "2147483648", "-2147483648",
        "4294967295", "4294967296", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105727", "170141183460469231731687303715884105728", "1.0", "1.5", "1e2", "1E+2", "100e-2", "-0",
        "-0.0", "0e0", "0.1", "1e400", "-1e400", "1e308", "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308",
        "3.4028235e38", "3.4028236e38", "1.00000017881393432617187499", "1.00000017881393432617187500", "1.00000017881393432617187501",
        "16777217", "16777219.0", "9007199791611905.0", "1e-45", "7e-46", "0.30000000000000004", "123456789012345678901234567890",
        "12345678901234567.25", "8635522971537700640e14",
    ]

    static func number(_ random: inout FuzzRandom) -> String {
        let number = anyNumber(&random)
        return DrivenDifferences.isRounded(number) ? "1.0" : number
    }

    private static func anyNumber(_ random: inout FuzzRandom) -> String {
        switch random.below(8) {
        case 0: return random.pick(edges)
        case 1: return "\(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))"
        case 2:
            let digits = (0..<1 + random.below(20)).map { _ in "\(random.below(10))" }.joined()
            return "\(random.below(10)).\(digits)" + (random.chance(1, in: 2) ? "e\(random.below(80) - 40)" : "")
        default: return "\(random.below(300) - 20)"
        }
    }

    private static let texts = [
        "", "a", "b", "text", "2024-01-02T03:04:05Z", "2001-01-01T00:00:01Z", "1969-12-31T23:59:59Z", "2024-02-29T12:00:00+02:00",
        "2024-01-02", "http://example.com/a?b=c", "/relative", "http://[", "aGVsbG8=", "aGVsbG8", "====",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "true", "1", "12", "é", "e\u{301}", "\u{0}", "\"\\/\n\t", "😀", "fifteen letters",
        "sixteen letters!",
        "seventeen letters", "one text that is longer than what fits into a small string", "red", "green", "\u{2028}", "日本語のテキスト",
    ]

    static func string(_ random: inout FuzzRandom) -> String { random.pick(texts) }
}

// MARK: - Text

extension DrivenTree {
    /// How a text is written.
    struct Style {
        /// Writes only the last member of a repeated name, because that one counts.
        var withoutRepeats = false
        /// Writes names and strings with unnecessary escapes.
        var escapes = false
        var blanks = false
    }

    func text(_ style: Style = Style()) -> String {
        var text = ""
        write(to: &text, style)
        return text
    }

    private func write(to text: inout String, _ style: Style) {
        let comma = style.blanks ? " ,\n " : ","
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): Self.quote(string, to: &text, style)
        case .array(let elements):
            text += style.blanks ? "[ " : "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += comma }
                element.write(to: &text, style)
            }
            text += "]"
        case .object(let members):
            text += style.blanks ? "{\t" : "{"
            var isFirst = true
            for (index, member) in members.enumerated() {
                if style.withoutRepeats, members[(index + 1)...].contains(where: { $0.name == member.name }) { continue }
                if !isFirst { text += comma }
                isFirst = false
                Self.quote(member.name, to: &text, style)
                text += style.blanks ? " : " : ":"
                member.value.write(to: &text, style)
            }
            text += "}"
        }
    }

    static func quote(_ string: String, to text: inout String, _ style: Style) {
        text += "\""
        for (index, scalar) in string.unicodeScalars.enumerated() {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20 || style.escapes && (index + string.utf8.count) % 3 == 0 && scalar.value < 0x10000:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

// MARK: - Smaller ones

extension DrivenTree {
    /// Returns trees with one value less.
    var smaller: [DrivenTree] {
        switch self {
        case .null: return []
        case .bool, .number("0"): return [.null]
        case .number: return [.number("0")]
        case .string(""): return [.null]
        case .string: return [.string("")]
        case .array(let elements):
            var trees: [DrivenTree] = elements.isEmpty ? [.null] : [.array([])]
            for index in elements.indices {
                var fewer = elements
                fewer.remove(at: index)
                trees.append(.array(fewer))
            }
            for (index, element) in elements.enumerated() {
                for smaller in element.smaller {
                    var changed = elements
                    changed[index] = smaller
                    trees.append(.array(changed))
                }
            }
            return trees
        case .object(let members):
            var trees: [DrivenTree] = members.isEmpty ? [.null] : [.object([])]
            if members.count > 8 {
                trees.append(.object(Array(members[..<(members.count / 2)])))
                trees.append(.object(Array(members[(members.count / 2)...])))
            }
            for index in members.indices {
                var fewer = members
                fewer.remove(at: index)
                trees.append(.object(fewer))
            }
            for (index, member) in members.enumerated() {
                for smaller in member.value.smaller {
                    var changed = members
                    changed[index].value = smaller
                    trees.append(.object(changed))
                }
            }
            return trees
        }
    }
}
