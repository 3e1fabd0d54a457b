/// The faults of real servers that a decoder can accept, each by its own name.
///
/// ```swift
/// var decoder = JSONAPIDecoder()              // standard: none of these
/// decoder.leniencies.insert(.integerIDs)      // one of them
/// decoder = JSONAPIDecoder(mode: .lenient)    // all but textNumbers and emptyArrayValues
/// ```
///
/// A diagnostic with a pointer reports every use of a leniency. Nothing is repaired silently.
///
/// The leniencies for error objects (`textErrors`, `numericStatus`, `nullErrorMembers`, `invalidErrorMembers`) are always used in standard
/// mode as well, so that the server's message is not lost. In strict mode you have to set them.
public struct Leniencies: OptionSet, Sendable, Hashable {
    /// The leniencies by name, as they appear in diagnostics.
    public enum Name: String, CaseIterable, Sendable, Hashable {
        /// The leniency with the same name in `Leniencies`.
        case textErrors, missingIDs, embeddedResources, numericStatus, nullErrorMembers, missingTypes, integerIDs
        /// The leniency with the same name in `Leniencies`.
        case duplicateIncluded, nullContainers, emptyRelationships, emptyArrayContainers, identifiersWithoutID
        /// The leniency with the same name in `Leniencies`.
        case dataWithErrors, nullToMany, invalidErrorMembers, textNumbers, emptyArrayValues
    }

    /// A bit for each leniency.
    public let rawValue: Int
    /// Creates the leniencies with the given bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    private init(_ name: Name) { rawValue = 1 << (Name.allCases.firstIndex(of: name) ?? 0) }

    /// `errors` contains plain strings, or is one. Each becomes an error with that `detail`.
    public static let textErrors = Leniencies(.textErrors)
    /// A resource in a response has no `id`, or a null one. The resource has no identity, and nothing can link to it.
    public static let missingIDs = Leniencies(.missingIDs)
    /// Relationship `data` contains whole resources. They are read as if they were included. Faults inside them are reported; other modes
    /// ignore everything in them but the identifier.
    public static let embeddedResources = Leniencies(.embeddedResources)
    /// The `status` of an error is a number. It is read as its digits.
    public static let numericStatus = Leniencies(.numericStatus)
    /// Members of an error are null: they are read as absent. An error is null: it is read as an empty error.
    public static let nullErrorMembers = Leniencies(.nullErrorMembers)
    /// A primary resource has no `type`. It is read as the expected type.
    public static let missingTypes = Leniencies(.missingTypes)
    /// An id is an integer. Its digits are kept exactly, and it is written back as a string.
    public static let integerIDs = Leniencies(.integerIDs)
    /// A compound document contains the same identity twice. Linkage refers to the first; both are kept.
    public static let duplicateIncluded = Leniencies(.duplicateIncluded)
    /// `attributes`, `relationships`, `links`, `meta`, `jsonapi`, `included` or a relationship is null. It is read as absent.
    public static let nullContainers = Leniencies(.nullContainers)
    /// A relationship object has no `data`, `links` or `meta`. Or it has only `links` without `self` and `related`. Or it has no `data`, in
    /// a request. It is read as a relationship that is not loaded.
    public static let emptyRelationships = Leniencies(.emptyRelationships)
    /// An empty array is in place of `attributes`, `relationships`, `links`, `meta` or a relationship, which is common with PHP. It is read
    /// as an empty object; in place of the `meta` or `links` of a resource, as absent; in place of the linkage of a to-one relationship, as
    /// null.
    public static let emptyArrayContainers = Leniencies(.emptyArrayContainers)
    /// A resource identifier has no `id`. It is read as the resource that is written there, without identity.
    public static let identifiersWithoutID = Leniencies(.identifiersWithoutID)
    /// A document has `data` and `errors`. Both can be read, as `Document`; streams and readers throw the errors after the resources. Errors
    /// that are null or empty are read as absent, also beside the results of atomic operations.
    public static let dataWithErrors = Leniencies(.dataWithErrors)
    /// `data` is null where a to-many relationship or a collection is declared. It is read as empty.
    public static let nullToMany = Leniencies(.nullToMany)
    /// An error has no members, members of the wrong type, or a `status` that is not an HTTP status code. Or another value is in place of
    /// an error or of the array. Everything that can be read is read.
    public static let invalidErrorMembers = Leniencies(.invalidErrorMembers)
    /// A number is written as a string, `"12.50"`, where a property is a number. It is read by the grammar of JSON, and a `Decimal` keeps
    /// all digits.
    ///
    /// No mode sets it. A model that tries one type after another, such as a model of any JSON value, would read strings as numbers.
    public static let textNumbers = Leniencies(.textNumbers)
    /// Inside attributes or meta, an empty array is in place of an object: what PHP makes of a dictionary without members. It is read as an
    /// empty object where a property is a dictionary, a `JSONObject`, or any other value that is decoded by names.
    ///
    /// No mode sets it. A model of any JSON value that tries an object first would read empty arrays as objects.
    public static let emptyArrayValues = Leniencies(.emptyArrayValues)

    /// The leniencies of lenient mode.
    package static let ofLenientMode = Leniencies.all.subtracting([.textNumbers, .emptyArrayValues])

    /// All of them.
    public static let all = Leniencies(rawValue: (1 << Name.allCases.count) - 1)

    package func contains(_ name: Name) -> Bool { contains(Leniencies(name)) }
}
