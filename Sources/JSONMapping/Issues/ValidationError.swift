import JSONText

/// Everything that is wrong with a value, at once; of hopeless input the first 1,000 problems.
///
/// ```swift
/// do { … } catch let error as ValidationError {
///     error.issues.map(\.pointer)   // every place
///     print(error)                  // a tree: object, list, element, field
/// }
/// ```
public struct ValidationError: Error, Sendable, Equatable {
    /// The problems, in the order in which they were found: that of the fields, of elements and of members.
    public internal(set) var issues: [MappingIssue]

    /// How many problems are collected in one value. Each holds its place, so hostile input could otherwise fill the memory.
    public static let issueLimit = 1000

    /// What was read, for the first line of the tree: the name of the schema.
    public internal(set) var name: String

    /// An error of those issues.
    public init(_ issues: [MappingIssue], name: String = "value") {
        self.issues = issues
        self.name = name
    }

    /// An error of that issue.
    public init(_ issue: MappingIssue) { self.init([issue]) }

    /// Whether both have the same issues in the same order.
    public static func == (a: ValidationError, b: ValidationError) -> Bool { a.issues == b.issues }
}

extension ValidationError {
    /// The same error with its places changed: those of a value that stands inside a document.
    package func moved(_ change: (JSONPointer) -> JSONPointer) -> ValidationError {
        var moved = self
        for index in moved.issues.indices {
            moved.issues[index].pointer = change(issues[index].pointer)
            moved.issues[index].alternatives = issues[index].alternatives.map(change)
        }
        return moved
    }

    /// The issues that an error stands for: those of a `ValidationError`, a `MappingIssue` itself, else one of that kind around it.
    static func issues(of error: any Error, kind: MappingIssue.Kind, expected: String, found: String) -> [MappingIssue] {
        switch error {
        case let error as ValidationError: error.issues
        case let issue as MappingIssue: [issue]
        default: [MappingIssue(kind, expected: expected, found: found, underlying: error)]
        }
    }
}

/// Collects issues, so that one run finds them all.
struct IssueCollector {
    private(set) var issues: [MappingIssue] = []

    var isEmpty: Bool { issues.isEmpty }

    mutating func add(_ issue: MappingIssue, at pointer: JSONPointer = .root, property: [String] = []) {
        guard issues.count < ValidationError.issueLimit else { return }
        issues.append(issue.moved(below: pointer, property: property))
    }

    mutating func add(_ more: [MappingIssue], at pointer: JSONPointer = .root, property: [String] = []) {
        for issue in more.prefix(ValidationError.issueLimit - issues.count) { add(issue, at: pointer, property: property) }
    }

    /// Adds what a conversion threw about a value at that place.
    mutating func add(_ error: any Error, at pointer: JSONPointer, property: [String], found: String) {
        add(
            ValidationError.issues(of: error, kind: .conversionFailed, expected: "a value that can be converted", found: found),
            at: pointer, property: property)
    }

    func throwIfAny(name: String) throws {
        if !issues.isEmpty { throw ValidationError(issues, name: name) }
    }
}
