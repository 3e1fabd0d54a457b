import Foundation

/// A form of dates as text: how a text is read, and how a date is written.
///
/// ```swift
/// let days = DateTextForm(read: { Int($0).map { Date(timeIntervalSince1970: Double($0) * 86400) } },
///                         write: { String(Int($0.timeIntervalSince1970 / 86400)) })
/// decoder.dateDecodingStrategy = .text(days)
/// encoder.dateEncodingStrategy = .text(days)
/// ```
///
/// `.formatted(_:)` makes one of a `DateFormatter`. For the common forms `DateLayout` is faster.
public struct DateTextForm: Sendable {
    /// Returns the date of a text; nil if the text has another form.
    public let read: @Sendable (String) -> Date?
    /// Returns the text of a date.
    public let write: @Sendable (Date) -> String

    /// Creates a form from two functions. Each should reverse the other.
    public init(read: @escaping @Sendable (String) -> Date?, write: @escaping @Sendable (Date) -> String) {
        self.read = read
        self.write = write
    }
}
