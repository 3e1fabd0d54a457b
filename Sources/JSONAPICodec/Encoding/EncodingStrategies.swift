import Foundation

extension JSONAPIEncoder {
    /// How names of coding keys become names of attributes and relationships: the decoder's strategies.
    public typealias KeyStrategy = JSONAPIDecoder.KeyStrategy

    /// How a `Date` is written, as `JSONEncoder` offers it.
    public enum DateEncodingStrategy: Sendable {
        /// RFC 3339 in UTC, with as many digits of the second as it takes to read the same date again. The default.
        case iso8601
        /// As `Date` encodes itself: seconds since 2001.
        case deferredToDate
        case secondsSince1970
        case millisecondsSince1970
        case formatted(DateFormatter)
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is written, as `JSONEncoder` offers it.
    public enum DataEncodingStrategy: Sendable {
        case base64
        case deferredToData
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How infinities and NaN are written, as `JSONEncoder` offers it.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        case `throw`
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
