import JSONText

extension MemberReading {
    /// Returns the converted value at a path, or at the first of several paths whose value converts.
    ///
    /// ```swift
    /// let name = try json.read("user.name", as: .string)
    /// let id: Int = try json.read(["id", "user_id"])
    /// let port = json.readIfPossible("port", as: .lenientInt) ?? 80
    /// ```
    ///
    /// The empty path is the whole value. A null is a value: `.json` returns it, and other conversions throw a type mismatch. A conversion
    /// that handles absent values, such as one with `whenAbsent`, treats null as absent, and is called if all paths are empty.
    ///
    /// Throws a `ValidationError`. Its issue is `required` when there is no value. For a single path it is the conversion's own issue. When
    /// none of several paths converts, it is `required` with all places.
    public func read<Value>(_ paths: Paths, as conversion: Conversion<JSON, Value>) throws -> Value {
        var failure: ValidationError?
        for path in paths.all {
            do {
                guard let json = self.value(at: path), !(conversion.handlesAbsent && json.isNull) else { continue }
                guard let value = try conversion.decode(json) else { throw MappingIssue.mismatch("a value", json) }
                return value
            } catch {
                let error = Self.failure(error, at: path)
                if ValidationError.isTooDeep(error) { throw error }
                failure = error
            }
        }
        if failure == nil, let path = paths.all.first {
            do { if let value = try conversion.decode(nil) { return value } } catch { throw Self.failure(error, at: path) }
        }
        if let failure, paths.all.count == 1 { throw failure }
        var issue = MappingIssue(.required, expected: "a value", found: failure == nil ? "nothing" : "nothing that can be converted")
        issue.pointer = paths.all.first?.pointer ?? .root
        issue.propertyPath = paths.all.first?.segments ?? []
        if paths.all.count > 1 { issue.alternatives = paths.all.map(\.pointer) }
        throw ValidationError(issue)
    }

    private static func failure(_ error: any Error, at path: MappingPath) -> ValidationError {
        let issues = ValidationError.conversionIssues(of: error, found: "one that cannot")
        return ValidationError(issues.map { $0.moved(below: path.pointer, property: path.segments) })
    }

    /// Returns the value at a path, by the conversion of its type. Throws as the function above does.
    public func read<Value: JSONConvertible>(_ paths: Paths, as type: Value.Type = Value.self) throws -> Value {
        try read(paths, as: Value.conversion)
    }

    /// Returns the converted value at a path, or nil for any failure.
    public func readIfPossible<Value>(_ paths: Paths, as conversion: Conversion<JSON, Value>) -> Value? {
        try? read(paths, as: conversion)
    }

    /// Returns the value at a path by the conversion of its type, or nil for any failure.
    public func readIfPossible<Value: JSONConvertible>(_ paths: Paths, as type: Value.Type = Value.self) -> Value? {
        try? read(paths, as: Value.conversion)
    }
}
