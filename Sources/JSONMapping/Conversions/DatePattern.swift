/// A fixed layout of a date, read once from its text.
struct DatePattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case year, month, day, hour, minute, second
        case fraction(Int)
        /// `X` as often as written, or `Z`, which is 0 here.
        case zone(Int)
        case literal(String)
    }

    let text: String

    /// Nil when the pattern has letters without a meaning.
    private let parts: [Part]?

    init(_ text: String) {
        self.text = text
        parts = Self.parts(of: text)
    }

    private static func parts(of text: String) -> [Part]? {
        var parts: [Part] = []
        var rest = Array(text)[...]
        while let first = rest.first {
            if first == "'" {
                guard let literal = quoted(&rest) else { return nil }
                parts.append(.literal(literal))
                continue
            }
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(run.count)
            guard first.isASCII, first.isLetter else {
                parts.append(.literal(String(run)))
                continue
            }
            guard let part = part(first, run.count) else { return nil }
            parts.append(part)
        }
        return parts
    }

    /// The text between two `'`; `''` means one.
    private static func quoted(_ rest: inout ArraySlice<Character>) -> String? {
        rest = rest.dropFirst()
        var literal = ""
        while let next = rest.popFirst() {
            guard next == "'" else {
                literal.append(next)
                continue
            }
            guard rest.first == "'" else { return literal.isEmpty ? "'" : literal }
            guard !literal.isEmpty else { return "'" }
            literal.append("'")
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func part(_ letter: Character, _ count: Int) -> Part? {
        switch (letter, count) {
        case ("y", 4): .year
        case ("M", 2): .month
        case ("d", 2): .day
        case ("H", 2): .hour
        case ("m", 2): .minute
        case ("s", 2): .second
        case ("S", 1...9): .fraction(count)
        case ("X", 1...3): .zone(count)
        case ("Z", 1): .zone(0)
        default: nil
        }
    }

    func read(_ text: Span<UInt8>) -> DateFields? {
        guard let parts else { return nil }
        var scanner = DateScanner()
        var fields = DateFields()
        for part in parts {
            guard read(part, text, &scanner, &fields) else { return nil }
        }
        return scanner.isAtEnd(text) ? fields : nil
    }

    private func read(_ part: Part, _ text: Span<UInt8>, _ scanner: inout DateScanner, _ fields: inout DateFields) -> Bool {
        func set(_ field: WritableKeyPath<DateFields, Int>, _ value: Int?) -> Bool {
            guard let value else { return false }
            fields[keyPath: field] = value
            return true
        }
        switch part {
        case .year: return set(\.year, scanner.digits(4, text))
        case .month: return set(\.month, scanner.digits(2, text))
        case .day: return set(\.day, scanner.digits(2, text))
        case .hour: return set(\.hour, scanner.digits(2, text))
        case .minute: return set(\.minute, scanner.digits(2, text))
        case .second: return set(\.second, scanner.digits(2, text))
        case .fraction(let count):
            guard let fraction = scanner.fraction(text, count: count) else { return false }
            fields.fraction = fraction
            return true
        case .zone: return set(\.offset, scanner.zone(text))
        case .literal(let literal): return literal.utf8.allSatisfy { scanner.take(text, $0) }
        }
    }

    func text(_ fields: DateFields) -> String? {
        parts?.reduce(into: "") { $0 += text($1, fields) }
    }

    private func text(_ part: Part, _ fields: DateFields) -> String {
        switch part {
        case .year: DateFields.digits(fields.year, 4)
        case .month: DateFields.digits(fields.month, 2)
        case .day: DateFields.digits(fields.day, 2)
        case .hour: DateFields.digits(fields.hour, 2)
        case .minute: DateFields.digits(fields.minute, 2)
        case .second: DateFields.digits(fields.second, 2)
        case .fraction(let count): fields.fractionText(digits: count)
        case .zone(let count): count == 0 ? "+0000" : "Z"
        case .literal(let literal): literal
        }
    }
}
