// Finds public symbols without a documentation comment in symbol graphs.
//
//   undocumented GRAPH…
//
// Prints FILE:LINE: NAME for each and exits with 1 when there is one. Exempt is what nobody can write a comment for:
//
// - symbols without a place in a source, which the compiler synthesizes: `init(rawValue:)` of an enum, `==` and `hash(into:)` of a
//   struct, and what a type gets from protocols of other modules;
// - `buildExpression`, `buildBlock` and their like of result builders, which the compiler calls and nobody reads: see `exempt`.

import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { var identifier: String }
        struct Identifier: Decodable { var precise: String }
        struct Comment: Decodable {
            struct Line: Decodable { var text: String }
            var lines: [Line]
        }
        struct Location: Decodable {
            struct Position: Decodable { var line: Int }
            var uri: String
            var position: Position
        }
        var kind: Kind
        var identifier: Identifier
        var pathComponents: [String]
        var accessLevel: String
        var docComment: Comment?
        var location: Location?

        var isDocumented: Bool { docComment?.lines.contains { !$0.text.trimmingCharacters(in: .whitespaces).isEmpty } ?? false }
        var isSynthesized: Bool { location == nil || identifier.precise.contains("::SYNTHESIZED::") }
        var isExempt: Bool {
            guard let name = pathComponents.last else { return false }
            return exempt.contains { name.hasPrefix($0) }
        }
    }
    var symbols: [Symbol]
}

/// The functions of result builders: `SchemaBuilder`, `RuleBuilder`.
let exempt = ["buildExpression(", "buildBlock(", "buildOptional(", "buildEither(", "buildArray(", "buildFinalResult("]

var count = 0
var missing: Set<String> = []
for path in CommandLine.arguments.dropFirst() {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    for symbol in graph.symbols where ["public", "open"].contains(symbol.accessLevel) && !symbol.isSynthesized && !symbol.isExempt {
        count += 1
        guard !symbol.isDocumented, let location = symbol.location else { continue }
        let file = location.uri.replacingOccurrences(of: "file://", with: "")
        missing.insert("\(file):\(location.position.line + 1): \(symbol.pathComponents.joined(separator: ".")) has no comment")
    }
}
for line in missing.sorted() { print(line) }
print("\(count) public symbols, \(missing.count) without a comment")
exit(missing.isEmpty && count > 0 ? 0 : 1)
