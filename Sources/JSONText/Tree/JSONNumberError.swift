/// Why a number has no value of the kind asked for. Errors of one kind are equal.
public struct JSONNumberError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `outOfRange`.
        public let description: String

        /// The value does not fit the type, or would become zero or infinite.
        public static let outOfRange = Kind(description: "outOfRange")
        /// An integer was asked for and the value has a fraction.
        public static let notWhole = Kind(description: "notWhole")
        /// Digits would be lost.
        public static let precisionLoss = Kind(description: "precisionLoss")
        /// JSON has no text for the value: infinity or NaN.
        public static let notRepresentable = Kind(description: "notRepresentable")
    }

    /// What went wrong.
    public let kind: Kind

    /// The number's text; of more than 40 bytes the first 32, then `…`.
    public let text: String

    package init(_ kind: Kind, text: String) {
        self.kind = kind
        if text.utf8.count > 40 {
            self.text = String(decoding: text.utf8.prefix(32), as: UTF8.self) + "…"
        } else {
            self.text = text
        }
    }

    /// Whether both are of one kind.
    public static func == (lhs: JSONNumberError, rhs: JSONNumberError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Feeds the kind to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence for people; it names the number.
    public var description: String {
        switch kind {
        case .outOfRange: "The number \(text) does not fit the type asked for."
        case .notWhole: "The number \(text) is not whole."
        case .precisionLoss: "The number \(text) has digits that a Double cannot hold."
        case .notRepresentable: "JSON cannot write the number \(text)."
        default: "The number \(text) failed: \(kind)."
        }
    }
}
