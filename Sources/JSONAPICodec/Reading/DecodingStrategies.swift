import Foundation
import JSONMapping
import JSONText

extension JSONAPIDecoder {
    /// How strictly a document is read.
    public enum Mode: Sendable, Hashable {
        /// The decoder enforces every MUST of the specification that this module can check. Use it for servers, for tests and to check
        /// your own output. Members and links that the specification does not define are errors. So are included resources that nothing
        /// links to (see `fields`), duplicate names and unknown types.
        case strict
        /// The default. The decoder ignores but keeps what the specification tells clients to ignore, and reads error objects as far as
        /// possible. Other faults are errors. Reads every document that strict mode reads.
        case standard
        /// The decoder uses all leniencies but `textNumbers` and `emptyArrayValues`. Reads every document that standard mode reads, unless
        /// there are whole resources in place of identifiers that a model cannot read.
        case lenient
    }

    /// The side that sent the document. It decides whether a resource may have no id.
    public enum Source: Sendable, Hashable {
        /// A server's response, the default: every resource has an id.
        case response
        /// A client's request: primary resources may have no id, or a `lid`.
        case request
    }

    /// What to do with references to resources that the document does not contain.
    public enum MissingPolicy: Sendable, Hashable {
        /// The default. `ToOne` and `ToMany` keep the identifier. An embedded optional is nil, and so is an embedded optional array when
        /// the document contains none of its resources. Everything else is an error: an embedded non-optional value, and an array of
        /// which only some resources are missing, because a later patch would delete those. In lenient mode an embedded array leaves
        /// them out, as with `omit`. Diagnostics report each case.
        case keep
        /// Missing resources are left out. Embedded arrays omit the element, and are empty when the relationship is not loaded. An optional
        /// array is still nil when the document contains none of its resources. `ToOne` and `ToMany` drop the identifier; `ToMany` writes
        /// it back. Diagnostics report each case. An embedded array does not remember the resources, and a patch of it without a base would
        /// delete them: use this for arrays that are displayed and not written back.
        case omit
        /// A missing resource is an error, for any property.
        case `throw`
    }

    /// What to do with resources whose type the model does not name.
    public enum UnknownTypePolicy: Sendable, Hashable {
        /// The default. A union keeps them raw, `ToOne` and `ToMany` keep the identifier, an embedded optional is nil, and an embedded
        /// array leaves them out. Diagnostics count them. A new type on the server breaks no old app. An array that is edited and written
        /// back needs `ToMany` or a `ResourceUnion`, which keep them.
        ///
        /// An embedded value that is not optional, such as `Person`, throws `unexpectedType` in every mode. An embedded array leaves out
        /// only included resources. For those that the document does not contain, see `missingResources`.
        case keep
        /// A resource of an unknown type is an error.
        case `throw`
    }

    /// What to do with an element of an array that cannot be read.
    public enum InvalidElementPolicy: Sendable, Hashable {
        /// The default: decoding throws the error.
        case `throw`
        /// The element is left out and reported, and the rest is read. This applies to elements of embedded arrays as well, including
        /// missing ones. `ToOne` and `ToMany` keep the identifier of a resource that cannot be read, without a value. A null, or another
        /// value that is no object, is left out of `data`, of `included` and of linkage. A `ToMany` or a `RelationshipObject` is then like
        /// one page of the relationship, so that a patch does not delete the rest. It has the member `@page`, so that this is still known
        /// after it was written and read again. In an array of identifiers, which could not say so, an object that is no identifier is an
        /// error.
        case drop
    }

    /// How many problems of a document an error contains.
    public enum ProblemPolicy: Sendable, Hashable {
        /// The default: the first problem, which ends decoding.
        case first
        /// All problems that can be found, in `DecodingError.failures`. For each element of the primary data these are the attributes and
        /// relationships that cannot be read, also those of embedded resources and of resources that references refer to. Inside an
        /// attribute it is the first problem. At most 1,000 are kept, and no more than `maximumDiagnosticBytes` allows; the others are
        /// counted.
        ///
        /// This costs nothing unless something fails. Then each problem costs reading its element again: the model's `init(from:)` runs
        /// with placeholders for the values that cannot be read, and the result is discarded. An initializer must not trap on placeholders.
        /// The search ends at a type for which there is no placeholder, such as an enum that is not `CaseIterable`.
        case all
    }

    /// How names of coding keys become names of attributes and relationships. Names inside attribute values never change, and neither do
    /// keys with a dot. The strategies are those of the module JSONMapping.
    public typealias KeyStrategy = JSONMapping.KeyStrategy

    /// How a `Date` is read. The cases are those of `JSONDecoder`, and `layout`.
    public enum DateDecodingStrategy: Sendable {
        /// RFC 3339, the profile of ISO 8601 with a time zone, with or without fractions of a second. The default.
        ///
        /// Also reads the other time zones that `JSONDecoder` reads (`+0100`, `+01`, `UTC`), and `24:00:00`. A date that does not exist is
        /// an error, while `JSONDecoder` continues past the end of the month.
        case iso8601
        /// A string in the given layout. `.layout(.iso8601)` also reads incomplete forms that servers write: only a day, or a time without
        /// seconds or time zone, which is then UTC. `.layout("dd.MM.yyyy")` reads a pattern.
        case layout(DateLayout)
        /// The form in which `Date` decodes itself: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A string of any form. `.formatted(_:)` creates the form of a `DateFormatter`.
        case text(DateTextForm)
        /// The result of the closure.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// How `Data` is read. The cases are those of `JSONDecoder`.
    public enum DataDecodingStrategy: Sendable {
        /// A string in Base64. The default.
        case base64
        /// The form in which `Data` decodes itself: an array of bytes.
        case deferredToData
        /// The result of the closure.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// How infinities and NaN are read. The cases are those of `JSONDecoder`.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are errors, because JSON cannot represent them. The default.
        case `throw`
        /// The given strings represent them.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
