import Foundation
import JSONText

extension FuzzTarget {
    /// Reading and writing JSON: what was read is written and read equal, by the tree and by the tape.
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

    /// Which texts are JSON, and which numbers and strings they hold, as Foundation has it.
    ///
    /// Known differences: Foundation takes trailing commas, other encodings, a null byte behind the text, and refuses numbers
    /// beyond a Double's range; it counts depth as this library does.
    static let foundation = FuzzTarget(name: "foundation", seeds: { $0.documents }) { input, _ in
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
    }

    private static func hasKnownRefusal(_ input: [UInt8]) -> Bool {
        // Numbers of Foundation's are Doubles, Decimals or integers of 64 bits; JSON knows no such limit.
        FuzzMutator.values(in: input).contains { span in
            guard let first = input[span].first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return false }
            let value = Double(String(decoding: input[span], as: UTF8.self)) ?? .infinity
            return !value.isFinite || span.count > 15 || value == 0 || abs(value) < 1e-100 || abs(value) > 1e100
        }
    }

    private static func hasKnownAcceptance(_ input: [UInt8], _ kind: JSONSyntaxError.Kind?) -> Bool {
        if kind == .unsupportedEncoding || input.starts(with: [0xEF, 0xBB, 0xBF]) || input.contains(0) { return true }
        // A comma and then, behind blanks, a closing bracket.
        var previous: UInt8 = 0
        for byte in input where byte > 0x20 {
            if previous == UInt8(ascii: ","), byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { return true }
            previous = byte
        }
        return false
    }
}
