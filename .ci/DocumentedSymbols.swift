// Finds, in the symbol graphs of our modules, public symbols without a comment, and public types under no heading of a catalog. Counts
// the public symbols of each module and compares with `.ci/public-symbols`, so that nobody adds to them unseen.
//
//   documented GRAPH…        from the root of the repository
//
// Prints FILE:LINE: NAME for each, and the counts, and exits with 1 when there is one or a module has more than it is allowed. A comment may be inherited: `hash(into:)` of a type has the one of
// the protocol, where it has none of its own. Exempt is what nobody can write a comment for, or nobody would read:
//
// - symbols without a place in a source, which the compiler synthesizes: `init(rawValue:)` of an enum, `==` and `hash(into:)` of a
//   struct, and what a type gets from protocols of other modules;
// - `buildExpression`, `buildBlock` and their like of result builders, which the compiler calls: see `exempt`.

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

/// The text of all pages in the catalog of a module.
func catalog(of module: String) throws -> String {
    let folder = URL(fileURLWithPath: "Sources/\(module)/\(module).docc")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "md" }.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
}

/// How many public symbols each module may have, and how many there are. Graphs leave out names that begin with an underscore.
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
