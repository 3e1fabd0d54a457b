import Foundation
import JSONAPICodec
import JSONText

/// Numbers that are difficult to round.
enum NumberText {
    struct Model: Resource {
        static let type = "n"
        var id: String
        var double: Double
        var float: Float
    }

    static func random(_ random: inout FuzzRandom) -> String {
        let sign = random.chance(1, in: 4) ? "-" : ""
        switch random.below(5) {
        case 0: return sign + halfway(Double(bitPattern: random.next() & 0x7FFF_FFFF_FFFF_FFFF), &random)
        case 1: return sign + halfway(Double(random.below(1 << 53)) * (random.chance(1, in: 2) ? 1 : 0.000001), &random)
        case 2: return sign + halfwayFloat(Float(bitPattern: UInt32(truncatingIfNeeded: random.next()) & 0x7FFF_FFFF), &random)
        default:
            let count = random.chance(1, in: 4) ? 18 + random.below(783) : 1 + random.below(40)
            let digits = String((0..<count).map { _ in Character("\(random.below(10))") })
            let point = random.below(count)
            let mantissa = point == 0 ? "0." + digits : trimmed(digits.prefix(point)) + "." + digits.suffix(count - point)
            return sign + (random.chance(1, in: 4) ? trimmed(digits[...]) : mantissa)
                + (random.chance(1, in: 2) ? "e\(random.below(700) - 350 - (random.chance(1, in: 2) ? point : 0))" : "")
        }
    }

    private static func trimmed(_ digits: Substring) -> String {
        let rest = digits.drop { $0 == "0" }
        return rest.isEmpty ? "0" : String(rest)
    }

    /// A value exactly between two Doubles, or slightly more or less, with all digits.
    private static func halfway(_ value: Double, _ random: inout FuzzRandom) -> String {
        guard value.isFinite, value.nextUp.isFinite else { return "1.5" }
        var text = exact(value.significandBitPattern, value.exponentBitPattern == 0 ? 0 : 1, Int(value.exponentBitPattern), 52, 1075)
        if random.chance(1, in: 2) { text += text.contains(".") ? random.pick(["0", "1", "0000000000000000001"]) : "" }
        return text
    }

    private static func halfwayFloat(_ value: Float, _ random: inout FuzzRandom) -> String {
        guard value.isFinite, value.nextUp.isFinite else { return "1.5" }
        let text = exact(UInt64(value.significandBitPattern), value.exponentBitPattern == 0 ? 0 : 1, Int(value.exponentBitPattern), 23, 150)
        return text.contains(".") && random.chance(1, in: 2) ? text + random.pick(["0", "1", "0000000000000000000000000001"]) : text
    }

    /// The digits of a value plus half a unit in its last place.
    private static func exact(_ fraction: UInt64, _ hidden: UInt64, _ exponent: Int, _ bits: Int, _ bias: Int) -> String {
        let significand = (fraction | hidden << UInt64(bits)) << 1 | 1
        let power = max(exponent, 1) - bias - 1
        // The digits of the significand times a power of two, or of five and ten.
        var digits = String(significand).reversed().map { Int(String($0)) ?? 0 }
        for _ in 0..<abs(power) {
            var carry = 0
            for index in digits.indices {
                carry += digits[index] * (power > 0 ? 2 : 5)
                digits[index] = carry % 10
                carry /= 10
            }
            while carry > 0 {
                digits.append(carry % 10)
                carry /= 10
            }
        }
        if power < 0 { while digits.count <= -power { digits.append(0) } }
        let text = String(digits.reversed().map { Character("\($0)") })
        return power < 0 ? text.dropLast(-power) + "." + text.suffix(-power) : text
    }
}

extension FuzzTarget {
    /// Parsing and writing JSON: a parsed value must be written and parsed equal, with the tree and with the tape.
    static let text = FuzzTarget(name: "text", seeds: { $0.documents }) { input, random in
        let tree: JSON
        do throws(JSONSyntaxError) { tree = try JSON(parsing: input) } catch {
            try require((0...input.count).contains(error.offset), "an error at \(error.offset) of \(input.count) bytes")
            return
        }
        var writer = JSONWriter()
        let compact = try writer.write(tree)
        try require(try JSON(parsing: compact) == tree, "what was written is read differently")
        writer.style = .indented(spaces: random.below(4))
        writer.escapesSlashes = random.chance(1, in: 2)
        try require(try JSON(parsing: writer.write(tree)) == tree, "what was written indented is read differently")
        try input.withUnsafeBufferPointer { bytes in
            let tape = try Tape.borrowing(bytes, options: JSONReadingOptions())
            try withExtendedLifetime(tape) {
                try require(tape.view.json(at: tape.view.root) == tree, "tape and tree differ")
                let output = JSONOutput()
                tape.view.write(tape.view.root, into: output)
                try require(output.bytes == compact, "tape and tree are written differently")
            }
        }
        try require(tree.hashValue == (try JSON(parsing: compact)).hashValue, "equal values have different hashes")
    }

