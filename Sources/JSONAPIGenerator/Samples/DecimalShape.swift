import JSONText

/// Whether the strings of one place are decimal numbers, such as `19.90`.
///
/// All strings must be numbers without an exponent, a plus sign, and leading zeros, and one must have a fraction. In addition, the name of
/// the member must be that of a measure, such as `price`; or there must be three different numbers that all have the same number of
/// fraction digits, at least two, and a name without words such as `version` or `code`. Other text that looks like a number can be a
/// version, a number of a chapter, or a phone number.
struct DecimalShape {
    private(set) var areNumbers = true
    private var hasFraction = false
    /// The number of fraction digits; nil if it differs.
    private var fractionDigits: Int?
    private var isEmpty = true
    /// A few of the numbers.
    private var numbers: Set<String> = []

    private static let enoughNumbers = 3

    /// Adds one string.
    mutating func add(_ text: String) {
        guard areNumbers else { return }
        guard let digits = DecimalShape.fractionDigits(of: text) else {
            areNumbers = false
            return
        }
        hasFraction = hasFraction || digits > 0
        fractionDigits = isEmpty || fractionDigits == digits ? digits : nil
        isEmpty = false
        if numbers.count < DecimalShape.enoughNumbers { numbers.insert(text) }
    }

    /// Adds all strings of another place.
    mutating func merge(_ other: DecimalShape) {
        areNumbers = areNumbers && other.areNumbers
        hasFraction = hasFraction || other.hasFraction
        fractionDigits = isEmpty ? other.fractionDigits : other.isEmpty || fractionDigits == other.fractionDigits ? fractionDigits : nil
        isEmpty = isEmpty && other.isEmpty
        numbers.formUnion(other.numbers)
    }

    /// Whether all strings are numbers, and one has a fraction.
    var looksDecimal: Bool { areNumbers && hasFraction }

    /// Whether the strings of a member with the given name are decimal numbers.
    func areDecimals(named name: String) -> Bool {
        guard looksDecimal, !MeasureName.isLabel(name) else { return false }
        if MeasureName.isMeasure(name) || MeasureName.isAmount(name) { return true }
        return numbers.count >= DecimalShape.enoughNumbers && (fractionDigits ?? 0) >= 2
    }

    /// The number of fraction digits of `-12.50`; nil for other text.
    private static func fractionDigits(of text: String) -> Int? {
        let bytes = text.utf8
        // A longer number does not fit a decimal in every case.
        guard bytes.count <= 30, bytes.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }),
            JSONNumber(text: text) != nil
        else { return nil }
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else { return 0 }
        return bytes.distance(from: point, to: bytes.endIndex) - 1
    }
}
