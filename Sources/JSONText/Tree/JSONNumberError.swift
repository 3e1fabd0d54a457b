/// An error of a number conversion. Two errors of the same kind are equal.
public struct JSONNumberError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `outOfRange`.
        public let description: String

        /// The value is outside the range of the type, or would be rounded to zero or infinity.
        public static let outOfRange = Kind(description: "outOfRange")
        /// The value has a fraction and cannot be converted to an integer.
        public static let notWhole = Kind(description: "notWhole")
        /// The conversion would lose digits.
        public static let precisionLoss = Kind(description: "precisionLoss")
        /// The value is infinity or NaN, which JSON cannot represent.
        public static let notRepresentable = Kind(description: "notRepresentable")
    }

    /// The kind of the error.
    public let kind: Kind

    /// The text of the number. Text of more than 40 bytes is shortened to the first 32 and `…`.
    public let text: String

    package init(_ kind: Kind, text: String) {
        self.kind = kind
        if text.utf8.count > 40 {
            self.text = String(decoding: text.utf8.prefix(32), as: UTF8.self) + "…"
        } else {
            self.text = text
        }
    }

    /// Returns whether both errors have the same kind.
    public static func == (lhs: JSONNumberError, rhs: JSONNumberError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence that describes the error and contains the number.
    public var description: String {
        switch kind {
        case .outOfRange: "The number \(text) is outside the range of the type."
        case .notWhole: "The number \(text) is not a whole number."
        case .precisionLoss: "The number \(text) has more digits than a Double can represent."
        case .notRepresentable: "JSON cannot represent the number \(text)."
        default: "The number \(text) cannot be converted: \(kind)."
        }
    }
}
