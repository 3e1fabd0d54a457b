import Foundation
import JSONMapping

extension JSONAPIEncoder {
    /// How names of coding keys become names of attributes and relationships. The strategies are those of the decoder.
    public typealias KeyStrategy = JSONAPIDecoder.KeyStrategy

    /// How a `Date` is written. The cases are those of `JSONEncoder`, and `layout`.
    public enum DateEncodingStrategy: Sendable {
        /// RFC 3339 in UTC, with enough digits of the second to read the same date again, up to 18. The default.
        case iso8601
        /// The string that the layout produces.
        case layout(DateLayout)
        /// The form in which `Date` encodes itself: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string of any form. `.formatted(_:)` creates the form of a `DateFormatter`.
        case text(DateTextForm)
        /// What the closure writes.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How `Data` is written. The cases are those of `JSONEncoder`.
    public enum DataEncodingStrategy: Sendable {
        /// A string in Base64. The default.
        case base64
        /// The form in which `Data` encodes itself: an array of bytes.
        case deferredToData
        /// What the closure writes.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How infinities and NaN are written. The cases are those of `JSONEncoder`.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// They are errors, because JSON cannot represent them. The default.
        case `throw`
        /// The given strings represent them.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How an attribute that is nil is written. For a single property, use `Field` instead. Relationships have their own states.
    public enum NilEncodingStrategy: Sendable, Hashable {
        /// The attribute is left out. The default.
        case omit
        /// The attribute is `null`.
        case null
    }

    /// What to do when two different values have the same identity.
    public enum ConflictPolicy: Sendable, Hashable {
        /// Encoding throws. The default.
        case `throw`
        /// The first one is written.
        case keepFirst
    }
}
