import JSONAPICodec
import JSONAPIRules
import JSONText

/// One query parameter, decoded.
///
/// ```swift
/// QueryParameter(name: "page[size]", value: "10").role           // .page
/// QueryParameter(name: "fields[articles]", value: "title").role  // .fields(type: "articles")
/// QueryParameter(name: "search", value: "x").fault               // .reservedName
/// ```
///
/// The name is the full name: `page[size]` is not part of a parameter `page`. Two parameters are equal when their names and values have the
/// same bytes.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public struct QueryParameter: Sendable {
    /// The full name, including brackets.
    public let name: String
    /// The value; lists are not split.
    public var value: String
    /// The part of the standard that defines the parameter, as the form of its name shows.
    public let role: Role

    /// Creates a parameter. Name and value are not encoded.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
        role = QueryParameterName(name).role
    }

    /// The purpose of a parameter.
    public enum Role: Sendable, Hashable {
        /// The paths of related resources to include.
        case include
        /// The fields of resources of one type.
        case fields(type: String)
        /// The order of the primary data.
        case sort
        /// A member of the family `page`.
        case page
        /// A member of the family `filter`.
        case filter
        /// A parameter that an extension defines. `QueryRules` decides whether that extension is applied.
        case ofExtension(namespace: String)
        /// A parameter that the server defines, or one that is not legal; `fault` says which.
        case other
    }

    /// Why a server must reject the parameter because of its name; nil when the name may be accepted.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    public var fault: QueryProblem.Kind? { QueryParameterName(name).fault }

    /// The names in brackets after the base name, in order: `["a", ""]` for `filter[a][]`. Nil when the name does not end in well-formed
    /// brackets.
    public var path: [String]? { QueryParameterName(name).path }
}

extension QueryParameter: Hashable, CustomStringConvertible {
    /// Whether name and value have the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        UTF8Bytes.areEqual(lhs.name, rhs.name) && UTF8Bytes.areEqual(lhs.value, rhs.value)
    }

    /// Feeds the bytes of name and value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        UTF8Bytes.hash(name, into: &hasher)
        UTF8Bytes.hash(value, into: &hasher)
    }

    /// The parameter as readable text.
    public var description: String { Query(parameters: CollectionOfOne(self)).description }
}

// MARK: - Names

/// The parts of a query parameter's name: a base name, and names in brackets.
///
/// <https://jsonapi.org/format/1.1/#query-parameters-families>
struct QueryParameterName {
    /// The part before the first bracket.
    let base: String
    /// The text in each pair of brackets; nil when the brackets are unbalanced or nested, or when something follows them.
    let path: [String]?

    init(_ name: String) {
        let bytes = name.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "[")) ?? bytes.endIndex
        base = String(decoding: bytes[..<end], as: UTF8.self)
        path = Self.brackets(bytes[end...])
    }

    private static func brackets(_ bytes: Substring.UTF8View) -> [String]? {
        var path: [String] = []
        var rest = bytes
        while let first = rest.first {
            guard first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let content = rest[..<end].dropFirst()
            guard !content.contains(UInt8(ascii: "[")) else { return nil }
            path.append(String(decoding: content, as: UTF8.self))
            rest = rest[end...].dropFirst()
        }
        return path
    }

    var role: QueryParameter.Role {
        switch base {
        case "include" where path?.isEmpty == true: .include
        case "sort" where path?.isEmpty == true: .sort
        case "fields": fieldsetType.map { .fields(type: $0) } ?? .other
        case "page": .page
        case "filter": .filter
        default: namespace.map { .ofExtension(namespace: $0) } ?? .other
        }
    }

    /// The first rule that the name breaks.
    var fault: QueryProblem.Kind? {
        switch base {
        case "include", "sort": return path?.isEmpty == true ? nil : .illegalBrackets
        case "fields": return fieldsetType.map { MemberName.isLegal($0) ? nil : .illegalName } ?? .illegalBrackets
        case "page", "filter": break
        default: if let fault = faultOfBase { return fault }
        }
        guard let path else { return .illegalBrackets }
        return path.allSatisfy(Self.isLegalContent) ? nil : .illegalName
    }

    /// The rule for names that is broken, and where, in words.
    var faultInWords: String? {
        if namespace != nil {
            if faultOfBase != nil { return "a namespace of letters and digits comes before the colon, and only a-z after it" }
        } else if let fault = MemberNameFault(in: base) {
            return fault.description
        }
        let contents = (path ?? []).filter { !$0.isEmpty }
        // A type has no dots.
        let names = base == "fields" ? contents : contents.flatMap { $0.parts(separatedBy: UInt8(ascii: ".")) }
        return names.lazy.compactMap { MemberNameFault(in: $0) }.first.map { "in the brackets, \($0)" }
    }

    private var fieldsetType: String? {
        guard let path, path.count == 1, let type = path.first, !type.isEmpty else { return nil }
        return type
    }

    /// The part before a colon.
    private var namespace: String? {
        base.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(decoding: base.utf8[..<$0], as: UTF8.self) }
    }

    /// <https://jsonapi.org/format/1.1/#query-parameters-custom>, <https://jsonapi.org/format/1.1/#extension-query-parameters>
    private var faultOfBase: QueryProblem.Kind? {
        if let namespace {
            let rest = base.utf8.dropFirst(namespace.utf8.count + 1)
            let isLegal = !namespace.isEmpty && namespace.utf8.allSatisfy(\.isASCIILetterOrDigit)
            return isLegal && !rest.isEmpty && rest.allSatisfy(Self.isLowercase) ? nil : .illegalName
        }
        guard MemberName.isLegal(base) else { return .illegalName }
        return base.utf8.allSatisfy(Self.isLowercase) ? .reservedName : nil
    }

    /// Whether the text is empty, or consists of member names separated by dots.
    private static func isLegalContent(_ content: String) -> Bool {
        content.isEmpty || content.parts(separatedBy: UInt8(ascii: ".")).allSatisfy { MemberName.isLegal($0) }
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
}
