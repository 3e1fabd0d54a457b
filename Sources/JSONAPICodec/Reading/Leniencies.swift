/// The faults of real servers that a decoder may be told to live with, each by its own name.
///
/// ```swift
/// var decoder = JSONAPIDecoder()              // standard: none of these
/// decoder.leniencies.insert(.integerIDs)      // one of them
/// decoder = JSONAPIDecoder(mode: .lenient)    // all of them but textNumbers
/// ```
///
/// Every use of one is a diagnostic with a pointer. Nothing is repaired silently.
///
/// Those about error objects (`textErrors`, `numericStatus`, `nullErrorMembers`, `invalidErrorMembers`) are always used in standard
/// mode too, for the server's message must not be lost; in strict mode they have to be set.
public struct Leniencies: OptionSet, Sendable, Hashable {
    /// The leniencies by name, as they appear in diagnostics.
    public enum Name: String, CaseIterable, Sendable, Hashable {
        /// The leniency that `Leniencies` has under the same name.
        case textErrors, missingIDs, embeddedResources, numericStatus, nullErrorMembers, missingTypes, integerIDs
        /// The leniency that `Leniencies` has under the same name.
        case duplicateIncluded, nullContainers, emptyRelationships, emptyArrayContainers, identifiersWithoutID
        /// The leniency that `Leniencies` has under the same name.
        case dataWithErrors, nullToMany, invalidErrorMembers, textNumbers
    }

    /// A bit for each leniency.
    public let rawValue: Int
    /// The leniencies of those bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    private init(_ name: Name) { rawValue = 1 << (Name.allCases.firstIndex(of: name) ?? 0) }

    /// `errors` holding plain strings, or being one: each becomes an error with that `detail`.
    public static let textErrors = Leniencies(.textErrors)
    /// A resource without `id`, or with a null one, in a response: it has no identity and nothing can link to it.
    public static let missingIDs = Leniencies(.missingIDs)
    /// Whole resources inside relationship `data`: taken as if they were included. Faults inside them are reported, as other modes
    /// ignore what is there.
    public static let embeddedResources = Leniencies(.embeddedResources)
    /// An error's `status` as a number: its digits.
    public static let numericStatus = Leniencies(.numericStatus)
    /// Members of an error that are null: as if absent. Errors that are null: they say nothing.
    public static let nullErrorMembers = Leniencies(.nullErrorMembers)
    /// A primary resource without `type`: the type that is asked for.
    public static let missingTypes = Leniencies(.missingTypes)
    /// Integer ids: their digits, kept exactly; written back as strings.
    public static let integerIDs = Leniencies(.integerIDs)
    /// One identity twice in a compound document: the first counts for linkage, both are kept.
    public static let duplicateIncluded = Leniencies(.duplicateIncluded)
    /// `attributes`, `relationships`, `links`, `meta`, `jsonapi`, `included` or a relationship that is null: as if absent.
    public static let nullContainers = Leniencies(.nullContainers)
    /// A relationship object without `data`, `links` and `meta`, or with `links` alone and neither `self` nor `related` in them,
    /// or in a request without `data`: one that says nothing.
    public static let emptyRelationships = Leniencies(.emptyRelationships)
    /// An empty array in place of an object, the habit of PHP: as an empty object.
    public static let emptyArrayContainers = Leniencies(.emptyArrayContainers)
    /// A resource identifier without `id`: the resource written there, without identity.
    public static let identifiersWithoutID = Leniencies(.identifiersWithoutID)
    /// `data` and `errors` in one document: both can be read, as `Document`. Errors that are null or empty are taken as absent.
    public static let dataWithErrors = Leniencies(.dataWithErrors)
    /// `data: null` where a to-many relationship or a collection is declared: empty.
    public static let nullToMany = Leniencies(.nullToMany)
    /// An error without members, or with members of wrong types, or a `status` that is no HTTP status code, or something else in place
    /// of an error or of the array: what can be read of it.
    public static let invalidErrorMembers = Leniencies(.invalidErrorMembers)
    /// A number written as text, `"12.50"`, where a property is a number: the number, by the grammar of JSON, `Decimal` with all its digits.
    ///
    /// Never set by a mode: a model that tries one type after the other, as those of any JSON value do, would see numbers instead of texts.
    public static let textNumbers = Leniencies(.textNumbers)

    /// Those of lenient mode.
    static let ofLenientMode = Leniencies.all.subtracting(.textNumbers)

    /// All of them.
    public static let all = Leniencies(rawValue: (1 << Name.allCases.count) - 1)

    func contains(_ name: Name) -> Bool { contains(Leniencies(name)) }
}
