import Foundation
import JSONMapping

extension JSONAPIEncoder {
    /// How names of coding keys become names of attributes and relationships: the decoder's strategies.
    public typealias KeyStrategy = JSONAPIDecoder.KeyStrategy

    /// How a `Date` is written, as `JSONEncoder` offers it.
    public enum DateEncodingStrategy: Sendable {
        /// RFC 3339 in UTC, with as many digits of the second as it takes to read the same date again. The default.
        case iso8601
        /// The text that the layout writes.
        case layout(DateLayout)
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A text of any form. `.formatted(_:)` makes the form of a `DateFormatter`.
        case text(DateTextForm)
        /// Whatever the closure writes.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is written, as `JSONEncoder` offers it.
    public enum DataEncodingStrategy: Sendable {
        /// A text in Base64. The default.
        case base64
        /// As `Data` encodes itself: an array of bytes.
        case deferredToData
        /// Whatever the closure writes.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How infinities and NaN are written, as `JSONEncoder` offers it.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// They are errors: JSON has no text for them. The default.
        case `throw`
        /// These texts stand for them.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// What an attribute that is nil becomes. `Field` says for one property what it is to be; relationships have states of
    /// their own.
    public enum NilEncodingStrategy: Sendable, Hashable {
        /// Nothing. The default.
        case omit
        /// `null`.
        case null
    }

    /// What happens when one identity is reached by two values that differ.
    public enum ConflictPolicy: Sendable, Hashable {
        /// An error. The default.
        case `throw`
        /// The first one is written.
        case keepFirst
    }
}
