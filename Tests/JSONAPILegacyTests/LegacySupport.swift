import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText
import Testing

/// Documents and checks that the tests of legacy documents share.
enum Legacy {
    /// Checks that a legacy document expands to a tree, with members in any order.
    static func expect(
        _ input: String, becomes expected: String, _ expander: Expander = Expander(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = Result { () throws(ExpansionError) in try expander.expand(legacy: (try? JSON(parsing: input)) ?? nil) }
        try compare(found, expected, sourceLocation)
    }

    /// The same for a document of version 1.1.
    static func expectDocument(
        _ input: String, becomes expected: String, _ expander: Expander = Expander(), sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let members = try #require(JSON(parsing: input).object, sourceLocation: sourceLocation)
        let found = Result { () throws(ExpansionError) in try DocumentObject(members: members).expanded(expander) }
        try compare(found, expected, sourceLocation)
    }

    private static func compare(_ found: Result<JSON, ExpansionError>, _ expected: String, _ sourceLocation: SourceLocation) throws {
        let expected = try JSON(parsing: expected)
        switch found {
        case .success(let tree): #expect(tree == expected, "\(tree)", sourceLocation: sourceLocation)
        case .failure(let error): Issue.record("\(error)", sourceLocation: sourceLocation)
        }
    }

    /// The problems of a legacy document, as `kind pointer`.
    static func problems(_ input: String, _ expander: Expander = Expander()) throws -> [String] {
        let json = try JSON(parsing: input)
        return problems { () throws(ExpansionError) in try expander.expand(legacy: json) }
    }

    /// The same for a document of version 1.1.
    static func documentProblems(_ input: String, _ expander: Expander = Expander()) throws -> [String] {
        let document = DocumentObject(members: try JSON(parsing: input).object ?? [:])
        return problems { () throws(ExpansionError) in try document.expanded(expander) }
    }

    static func problems<Answer>(_ body: () throws(ExpansionError) -> Answer) -> [String] {
        do throws(ExpansionError) {
            _ = try body()
            return []
        } catch {
            return error.problems.map { "\($0.kind) \($0.pointer)" }
        }
    }

    static func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Foundation.Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }
}
