import Foundation
import JSONAPIValidation
import JSONText
import TestSupport
import Testing

/// Hostile documents.
@Suite struct HostileInputTests {
    private struct Generator {
        var state: UInt64
        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(bound, 1)))
        }
    }

    private static let pieces = [
        "null", "1", "true", #""x""#, "[]", "{}", #"{"type":"a","id":"1"}"#, "[null]", #""a b""#, #"{"href":1}"#, #""@a""#, #""data""#,
        #""lid""#,
        #""meta""#, #""audit:x""#, "1e99999", "-0",
    ].map { Array($0.utf8) }

    /// Documents of the conformance folders, each mutated many times: a replaced value, a missing byte, or an additional byte.
    @Test func issuesOfMutatedDocumentsHaveValidPointers() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let rounds = ProcessInfo.processInfo.environment["VALIDATION_MUTATIONS"].flatMap(Int.init) ?? TestEffort.count(180, debug: 30)
        var random = Generator(state: 7)
        var count = 0
        for folder in ["valid", "sections", "invalid", "servers"] {
            let url = root.appendingPathComponent("Conformance/\(folder)")
            let index = try #require(JSON(parsing: Data(contentsOf: url.appendingPathComponent("index.json"))).array)
            for entry in index {
                let original = try [UInt8](Data(contentsOf: url.appendingPathComponent(#require(entry["file"]?.string))))
                let kind = ValidationContext.Kind(rawValue: entry["kind"]?.string ?? "") ?? .response
                let context = try ValidationContext(kind, json: entry["context"] ?? [:])
                for _ in 0..<rounds {
                    let text = Self.mutated(original, &random)
                    let report = Validator(random.next(2) == 0 ? context : Self.anyContext(&random)).validate(text)
                    count += 1
                    guard let json = try? JSON(parsing: text) else {
                        #expect(report.issues.map(\.rule.id) == ["json/syntax"])
                        continue
                    }
                    for issue in report.issues where json[pointer: issue.pointer] == nil {
                        Issue.record("\(entry["file"]?.string ?? ""): \(issue) in \(String(decoding: text, as: UTF8.self))")
                    }
                }
            }
        }
        #expect(count > 550 * rounds)
    }

    private static func anyContext(_ random: inout Generator) -> ValidationContext {
        func any<Element>(_ elements: [Element]) -> Element { elements[random.next(elements.count)] }
        var context = ValidationContext(any(ValidationContext.Kind.allCases))
        context.target = any([nil] + ValidationContext.Target.allCases)
        context.cardinality = any([nil] + ValidationContext.Cardinality.allCases)
        context.query = any([
            nil, "include=", "include=author.x,tags", "fields[books]=title", "include=author&fields[people]=&page[size]=1", "%&=&[",
            "include=,.,",
        ])
        context.extensions = any([[], [.atomic], [.init(namespace: "audit", uri: "https://a/b")], [.init(namespace: "", uri: "")]])
        context.profiles = any([[], ["https://jsonapi.org/profiles/ethanresnick/cursor-pagination"]])
        context.operationCount = any([nil, 0, 1, -1])
        context.location = any([nil, "", "/a", "http://a"])
        context.cursorError = any([nil] + ValidationContext.CursorError.allCases)
        (context.isStrict, context.isLastPage, context.isRangeTruncated) = (any([true, false]), any([true, false]), any([true, false]))
        context.isPaginated = any([nil, true, false])
        return context
    }

    /// Most mutations replace a value, so that the text stays valid JSON.
    private static func mutated(_ original: [UInt8], _ random: inout Generator) -> [UInt8] {
        var text = original
        for _ in 0...random.next(3) {
            guard !text.isEmpty else { return text }
            let place = random.next(text.count)
            switch random.next(8) {
            case 0: text.remove(at: place)
            case 1: text.insert(UInt8(random.next(256)), at: place)
            case 2: text[place] = UInt8(random.next(256))
            default: replaceToken(&text, at: place, pieces[random.next(pieces.count)])
            }
        }
        return text
    }

    /// Replaces the string, number, or word at or after an offset.
    private static func replaceToken(_ text: inout [UInt8], at place: Int, _ piece: [UInt8]) {
        guard let start = text[place...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ":") }) else { return }
        if text[start] == UInt8(ascii: "\"") {
            guard let end = text[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return }
            text.replaceSubrange(start...end, with: piece)
        } else {
            let end = text[(start + 1)...].firstIndex { [0x2C, 0x7D, 0x5D, 0x0A].contains($0) } ?? text.endIndex
            text.replaceSubrange((start + 1)..<end, with: piece)
        }
    }

    // MARK: - Growth

    private enum Shape: String, CaseIterable {
        case chain, unlinked, brokenAttributes, manyNames, longName, repeatedLongName, duplicates, mentions, operations, included
    }

    private static func document(_ shape: Shape, _ count: Int) -> (String, ValidationContext) {
        var context = ValidationContext()
        func list(_ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ",") }
        func linked(_ number: Int) -> String {
            #"{"type":"a","id":"\#(number)","relationships":{"next":{"data":{"type":"a","id":"\#(number + 1)"}}}}"#
        }
        switch shape {
        case .chain:
            return (
                #"{"data":{"type":"b","id":"0","relationships":{"n":{"data":{"type":"a","id":"0"}}}},"included":[\#(list(linked))]}"#,
                context
            )
        case .unlinked: return (#"{"data":[],"included":[\#(list { #"{"type":"a","id":"\#($0)"}"# })]}"#, context)
        case .brokenAttributes: return (#"{"data":[\#(list { #"{"type":"a","id":"\#($0)","attributes":{"_x":1}}"# })]}"#, context)
        case .manyNames:
            return (
                #"{"data":{"type":"a","id":"1","attributes":{\#(list { #""a\#($0)":1"# })},"relationships":{\#(list { #""r\#($0)":{"data":null}"# })}}}"#,
                context
            )
        case .longName:
            let name = #"\u0061"# + String(repeating: "a", count: 4 * count)
            return (
                #"{"data":{"type":"a","id":"1","attributes":{\#(list { #""a\#($0)":1"# })},"relationships":{"\#(name)":{"data":null}}}}"#,
                context
            )
        case .repeatedLongName:
            let attribute = #""\#(String(repeating: "a", count: 4 * count))":1"#
            let relationships = list { #""r\#($0)":{"data":null}"# }
            return (
                #"{"data":{"type":"a","id":"1","attributes":{\#(attribute),\#(attribute)},"relationships":{\#(relationships)}}}"#, context
            )
        case .duplicates: return (#"{"data":null,"meta":{\#(list { _ in #""a":1"# })}}"#, context)
        case .mentions:
            context.kind = .create
            return (
                #"{"data":{"type":"a","relationships":{"r":{"data":[\#(list { #"{"type":"a","lid":"\#($0)"}"# })]}}},"included":[\#(list { #"{"type":"a","lid":"\#($0)"}"# })]}"#,
                context
            )
        case .operations:
            context.kind = .atomicRequest
            return (
                #"{"atomic:operations":[\#(list { #"{"op":"add","data":{"type":"a","lid":"\#($0)"}},{"op":"remove","ref":{"type":"a","lid":"\#($0)"}}"# })]}"#,
                context
            )
        case .included:
            context.query = "include=n,n.next,n.next.next.next"
            return (
                #"{"data":{"type":"b","id":"0","relationships":{"n":{"data":[\#(list { #"{"type":"a","id":"\#($0)"}"# })]}}},"included":[\#(list(linked))]}"#,
                context
            )
        }
    }

    @Test(arguments: Shape.allCases.map(\.rawValue)) func timeGrowsLinearly(_ name: String) throws {
        let shape = try #require(Shape(rawValue: name))
        let growth = TimeGrowth(from: TestEffort.count(4_000, debug: 1_000)) { count in
            let (text, context) = Self.document(shape, count)
            let bytes = Array(text.utf8)
            let validator = Validator(context)
            return processorSeconds { _ = validator.validate(bytes) }
        }
        #expect(growth.isLinear, "\(name): \(growth)")
    }

    @Test func aHundredThousandResourcesAreValid() {
        let (text, context) = Self.document(.chain, 100_000)
        #expect(Validator(context).validate(text).issues.isEmpty)
    }
}
