import JSONText

/// All problems of a value, up to the first 1,000.
///
/// ```swift
/// do { … } catch let error as ValidationError {
///     error.issues.map(\.pointer)   // every place
///     print(error)                  // a tree: object, list, element, field
/// }
/// ```
public struct ValidationError: Error, Sendable, Equatable {
    /// The problems, in the order in which they were found: the order of fields, elements and members.
    public internal(set) var issues: [MappingIssue]

    /// The maximum number of problems that are collected for one value. The limit keeps hostile input from filling the memory.
    public static let issueLimit = 1000

    /// The name of the schema, for the first line of the tree.
    public internal(set) var name: String

    /// Creates an error with the given issues.
    ///
    /// If your own code, such as a conversion or a hook, throws an error without issues, the value is rejected with one issue.
    public init(_ issues: [MappingIssue], name: String = "value") {
        self.issues = issues
        self.name = name
    }

    /// Creates an error with one issue.
    public init(_ issue: MappingIssue) { self.init([issue]) }

    /// Returns whether both errors have equal issues in the same order.
    public static func == (a: ValidationError, b: ValidationError) -> Bool { a.issues == b.issues }
}

extension ValidationError {
    /// Returns the error with all places changed, for a value inside a document.
    package func moved(_ change: (JSONPointer) -> JSONPointer) -> ValidationError {
        var moved = self
        for index in moved.issues.indices {
            moved.issues[index].pointer = change(issues[index].pointer)
            moved.issues[index].alternatives = issues[index].alternatives.map(change)
        }
        return moved
    }

    /// Returns the issues of a `ValidationError`, a `MappingIssue` itself, or an issue of the given kind with `error` as the underlying
    /// error. There is at least one, so that no failure passes as success.
    static func issues(of error: any Error, kind: MappingIssue.Kind, expected: String, found: String) -> [MappingIssue] {
        switch error {
        case let error as ValidationError where !error.issues.isEmpty: error.issues
        case let issue as MappingIssue: [issue]
        default: [MappingIssue(kind, expected: expected, found: found, underlying: error)]
        }
    }

    /// Returns the issues of an error that a conversion threw.
    static func conversionIssues(of error: any Error, found: String) -> [MappingIssue] {
        issues(of: error, kind: .conversionFailed, expected: "a value that can be converted", found: found)
    }

    /// Returns whether the error is about a value that is nested too deeply for the stack. No other form or path can replace such a value:
    /// the result would depend on the size of the stack.
    static func isTooDeep(_ error: any Error) -> Bool {
        switch error {
        case let error as ValidationError: error.issues.contains { $0.kind == .nestingLimit }
        case let issue as MappingIssue: issue.kind == .nestingLimit
        default: false
        }
    }
}

/// Collects the issues of one run, up to the limit.
struct IssueCollector {
    private(set) var issues: [MappingIssue] = []

    var isFull: Bool { issues.count >= ValidationError.issueLimit }

    mutating func add(_ issue: MappingIssue, at pointer: JSONPointer = .root, property: [String] = []) {
        guard issues.count < ValidationError.issueLimit else { return }
        issues.append(issue.moved(below: pointer, property: property))
    }

    mutating func add(_ more: [MappingIssue], at pointer: JSONPointer = .root, property: [String] = []) {
        for issue in more.prefix(ValidationError.issueLimit - issues.count) { add(issue, at: pointer, property: property) }
    }

    /// Adds an issue of a member or an element.
    mutating func add(_ issue: MappingIssue, in name: String) { add(issue, at: JSONPointer(name), property: [name]) }

    /// Adds the issues of a member or an element.
    mutating func add(_ more: [MappingIssue], in name: String) { add(more, at: JSONPointer(name), property: [name]) }

    /// Adds the error that a conversion threw for a member or an element.
    mutating func add(_ error: any Error, in name: String, found: String) {
        add(error, at: JSONPointer(name), property: [name], found: found)
    }

    /// Adds the error that a conversion threw for the value at a place.
    mutating func add(_ error: any Error, at pointer: JSONPointer, property: [String], found: String) {
        add(ValidationError.conversionIssues(of: error, found: found), at: pointer, property: property)
    }

    /// Adds the error of a value that cannot be written. If the value is nested too deeply for the stack, throws the error with its place
    /// instead. The values beside it can be just as deep: in a cycle, their number doubles on each level.
    mutating func addUnlessTooDeep(_ error: any Error, at pointer: JSONPointer, property: [String]) throws {
        let new = ValidationError.conversionIssues(of: error, found: "a value that cannot be")
        if new.contains(where: { $0.kind == .nestingLimit }) {
            throw ValidationError(new.map { $0.moved(below: pointer, property: property) })
        }
        add(new, at: pointer, property: property)
    }

    func throwIfAny(name: String) throws {
        if !issues.isEmpty { throw ValidationError(issues, name: name) }
    }
}
