import Foundation
import JSONAPICommand
import JSONText
import Testing

/// The size of the output, and its safety for terminals.
@Suite struct ReportSizeTests {
    private static func longName(_ bytes: Int) -> String {
        let name = String(repeating: "n", count: bytes / 2)
        let linkage = (0..<(bytes / 60)).map { #"{"type": "p", "id": "\#($0)", "x": 1}"# }.joined(separator: ",")
        return #"{"data": {"type": "a", "id": "1", "relationships": {"\#(name)": {"data": [\#(linkage)]}}}}"#
    }

    @Test(arguments: [80_000, 800_000]) func validateLimitsItsReport(_ bytes: Int) throws {
        let text = Self.longName(bytes)
        let lines = CommandRun("validate", "-", input: text)
        #expect(lines.status == 1)
        #expect(lines.output.utf8.count < 4 << 20)
        #expect(lines.lines.allSatisfy { $0.utf8.count < 3000 })
        let json = CommandRun("validate", "--json", "-", input: text)
        #expect(json.output.utf8.count <= 1 << 20 + 4096)
        let entry = try #require(json.outputJSON[0])
        let described = try #require(entry["issues"]?.array?.count)
        let omitted = entry["omitted"]?["document-structure/no-additional-members"]?.int ?? 0
        #expect(described + omitted == bytes / 60)
        #expect(lines.output.contains("and \(omitted) more errors"))
    }

    @Test func showLimitsItsReport() throws {
        let text = Self.longName(80_000)
        let json = CommandRun("show", "--json", "-", input: text)
        #expect(json.status == 0)
        // The document itself, once more, and the diagnostics.
        #expect(json.output.utf8.count < 16 * text.utf8.count)
        let report = try json.outputJSON
        let kept = try #require(report["diagnostics"]?.array?.count)
        #expect(kept + (report["omittedDiagnostics"]?["unknownMember"]?.int ?? 0) == 80_000 / 60)
        let tree = CommandRun("show", "-", input: text)
        #expect(tree.error.utf8.count < 100_000)
    }

    @Test func flattenLimitsItsReport() throws {
        let name = String(repeating: "n", count: 40_000)
        let linkage = (0..<600).map { #"{"type": 1, "id": "\#($0)"}"# }.joined(separator: ",")
        let text = #"{"data": {"type": "a", "id": "1", "relationships": {"\#(name)": {"data": [\#(linkage)]}}}}"#
        let run = CommandRun("flatten", "--json", "-", input: text)
        #expect(run.error.utf8.count < 1 << 18 + 8192)
    }

    // MARK: - Control characters

    private static let controls =
        #"{"data": {"type": "a", "id": "1", "attributes": {"\#("\u{9B}31m\u{7F}")": "\#("\u{85}é\u{9F}\u{A0}")"}}, "x\#("\u{9D}")": 1}"#

    private static func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == "\n" || !(($0.value < 0x20) || (0x7F...0x9F).contains($0.value)) }
    }

    @Test(arguments: [
        ["show", "--json", "-"], ["show", "-"], ["validate", "--json", "-"], ["validate", "-"], ["show", "--layout", "table", "-"],
        ["show", "--graph", "mermaid", "-"], ["show", "--graph", "dot", "-"],
    ]) func controlCharactersAreEscaped(_ arguments: [String]) {
        let run = CommandRun(arguments, input: Self.controls)
        #expect(Self.isSafe(run.output), "\(arguments)")
        #expect(Self.isSafe(run.error), "\(arguments)")
    }

    @Test func escapedTextMeansTheSame() throws {
        let run = CommandRun("show", "--json", "-", input: Self.controls)
        let attributes = try #require(run.outputJSON["resources"]?[0]?["attributes"]?.object)
        #expect(attributes["\u{9B}31m\u{7F}"] == "\u{85}é\u{9F}\u{A0}")
        #expect(run.output.contains(#""\u009b31m\u007f": "\u0085é\u009f"#))
    }

    @Test func errorsAreEscaped() {
        let run = CommandRun("validate", "--json", "no\u{9B}file")
        #expect(run.status == 2)
        #expect(Self.isSafe(run.error))
    }

    @Test func formatEscapesOnlyOnATerminal() {
        let text = "[\"\u{9B}\"]"
        #expect(CommandRun("format", "--compact", "-", input: text).output == text + "\n")
        let terminal = Terminal(isInteractive: true)
        #expect(CommandRun("format", "--compact", "--color", "never", "-", input: text, terminal: terminal).output == #"["\u009b"]"# + "\n")
    }
}
