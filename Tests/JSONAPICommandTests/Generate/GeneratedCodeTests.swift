import Foundation
import JSONText
import TestSupport
import Testing

/// Compiles generated models with the modules of this build, and decodes their samples with them.
@Suite("Generated code")
struct GeneratedCodeTests {
    private static let names = """
        ["class", "self", "init", "1st", "a b", "a-b", "a_b", "", "😀", "await", "identifier", "hashValue", "description", "Type",
        "links", "meta", "lid", "id", "type", "resource", "CodingKeys", "a.b", "say \\"x\\"", "back\\\\slash", "\\u0000", "x", "Any"]
        """

    /// Samples that are defined here. All others are files of `Conformance`.
    private static var samples: [String] {
        get throws {
            let names = try JSON(parsing: names).array?.compactMap(\.string) ?? []
            let fields = JSON.object(JSONObject(members: names.map { JSONObject.Member(name: $0, value: ["x": 1]) }))
            let resource: JSON = ["type": "ts", "id": "1", "attributes": ["all": fields, "numbers": [1, 2.5, nil]], "meta": fields]
            let flat: JSON = ["type": "strings", "id": "1", "attributes": fields, "relationships": ["strings": ["data": nil]]]
            return [
                JSON.object(["data": resource]).description, JSON.object(["data": flat]).description,
                #"""
                {"data": {"type": "stays", "id": "1", "attributes": {"from": "2026-11-21T15:00:00", "price": "80.50"}, "relationships":
                {"guest": {"data": {"type": "guests", "id": "9"}, "links": {"related": "/x"}, "meta": {"n": 1}}}}, "included":
                [{"type": "guests", "id": "9", "attributes": {"at": {"seen": "2026-11-21 15:00:00", "all": ["2026-11-21T15:00:00"]}}}]}
                """#,
                #"{"data":{"type":"photos","lid":"l","attributes":{"a":[],"b":null,"c":12345678901234567890}}}"#,
                // Attributes with the names of parts of the resource object, which one of the resources does not have.
                #"""
                {"data": [{"type": "notes", "id": "1", "attributes": {"meta": {"k": 1}, "links": 1, "attributes": 2, "relationships": [3]},
                "relationships": {"r": {"data": null}}, "links": {"self": "/notes/1"}, "meta": {"x": 1}}, {"type": "notes", "id": "2",
                "attributes": {"t": "b"}, "relationships": {"r": {"data": null}}, "links": {"self": "/notes/2"}, "meta": {"x": 2}}]}
                """#,
                // Names of types that generated code uses.
                #"""
                {"data": {"type": "embedded", "id": "1", "attributes": {"_embedded": {"x": 1}, "emptyAsNil": {"x": 1}, "price": "1.50",
                "caseIterable": {"x": 1}, "decimalText": {"x": 1}, "at": "2026-11-21T15:00:00", "dateFormatAsRead": {"x": 1}},
                "relationships": {"parent": {"data": {"type": "embedded", "id": "2"}}}}, "included": [{"type": "embedded", "id": "2"}]}
                """#,
            ]
        }
    }

    private static let plain = #"""
        {"class": {"self": 1, "class": {"self": 2}}, "a-b": [{"x": 1}, {"x": null}, null], "a_b": [1, 2.5], "none": null, "empty": [],
        "object": {}, "mixed": [1, "a", {"b": []}], "at": "2026-11-21T09:30:00Z", "big": [12345678901234567890, 1], "plain": {"plain": {}}}
        """#

    private static let variants = [
        ["--strict"], ["--strict", "--embed", "--direct", "--access", "public"], ["--explain"],
        ["--embed", "--direct", "--access", "public"],
    ]

    private static let files = [
        "attributes-of-many-kinds", "compound-document", "compound-cycle-of-two", "compound-diamond", "compound-recursive-tree",
        "create-telescope", "linkage-of-all-shapes", "linkage-polymorphic-to-many", "linkage-polymorphic-to-one", "member-names-plain",
        "meta-at-every-place", "mixed-primary-data", "fetch-to-many-relationship",
    ]

    @Test(
        "It compiles without warnings and decodes its own samples",
        .enabled(if: BuiltModules.folder != nil, "the built modules are not there"))
    func compiles() throws {
        let modules = try #require(BuiltModules.folder)
        let work = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Conformance/sections")
        var texts = try Self.samples.map { Data($0.utf8) }
        texts += try Self.files.map { try Data(contentsOf: root.appendingPathComponent("\($0).json")) }
        var program = ["import Foundation", "import JSONAPICodec", "import JSONText"]
        var sources: [String] = []
        for (number, text) in texts.enumerated() {
            let sample = work.appendingPathComponent("sample\(number).json")
            try text.write(to: sample)
            // In a debug build, each sample has two of the variants.
            for (variant, options) in Self.variants.enumerated() where TestEffort.isFull || (number + variant) % 2 == 0 {
                let options = ["--prefix", "S\(number)V\(variant)"] + options
                let source = work.appendingPathComponent("S\(number)V\(variant).swift")
                let run = CommandRun(["generate"] + options + [sample.path])
                #expect(run.status == 0, "\(run.error)")
                try Data(run.output.utf8).write(to: source)
                sources.append(source.path)
                program.append(try Self.decoding(sample.path, options))
            }
        }
        let plain = work.appendingPathComponent("plain.json")
        try Data(Self.plain.utf8).write(to: plain)
        sources.append(work.appendingPathComponent("Plain.swift").path)
        try Data(CommandRun("generate", "--root", "Plain", plain.path).output.utf8).write(to: URL(fileURLWithPath: sources.last ?? ""))
        program.append(#"_ = try JSONDecoder().decode(Plain.self, from: Data(contentsOf: URL(fileURLWithPath: "\#(plain.path)")))"#)
        program.append(#"print("decoded \#(sources.count)")"#)
        let main = work.appendingPathComponent("main.swift")
        try Data(program.joined(separator: "\n").utf8).write(to: main)
        let binary = work.appendingPathComponent("program").path
        let compiler = try modules.run(["swiftc"] + modules.arguments + ["-o", binary, main.path] + sources)
        #expect(compiler.status == 0, "\(compiler.output.prefix(4000))")
        guard compiler.status == 0 else { return }
        let run = try modules.run([binary])
        #expect(run.output == "decoded \(sources.count)\n")
    }

    @Test(
        "It compiles in a target whose default isolation is the main actor",
        .enabled(if: BuiltModules.folder != nil, "the built modules are not there"), arguments: [[], ["--direct", "--access", "public"]])
    func compilesOnTheMainActor(_ options: [String]) throws {
        let modules = try #require(BuiltModules.folder)
        let work = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = folder.appendingPathComponent("../../../Conformance/sections")
        let sources = try Self.files.enumerated().map { number, file in
            let run = CommandRun(["generate", "--prefix", "S\(number)"] + options + [root.appendingPathComponent("\(file).json").path])
            let source = work.appendingPathComponent("S\(number).swift")
            try Data(run.output.utf8).write(to: source)
            return source.path
        }
        let flags = try modules.arguments.filter { !$0.hasSuffix(".o") } + ["-typecheck", "-default-isolation", "MainActor"]
        // Its values are not nested in resources.
        let voyages = folder.appendingPathComponent("GeneratedVoyages.swift").path
        let compiler = try modules.run(["swiftc"] + flags + sources + [voyages])
        #expect(compiler.status == 0, "\(compiler.output.prefix(4000))")
    }

    /// A part of a program that decodes a sample with its included resources, encodes it, and decodes the result.
    private static func decoding(_ sample: String, _ options: [String]) throws -> String {
        let outline = try CommandRun(["generate", "--json"] + options + [sample]).outputJSON
        let document = outline["documents"]?[0]
        let isRequest = document?["isRequest"]?.bool ?? false
        let models =
            outline["types"]?.object?.filter { $0.value[0]?["external"]?.string == "id" && !$0.name.contains(".") }.map(\.name) ?? []
        return """
            do {
                var decoder = JSONAPIDecoder()
                decoder.source = \(isRequest ? ".request" : ".response")
                let text = try Data(contentsOf: URL(fileURLWithPath: "\(sample)"))
                let document = try decoder.decode(Document<\(document?["data"]?.string ?? "NoData")>.self, from: text)
                \(models.map { "_ = try document.included(\($0).self)" }.joined(separator: "; "))
                var encoder = JSONAPIEncoder()
                encoder.checksNames = false
                \(isRequest ? "" : "_ = try decoder.decode(Document<\(document?["data"]?.string ?? "NoData")>.self, from: encoder.encode(document))")
            }
            """
    }
}

/// The folders of the modules and objects of this build.
struct BuiltModules {
    let path: String

    /// The build folder, found by walking up from the test bundle or program.
    static let folder: BuiltModules? = {
        let starts =
            CommandLine.arguments.filter { $0.contains(".xctest") } + [Bundle.main.bundlePath] + Bundle.allBundles.map(\.bundlePath)
        for start in starts {
            var folder = URL(fileURLWithPath: start)
            while folder.pathComponents.count > 1 {
                if isThere(folder, "Modules/JSONAPICodec.swiftmodule"), isThere(folder, "JSONAPICodec.build") {
                    return BuiltModules(path: folder.path)
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    private static func isThere(_ folder: URL, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// The compiler arguments for building with the modules.
    var arguments: [String] {
        get throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources")
            let objects = try [
                "JSONText", "JSONMapping", "JSONAPIRules", "JSONAPIDocument", "JSONAPICodec", "JSONAPIReceiving", "JSONAPIHTTP",
                "JSONAPIValidation", "JSONAPIComparison", "JSONAPITesting", "CStackBounds",
            ].flatMap { module in
                // The object file of a source that was moved stays in the build folder.
                let sources = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(module).path)
                return sources.map { "\(path)/\(module).build/\(($0 as NSString).lastPathComponent).o" }
                    .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
            }
            return ["-swift-version", "6", "-warnings-as-errors", "-Onone", "-wmo", "-module-name", "Generated", "-I", "\(path)/Modules"]
                + ["-Xcc", "-fmodule-map-file=\(path)/CStackBounds.build/module.modulemap"] + objects
        }
    }

    /// Runs a program, found like a shell does, and returns its status and output.
    func run(_ command: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
