import Foundation
import JSONMapping

extension JSONAPIDecoder {
    /// How strictly a document is read.
    public enum Mode: Sendable, Hashable {
        /// Every MUST of the specification that this module can see is enforced, for servers, tests and the builder's own
        /// output. Members and links that the specification does not define are errors, and included resources that nothing links to
        /// (see `fields`). Duplicate names and unknown types are errors too.
        case strict
        /// The default. What the specification tells clients to ignore is ignored but kept, and error objects are read as far as they
        /// can be; other faults are errors. Reads every document that strict mode reads.
        case standard
        /// All `Leniencies`. Reads every document that standard mode reads.
        case lenient
    }

    /// Which side reads: it decides whether a resource may come without an id.
    public enum Source: Sendable, Hashable {
        /// A server's response, the default: every resource has an id.
        case response
        /// A client's request: primary resources may have no id, or a `lid`.
        case request
    }

    /// What happens to references whose resource is not in the document.
    public enum MissingPolicy: Sendable, Hashable {
        /// The default. `ToOne` and `ToMany` keep the identifier. An embedded optional is nil, and so is an embedded optional array
        /// of which no resource is in the document. Everything else is an error: an embedded non-optional, an array of which some
        /// resources are missing, which a later patch would delete. In lenient mode an embedded array goes without them, as with
        /// `omit`. Diagnostics tell.
        case keep
        /// What is missing is left out: embedded arrays go without the element, and are empty where the relationship is not loaded;
        /// `ToOne` and `ToMany` drop the identifier. Diagnostics tell. For values that are shown and not written back.
        case omit
        /// An error, for any property.
        case `throw`
    }

    /// What happens to resources of a type that the model does not name.
    public enum UnknownTypePolicy: Sendable, Hashable {
        /// The default. A union keeps them raw, `ToOne` and `ToMany` keep the identifier, an embedded optional is nil, an
        /// embedded array goes without; diagnostics count them. A new type on the server breaks no old app. An array that is edited
        /// and written back needs a `ResourceUnion`, which keeps them.
        case keep
        /// An error.
        case `throw`
    }

    /// What happens to an element of an array that cannot be read.
    public enum InvalidElementPolicy: Sendable, Hashable {
        /// The default: the error is passed on.
        case `throw`
        /// The element is left out and reported; the rest is read. That goes for elements of embedded arrays as well, those that are
        /// missing included. `ToOne` and `ToMany` keep the identifier of a resource that
        /// cannot be read, without a value.
        case drop
    }

    /// How many of the problems of a document an error names.
    public enum ProblemPolicy: Sendable, Hashable {
        /// The default: the first. Decoding ends with it.
        case first
        /// All that can be found, in `DecodingError.failures`: of each element of the primary data the attributes and relationships that
        /// cannot be read, those of embedded resources and of what references lead to included; inside an attribute the first. At most
        /// 1,000, and no more than `maximumDiagnosticBytes` allow; the others are counted.
        ///
        /// Costs nothing unless something fails. Then each problem costs reading its element again: the model's `init(from:)` runs with
        /// placeholders for what cannot be read, and its value is thrown away. An initializer must not trap for them. The search ends at a
        /// type that no placeholder can be made up for, such as an enum that is not `CaseIterable`.
        case all
    }

    /// How names of coding keys become names of attributes and relationships. Names inside attribute values are never
    /// touched, nor is a key with a dot in it. The strategies are those of `JSONMapping`.
    public typealias KeyStrategy = JSONMapping.KeyStrategy

    /// How a `Date` is read, as `JSONDecoder` offers it.
    public enum DateDecodingStrategy: Sendable {
        /// RFC 3339, the profile of ISO 8601 with zone, with or without fractions of a second. The default.
        ///
        /// Also reads the other zones that `JSONDecoder` reads (`+0100`, `+01`, `UTC`), and `24:00:00`. A date that does not exist is
        /// an error, where `JSONDecoder` counts on past the end of the month.
        case iso8601
        /// A text of that layout. `.layout(.iso8601)` reads what servers write that leave something out: a day alone, a time without seconds
        /// or zone, which is then UTC. `.layout("dd.MM.yyyy")` reads a pattern.
        case layout(DateLayout)
        /// As `Date` decodes itself: seconds since 2001.
        case deferredToDate
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// A text of any form. `.formatted(_:)` makes the form of a `DateFormatter`.
        case text(DateTextForm)
        /// Whatever the closure makes of the value.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// How `Data` is read, as `JSONDecoder` offers it.
    public enum DataDecodingStrategy: Sendable {
        /// A text in Base64. The default.
        case base64
        /// As `Data` decodes itself: an array of bytes.
        case deferredToData
        /// Whatever the closure makes of the value.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// How infinities and NaN are read, as `JSONDecoder` offers it.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are errors: JSON has no text for them. The default.
        case `throw`
        /// These texts stand for them.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension KeyStrategy {
    /// The coding key's name that `memberName` would make into this one, as far as that can be told: `published-at` is that of
    /// `publishedAt`. Nil where nothing is known.
    func keyName(_ memberName: String) -> String? {
        switch self {
        case .useDefaultKeys: memberName
        case .kebabCase: Self.joined(memberName.split(separator: "-", omittingEmptySubsequences: false))
        case .snakeCase: Self.joined(memberName.split(separator: "_", omittingEmptySubsequences: false))
        case .custom: nil
        }
    }

    private static func joined(_ words: [Substring]) -> String? {
        guard let first = words.first else { return nil }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
