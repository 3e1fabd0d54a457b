import Foundation
import Testing

/// Checks that every sample of the documentation is in a test, line by line.
@Suite("The samples of the documentation")
struct SampleTests {
    /// The lines of every test without indentation, each with its indentation.
    private static let sources: [[Line]] = {
        let files = (try? Repository.files(in: "Tests", withExtension: "swift")) ?? []
        return files.compactMap { try? String(contentsOf: $0, encoding: .utf8) }.map(lines(of:))
    }()

    @Test("Every sample of an article is in a test", arguments: try DocumentationPage.all())
    func samplesAreRun(_ page: DocumentationPage) {
        for sample in page.samples {
            let lines = Self.lines(of: sample)
            #expect(Self.sources.contains { Self.contains($0, lines) }, "\(page.url.lastPathComponent): no test runs\n\(sample)")
        }
    }

    @Test("Every library product has a catalog")
    func catalogsExist() throws {
        let catalogs = Set(try DocumentationPage.all().map { $0.url.deletingLastPathComponent().lastPathComponent })
        #expect(
            catalogs == [
                "JSONText.docc", "JSONMapping.docc", "JSONAPIDocument.docc", "JSONAPICodec.docc", "JSONAPIHTTP.docc",
                "JSONAPIReceiving.docc",
                "JSONAPIValidation.docc",
                "JSONAPIArchive.docc", "JSONAPIStore.docc", "JSONAPIStreams.docc", "JSONAPISchemas.docc", "JSONAPILegacy.docc",
                "JSONAPITesting.docc",
            ])
        #expect(try DocumentationPage.all().map(\.samples.count).reduce(0, +) > 50)
    }

    @Test("A sample that is in no test is found", arguments: ["let a = 1", "if true {\nlet made = up\n}"])
    func missingSamplesAreFound(_ sample: String) {
        let source = Self.lines(of: "    if true {\n        let made = up\n    }")
        #expect(!Self.contains(source, Self.lines(of: sample)))
        #expect(Self.contains(source, Self.lines(of: "if true {\n    let made = up\n}")))
    }

    // MARK: - Lines

    private struct Line: Equatable {
        let indentation: Int
        let text: Substring
    }

    private static func lines(of text: String) -> [Line] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let content = line.drop { $0 == " " }
            return Line(indentation: line.count - content.count, text: content)
        }
    }

    /// Whether a source contains the lines in sequence, all with the same additional indentation.
    private static func contains(_ source: [Line], _ lines: [Line]) -> Bool {
        guard let first = lines.first, lines.count <= source.count else { return false }
        return source.indices.dropLast(lines.count - 1).contains { start in
            guard source[start].text == first.text else { return false }
            let shift = source[start].indentation - first.indentation
            return zip(source[start...], lines).allSatisfy { inSource, line in
                inSource.text == line.text && (line.text.isEmpty || inSource.indentation - line.indentation == shift)
            }
        }
    }
}
