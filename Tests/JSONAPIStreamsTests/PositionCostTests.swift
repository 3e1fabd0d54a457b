import Foundation
import JSONAPICodec
import JSONAPIStreams
import TestSupport
import Testing

/// The places of many faults in one document that is read part by part.
@Suite struct PositionCostTests {
    typealias Support = StreamingSupport

    private func text(_ count: Int) -> String {
        #"{"data":["# + (0..<count).map { "{\"type\":\"people\",\n\"id\":\"\($0)\"}" }.joined(separator: ",\r\n") + "]}"
    }

    @Test("The line of each fault is found without counting the lines before it again")
    func cost() throws {
        let growth = try TimeGrowth(from: 900) { count in
            try Support.withFile(text(count).utf8) { url in
                try processorSeconds {
                    let cursor = try DocumentReader(url).resources(Support.Person.self)
                    var faults = 0
                    while true {
                        do { guard try cursor.next() != nil else { break } } catch { faults += 1 }
                    }
                    #expect(faults == count)
                }
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Each fault has its own line and column")
    func places() throws {
        let text = text(2000)
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url).resources(Support.Person.self)
            for index in 0..<2000 {
                let error = #expect(throws: DecodingError.self) { try cursor.next() }
                let position = error?.failure?.position
                #expect(position?.line == 2 * index + 1 && position?.column == (index == 0 ? 10 : 1), "\(index)")
            }
            let end = try cursor.next()
            #expect(end == nil)
        }
    }
}
