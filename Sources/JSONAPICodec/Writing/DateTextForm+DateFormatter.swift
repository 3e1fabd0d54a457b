import Foundation

// `DateFormatter` brings a large part of Foundation along. In a file of its own, it is left out of programs that do not use it.

extension DateTextForm {
    /// Creates the form of a formatter. Do not change the formatter afterwards.
    public init(_ formatter: DateFormatter) {
        self.init(read: { formatter.date(from: $0) }, write: { formatter.string(from: $0) })
    }
}

extension JSONAPIDecoder.DateDecodingStrategy {
    /// A text that the formatter reads.
    public static func formatted(_ formatter: DateFormatter) -> Self { .text(DateTextForm(formatter)) }
}

extension JSONAPIEncoder.DateEncodingStrategy {
    /// The text that the formatter makes.
    public static func formatted(_ formatter: DateFormatter) -> Self { .text(DateTextForm(formatter)) }
}
