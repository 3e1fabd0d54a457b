import Testing

@testable import JSONAPICommand

@Suite("Options and operands")
struct ArgumentsTests {
    private static let options = [
        Option(name: "strict", meaning: "no leniency"), Option(name: "ext", value: "NAMESPACE=URI", meaning: "an extension"),
    ]

    private func parsed(_ arguments: String...) throws -> Arguments {
        try Arguments(arguments[...], of: "test", options: Self.options)
    }

    @Test("A value follows its option or an equals sign, and can contain one")
    func values() throws {
        let arguments = try parsed("--ext", "a=https://x", "file", "--ext=b=https://y", "--strict")
        #expect(arguments.values(of: "ext") == ["a=https://x", "b=https://y"])
        #expect(arguments.has("strict"))
        #expect(arguments.operands == ["file"])
    }

    @Test("Operands and options keep their order")
    func order() throws {
        let items = try parsed("a", "--ext", "b=c", "d", "--strict", "--", "--ext").items
        #expect(items.map { "\($0.option ?? ""):\($0.value)" } == [":a", "ext:b=c", ":d", "strict:", ":--ext"])
    }

    @Test("Options that are not given are empty")
    func absent() throws {
        let arguments = try parsed("-")
        #expect(arguments.values(of: "ext").isEmpty)
        #expect(!arguments.has("strict"))
        #expect(try arguments.oneFile() == "-")
    }

    @Test("The error for a missing value shows its form")
    func missingValue() {
        #expect { try parsed("--ext") } throws: { ($0 as? UsageError)?.text.contains("--ext NAMESPACE=URI") == true }
    }

    @Test("Another option is no value, except after an equals sign")
    func optionAsValue() throws {
        #expect { try parsed("--ext", "--strict", "file") } throws: { ($0 as? UsageError)?.text.contains("--ext NAMESPACE=URI") == true }
        #expect(try parsed("--ext=--strict").values(of: "ext") == ["--strict"])
        let other = try parsed("--ext", "--other", "--strict", "-")
        #expect(other.values(of: "ext") == ["--other"] && other.has("strict") && other.operands == ["-"])
    }

    @Test("Short options are unknown, and a single dash is a file")
    func dashes() throws {
        #expect(throws: UsageError.self) { try parsed("-x") }
        #expect(try parsed("-", "--", "-x").operands == ["-", "-x"])
    }
}
