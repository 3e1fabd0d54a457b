/// Writes nodes as JSON text.
struct NodeWriter {
    private(set) var bytes: [UInt8] = []
    /// Spaces for each level; nil writes one line.
    var indentation: Int?
    /// Whether non-ASCII characters are written as `\uXXXX`.
    var escapesForeign = false

    mutating func write(_ node: Node, level: Int = 0) {
        switch node {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .int(let value): raw("\(value)")
        case .double(let value): raw("\(value)")
        case .string(let value): string(value)
        case .array(let elements):
            list("[", "]", elements.count, level) { writer, i in writer.write(elements[i], level: level + 1) }
        case .object(let members):
            list("{", "}", members.count, level) { writer, i in
                writer.string(members[i].name)
                writer.raw(writer.indentation == nil ? ":" : ": ")
                writer.write(members[i].value, level: level + 1)
            }
        }
    }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func list(_ open: String, _ close: String, _ count: Int, _ level: Int, _ element: (inout NodeWriter, Int) -> Void) {
        raw(open)
        for i in 0..<count {
            if i > 0 { raw(",") }
            breakLine(level + 1)
            element(&self, i)
        }
        if count > 0 { breakLine(level) }
        raw(close)
    }

    private mutating func breakLine(_ level: Int) {
        guard let indentation else { return }
        raw("\n" + String(repeating: " ", count: level * indentation))
    }

    mutating func string(_ text: String) {
        raw("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": raw("\\\"")
            case "\\": raw("\\\\")
            case "\n": raw("\\n")
            case "\t": raw("\\t")
            case _ where !scalar.isASCII && escapesForeign:
                for unit in String(scalar).utf16 { escape(unit) }
            default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
        raw("\"")
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
}
