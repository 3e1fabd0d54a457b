import JSONText

/// The arguments of a process as text, and the bytes of those that are not UTF-8.
///
/// A file name is a sequence of bytes, which may be no UTF-8. Such a name has a text that stands for it: each byte that is not part
/// of a character becomes `\xe9`, and each backslash is doubled, so that no two names share a text.
struct FileNames: Sendable {
    /// The arguments as text.
    let arguments: [String]
    private var bytes: [ByteText: [UInt8]] = [:]

    /// Arguments that are text already.
    init(_ arguments: [String] = []) { self.arguments = arguments }

    /// Reads the bytes of arguments. Throws `UsageError` if one argument is the text that stands for another.
    init(_ arguments: [[UInt8]]) throws {
        var texts: [String] = []
        var whole: Set<ByteText> = []
        for argument in arguments {
            let text = String(decoding: argument, as: UTF8.self)
            guard !text.utf8.elementsEqual(argument) else {
                texts.append(text)
                whole.insert(ByteText(text))
                continue
            }
            texts.append(Self.text(for: argument))
            let name = Self.operandOrValue(argument)
            bytes[ByteText(Self.text(for: name))] = name
        }
        if let double = bytes.keys.first(where: whole.contains) {
            throw UsageError("the argument `\(double.text)` also represents a name that is not UTF-8; rename one of the two files")
        }
        self.arguments = texts
    }

    /// The bytes of a file name that is not UTF-8; nil for every other text.
    subscript(text: String) -> [UInt8]? { bytes[ByteText(text)] }

    /// The value of `--name=value`, or the whole argument.
    private static func operandOrValue(_ argument: [UInt8]) -> [UInt8] {
        guard argument.starts(with: "--".utf8), let equals = argument.firstIndex(of: UInt8(ascii: "=")) else { return argument }
        return Array(argument[(equals + 1)...])
    }

    private static func text(for name: [UInt8]) -> String {
        var (text, position) = ("", 0)
        var parser = Unicode.UTF8.ForwardParser()
        var rest = name.makeIterator()
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                text += scalar == "\\" ? "\\\\" : String(scalar)
                position += encoded.count
            case .error(let length):
                for byte in name[position..<min(position + length, name.count)] { text += "\\x" + String(byte, radix: 16) }
                position += length
            case .emptyInput: return text
            }
        }
    }
}