    /// Compares accepted texts, numbers, and strings with Foundation.
    ///
    /// Known differences: Foundation accepts trailing commas, other encodings, and a null byte after the text, and rejects numbers outside
    /// of a Double's range. It counts depth as this library does.
    static let foundation = FuzzTarget(name: "foundation", seeds: { $0.documents }) { input, random in
        let ours: JSON?
        var kind: JSONSyntaxError.Kind?
        do throws(JSONSyntaxError) { ours = try JSON(parsing: input) } catch {
            ours = nil
            kind = error.kind
        }
        let theirs = try? JSONSerialization.jsonObject(with: Data(input), options: [.fragmentsAllowed])
        if ours != nil, theirs == nil {
            try require(hasKnownRefusal(input), "only Foundation refuses it")
        } else if ours == nil, theirs != nil {
            try require(hasKnownAcceptance(input, kind), "only Foundation takes it: \(kind.map(\.description) ?? "")")
        }
        if let ours, let theirs, !hasKnownAcceptance(input, nil), unambiguousTree(input) != nil { try compare(ours, theirs) }
        if random.chance(1, in: 4) { try compareNumber(NumberText.random(&random)) }
    }

    /// Compares strings by bytes, numbers as integers and as Doubles, and names and elements by number and order.
    private static func compare(_ ours: JSON, _ theirs: Any) throws {
        switch ours {
        case .null: try require(theirs is NSNull, "null instead of \(theirs)")
        case .bool(let value): try require((theirs as? NSNumber)?.boolValue == value && isBool(theirs), "\(value) instead of \(theirs)")
        case .string(let value):
            try require((theirs as? String).map { Array($0.utf8) } == Array(value.utf8), "\(value.debugDescription) instead of \(theirs)")
        case .array(let values):
            guard let others = theirs as? [Any], others.count == values.count else { throw FuzzFinding("\(ours) instead of \(theirs)") }
            for (value, other) in zip(values, others) { try compare(value, other) }
        case .object(let members):
            guard let others = theirs as? [String: Any] else { throw FuzzFinding("\(ours) instead of \(theirs)") }
            // A dictionary keeps one of two canonically equal names.
            guard others.count == members.count else {
                return try require(Set(members.map(\.name)).count < members.count, "\(ours) instead of \(theirs)")
            }
            for member in members {
                // JSONSerialization removes a byte-order mark from the beginning of a name.
                let bare = member.name.unicodeScalars.first == "\u{FEFF}" ? String(member.name.unicodeScalars.dropFirst()) : nil
                guard let other = others[member.name] ?? bare.flatMap({ others[$0] }) else {
                    throw FuzzFinding("no member \(member.name)")
                }
                try compare(member.value, other)
            }
        case .number(let number):
            guard let other = theirs as? NSNumber, !isBool(theirs) else { throw FuzzFinding("\(ours) instead of \(theirs)") }
            let text = "\(number)"
            if let value = Int64(text) { try require(try number.integer(as: Int64.self) == value, "\(number) is not \(value)") }
            if let value = UInt64(text) { try require(try number.integer(as: UInt64.self) == value, "\(number) is not \(value)") }
            try require((try? number.integer(as: Int64.self)).map { $0 == other.int64Value } ?? true, "\(number) instead of \(other)")
            try compareNumber(text)
        }
    }

    private static func isBool(_ value: Any) -> Bool {
        (value as? NSNumber).map { ["c", "B"].contains(String(cString: $0.objCType)) } ?? false
    }

    /// The nearest Double and Float, according to the C library.
    private static func compareNumber(_ text: String) throws {
        let tree = try JSON(parsing: text)
        guard case .number(let number) = tree else { throw FuzzFinding("no number: \(text)") }
        let expected = strtod(text, nil)
        let isTooSmall = expected == 0 && text.prefix { $0 != "e" && $0 != "E" }.contains { ("1"..."9").contains($0) }
        guard expected.isFinite, !isTooSmall else {
            return try require((try? number.double()) == nil, "\(text) is out of range, and a Double")
        }
        let value = try number.double()
        try require(value.bitPattern == expected.bitPattern, "\(value) instead of \(expected) of \(text)")
        let model = Data("{\"data\":{\"type\":\"n\",\"id\":\"1\",\"attributes\":{\"double\":\(text),\"float\":\(text)}}}".utf8)
        let float = strtof(text, nil)
        guard float.isFinite, float != 0 || expected == 0 else { return }
        let read = try JSONAPIDecoder().decode(NumberText.Model.self, from: model)
        try require(read.double.bitPattern == expected.bitPattern, "\(read.double) instead of \(expected) of \(text)")
        try require(read.float.bitPattern == float.bitPattern, "\(read.float) instead of the Float \(float) of \(text)")
    }

    private static func hasKnownRefusal(_ input: [UInt8]) -> Bool {
        // Foundation's numbers are Doubles, Decimals, or 64-bit integers. JSON has no such limit.
        FuzzMutator.values(in: input).contains { span in
            guard let first = input[span].first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return false }
            let value = Double(String(decoding: input[span], as: UTF8.self)) ?? .infinity
            return !value.isFinite || span.count > 15 || value == 0 || abs(value) < 1e-100 || abs(value) > 1e100
        }
    }

    private static func hasKnownAcceptance(_ input: [UInt8], _ kind: JSONSyntaxError.Kind?) -> Bool {
        if kind == .unsupportedEncoding || input.starts(with: [0xEF, 0xBB, 0xBF]) || input.contains(0) { return true }
        // A comma and then, after white space, a closing bracket.
        var previous: UInt8 = 0
        for byte in input where byte > 0x20 {
            if previous == UInt8(ascii: ","), byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { return true }
            previous = byte
        }
        return false
    }
}
