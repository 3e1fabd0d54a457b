// The errors of texts that are not JSON or exceed a limit.

extension TapeParser {
    @inline(never)
    func tooDeep() -> JSONSyntaxError {
        failure(.depthLimit, at: position, "nesting goes deeper than \(options.maximumDepth) levels")
    }

    @inline(never)
    func failure(_ kind: JSONSyntaxError.Kind, at offset: Int, _ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(kind, offset: offset, reason: reason, pointer: openPointer())
    }

    /// Returns the failure for the byte at the position, or for the end of the text, if it is not allowed there.
    @inline(never)
    func unexpected(_ expected: StaticString, _ scan: TapeScan) -> JSONSyntaxError {
        settle(scan)
        return unexpected(expected)
    }

    /// Returns whether the bracket at the position follows a comma, as in `[1,]`.
    private var closesBehindComma: Bool {
        guard text.contains(position), text[position] == UInt8(ascii: "]") || text[position] == UInt8(ascii: "}") else { return false }
        var before = position - 1
        while before > 0, text[before] <= 0x20 { before -= 1 }
        return before > 0 && text[before] == UInt8(ascii: ",")
    }

    @inline(never)
    func unexpectedAfterElement(_ scan: TapeScan) -> JSONSyntaxError {
        unexpected(scan.isObject ? "\",\" or \"}\"" : "\",\" or \"]\"", scan)
    }

    @inline(never)
    func unexpected(_ expected: StaticString, kind: JSONSyntaxError.Kind = .unexpectedByte) -> JSONSyntaxError {
        guard text.contains(position) else {
            return failure(.unexpectedEnd, at: text.count, "the text ends where \(expected) is expected")
        }
        let byte = text[position]
        if byte >= 0x80, UTF8Sequence.length(at: position, in: text) == nil {
            return failure(.invalidUTF8, at: position, "bytes that are not UTF-8")
        }
        let found = byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
        if kind == .trailingContent { return failure(kind, at: position, "unexpected \(found): \(expected)") }
        if closesBehindComma { return failure(kind, at: position, "unexpected \(found): the comma before it is one too many") }
        return failure(kind, at: position, "unexpected \(found): expected \(expected)")
    }

    /// Returns the path of the innermost open container.
    private func openPointer() -> JSONPointer {
        var chain: [Int] = []
        var index = container
        while index != Self.none {
            chain.append(index)
            index = Int(truncatingIfNeeded: words[index + 1] >> 32)
        }
        var tokens: [String] = []
        for (child, parent) in zip(chain, chain.dropFirst()).reversed() {
            if words[parent] >> 60 == UInt64(TapeView.Kind.array.rawValue) {
                tokens.append(String(words[parent + 1] & 0xFFFF_FFFF))
            } else {
                tokens.append(name(before: child, in: parent))
            }
        }
        return JSONPointer(tokens: tokens)
    }

    /// Returns the name of the member of the open object `parent` whose value is the open container `child`.
    private func name(before child: Int, in parent: Int) -> String {
        let written = words.view(top, of: text)
        var position = parent + 2
        while position < child {
            let value = written.next(after: position)
            if value == child { return written.string(at: position) }
            position = written.next(after: value)
        }
        return ""
    }
}
