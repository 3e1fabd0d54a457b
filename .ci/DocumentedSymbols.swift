// Finds public symbols without a comment, and public types that are under no heading of a catalog, in the symbol graphs of our modules.
// It also counts the public symbols of each module, and compares the counts with `.ci/public-symbols`, so that every new one is noticed.
//
//   documented GRAPH…        from the root of the repository
//
// Prints FILE:LINE: NAME for each symbol, and the counts. Exits with status 1 if it finds a symbol, or if a module has too many. A comment
// can be inherited: `hash(into:)` of a type has the comment of the protocol if it has none of its own. These symbols are exempt:
//
// - symbols without a place in a source, which the compiler synthesizes: `init(rawValue:)` of an enum, `==` and `hash(into:)` of a
//   struct, and what a type gets from protocols of other modules;
// - `buildExpression`, `buildBlock`, and similar functions of result builders, which only the compiler calls; see `exempt`.

import Foundation

struct Graph: Decodable {
    struct Module: Decodable { var name: String }
    struct Symbol: Decodable {
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
        var identifier: Identifier
        var pathComponents: [String]
        var accessLevel: String
        var docComment: Comment?
        var location: Location?
        /// The module that an extended type is of; nil for a symbol of the module's own types.
        var swiftExtension: Extension?
        struct Extension: Decodable { var extendedModule: String? }

        var isPublic: Bool { accessLevel == "public" || accessLevel == "open" }
        var isSynthesized: Bool { location == nil || identifier.precise.contains("::SYNTHESIZED::") }
        var isExempt: Bool { exempt.contains { (pathComponents.last ?? "").hasPrefix($0) } }
        var isDocumented: Bool { docComment?.lines.contains { !$0.text.trimmingCharacters(in: .whitespaces).isEmpty } ?? false }

        /// The place in the source and the name.
        var place: String {
            let file = location.map { $0.uri.replacingOccurrences(of: "file://", with: "") + ":\($0.position.line + 1): " } ?? ""
            return file + pathComponents.joined(separator: ".")
        }
    }
    var module: Module
    var symbols: [Symbol]
}

/// The functions of result builders: `SchemaBuilder`, `RuleBuilder`.
let exempt = ["buildExpression(", "buildBlock(", "buildOptional(", "buildEither(", "buildArray(", "buildFinalResult("]

/// Returns the text of all pages in the catalog of a module.
func catalog(of module: String) throws -> String {
    let folder = URL(fileURLWithPath: "Sources/\(module)/\(module).docc")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "md" }.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
}

/// The allowed and the actual number of public symbols of each module. Symbol graphs omit names that begin with an underscore.
var allowed: [String: Int] = [:]
for line in try String(contentsOfFile: ".ci/public-symbols", encoding: .utf8).split(separator: "\n") {
    let words = line.split(separator: " ")
    if words.count == 2 { allowed[String(words[0])] = Int(words[1]) }
}
var counts: [String: Int] = [:]

var count = 0
var problems: Set<String> = []
for path in CommandLine.arguments.dropFirst() {
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let pages = try catalog(of: graph.module.name)
    for symbol in graph.symbols where symbol.isPublic && !symbol.isSynthesized && !symbol.isExempt {
        count += 1
        counts[graph.module.name, default: 0] += 1
        if !symbol.isDocumented { problems.insert("\(symbol.place) has no comment") }
        guard symbol.pathComponents.count == 1, symbol.swiftExtension == nil, !path.contains("@"), let name = symbol.pathComponents.first
        else { continue }
        if !pages.contains("\n- ``\(name)``\n") { problems.insert("\(symbol.place) stands under no heading of \(graph.module.name).docc") }
    }
}
for (module, count) in counts.sorted(by: { $0.key < $1.key }) {
    print("\(module) \(count) public symbols")
    let limit = allowed[module] ?? 0
    if count > limit { problems.insert("\(module) has \(count) public symbols, \(limit) are allowed: see .ci/public-symbols") }
}
for problem in problems.sorted() { print(problem) }
print("\(count) public symbols, \(problems.count) problems")
exit(problems.isEmpty && count > 0 ? 0 : 1)
