import Foundation

/// Names that generated code must not declare.
package enum ReservedNames {
    /// Another name for a property whose name has a special meaning in every type.
    static func property(_ name: String) -> String? { members.contains(name) ? name + "Field" : nil }

    /// The names that the language, `Codable`, `Hashable`, and coding keys use.
    private static let members: Set<String> = ["self", "init", "hashValue", "stringValue", "intValue", "rawValue"]

    /// Cases that a union cannot have.
    static let unionMembers: Set<String> = ["unknown", "members", "resource", "identifier", "self", "init", "none", "some"]

    /// Another name for a case of an enumeration whose name has a special meaning.
    static func enumerationCase(_ name: String) -> String? { cases.contains(name) ? name + "Value" : nil }

    private static let cases: Set<String> = ["unknown", "rawValue", "allCases", "hashValue", "queryText", "self", "init", "none", "some"]

    /// The text from which the name of a case is created: `-name` means descending by `name`, and `1.2` must not become `12`.
    static func caseText(_ value: String) -> String {
        guard value.unicodeScalars.contains(where: { $0.properties.isAlphabetic || ("0"..."9").contains($0) }) else {
            return value.isEmpty ? "empty" : "symbol"
        }
        if value.hasPrefix("-") { return value.dropFirst() + (value.dropFirst().first?.isNumber == true ? " negative" : " descending") }
        return value.first?.isNumber == true ? value.replacingOccurrences(of: ".", with: " point ") : value
    }

    /// Returns the name of a type. A name that would hide a type of Swift, Foundation, or this library ends with `word`. A name that does
    /// not begin with a capital, and could therefore be that of a property, begins with `word`.
    static func type(_ name: String, word: String) -> String {
        var result = name.first?.isUppercase == true ? name : word + name
        while types.contains(result) { result += word }
        return result
    }

    /// Names that generated code uses, names that a file that uses it is likely to need, names that the conformances of generated types give
    /// to other types, and names by which the compiler finds the types of literals.
    package static let types: Set<String> = Set(
        """
        Any AnyObject Array Bool Character CodingKey CodingKeys Codable Collection Comparable Data Date DateInterval Decimal Decodable
        Decoder Dictionary Double Encodable Encoder Equatable Error Float Hashable Hasher ID Identifiable Int Int8 Int16 Int32 Int64
        Calendar Locale Measurement Unit Never Notification Operation Optional Process Protocol Range Regex Result Self Sendable Sequence
        Set String Substring Task Thread Timer TimeZone Type UInt UInt8 UInt16 UInt32 UInt64 URL URLRequest URLResponse UUID Void
        Actor Duration Clock Foundation Swift Index IndexPath IndexSet Mirror Selector Bundle Stream Host Port Scanner Progress Formatter
        JSONDecoder JSONEncoder Iterator Element SubSequence Target

        JSONText JSONAPICodec JSONAPIHTTP JSONAPILegacy JSON JSONArray JSONNumber JSONObject JSONPointer JSONReadingOptions
        JSONSyntaxError JSONWriter TextPosition AtomicOperations AtomicResult AtomicResults ContentNegotiation Create CursorMeta
        CursorPage CursorPagination CursorProblem CursorRules Delete DecodingFailure Diagnostic Diagnostics DirectResource Document
        DocumentBody DocumentObject EncodingFailure ErrorDocument ErrorObject ErrorSource Expander ExpansionError Field Fieldsets
        Identifier IncludePaths JSONAPIDecoder JSONAPIEncoder JSONAPIObject Key KeyStrategy LegacyDocument Leniencies DocumentLink
        LinkObject Linkage Links LocalID MediaType MemberLens NegotiationRefusal NoData ObjectView ObjectWriter PageLinks Pages
        Patch PrimaryData PrimaryElement PrimarySource PrimaryTarget PrimaryValue Query QueryFamily QueryParameter QueryProblem
        QueryRules Relationship RelationshipObject Relationships Resource ResourceBody ResourceFields ResourceID ResourceIdentifier
        ResourceLinks ResourceMeta ResourceObject ResourceRepresentable ResourceTarget ResourceUnion ResourceView ResourceWriter
        JSONAPIServer JSONAPIRequest RequestMethod Endpoint ChangeAnswer AtomicAnswer QueryValue RestrictedFields
        SortField ToMany ToOne URITemplate UnionMember Archive Archiver ResourceStore Validator MappingSchema Rewriter MappingPath
        Presence Conversion Constraint MappingIssue ValidationError JSONMapping DateFormat DateFormatIfPresent DateLayout DateLayouts
        DateFormatAsRead DecimalText Embedded EmptyAsNil RemainingMembers CaseIterable RawRepresentable

        AllCases RawValue ArrayLiteralElement BooleanLiteralType ExtendedGraphemeClusterLiteralType FloatLiteralType
        IntegerLiteralType StringLiteralType UnicodeScalarLiteralType
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
