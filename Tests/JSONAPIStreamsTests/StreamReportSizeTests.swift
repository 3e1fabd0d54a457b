import Foundation
import JSONAPIStreams
import Testing

@testable import JSONAPICodec

/// The size of the diagnostics of streams and readers.
@Suite struct StreamReportSizeTests {
    typealias Support = StreamingSupport

    @Test(arguments: [0, 20_000, 1 << 20]) func theMaximumSizeAppliesToAllPartsOfADocument(_ limit: Int) async throws {
        var decoder = JSONAPIDecoder()
        decoder.maximumDiagnosticBytes = limit
        decoder.invalidElements = .drop
        decoder.reportsPositions = false
        // Lists of names give long messages, which take more than 256 KiB together.
        let names = ["😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇"].map { #""\#(String(repeating: $0, count: 60))":1"# }.joined(separator: ",")
        let people = (0..<150).map { #"{"type":"people","id":"\#($0)","attributes":{\#(names)}}"# }.joined(separator: ",")
        let text = #"{"data":[\#(people)]}"#
        let stream = DocumentStream(Support.chunks(text, size: 50_000), of: Support.Person.self, decoder: decoder)
        #expect(await Support.read(stream).error == nil)
        var reports = [stream.diagnostics]
        let included = #"{"data":[],"included":[\#(people)]}"#
        for text in [text, included] {
            try Support.withFile(text.utf8) { url in
                let reader = try DocumentReader(url, decoder: decoder)
                let cursor =
                    text == included ? reader.included(Support.Person.self) : reader.resources(Support.Person.self)
                let next = try cursor.next()
                #expect(next == nil)
                reports.append(cursor.diagnostics)
            }
        }
        for found in reports {
            #expect(found.count(of: .droppedElement) == 150 && found.count + found.omittedCount == 150)
            #expect(cost(found) <= limit && cost(found) > min(limit, 300_000) - 3000)
            #expect(limit < 1 << 20 || found.count == 150)
        }
    }

    /// The cost of diagnostics.
    private func cost(_ diagnostics: Diagnostics) -> Int {
        diagnostics.reduce(0) { $0 + $1.pointer.description.utf8.count + $1.message.utf8.count + Diagnostic.overhead }
    }
}
