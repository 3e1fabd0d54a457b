import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Wide values that are nested deeply. The stack is checked at every level, and the depth limit applies to the document.
@Suite struct WideValueTests {
    /// Eighty optional strings, and itself.
    struct Wide: Codable, Sendable {
        var a0, a1, a2, a3, a4, a5, a6, a7, a8, a9: String?
        var b0, b1, b2, b3, b4, b5, b6, b7, b8, b9: String?
        var c0, c1, c2, c3, c4, c5, c6, c7, c8, c9: String?
        var d0, d1, d2, d3, d4, d5, d6, d7, d8, d9: String?
        var e0, e1, e2, e3, e4, e5, e6, e7, e8, e9: String?
        var f0, f1, f2, f3, f4, f5, f6, f7, f8, f9: String?
        var g0, g1, g2, g3, g4, g5, g6, g7, g8, g9: String?
        var h0, h1, h2, h3, h4, h5, h6, h7, h8, h9: String?
        var inner: [Wide] = []
    }

    struct Holder<Value: Codable & Sendable>: Resource {
        static var type: String { "holders" }
        var id = "1"
        var value: Value
    }

    private func onStack(of kilobytes: Int, _ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = kilobytes * 1024
            thread.start()
        }
    }

    @Test(
        "A wide struct that embeds itself a hundred times is encoded or an error, on any stack",
        arguments: [512, 8192])
    func wide(_ kilobytes: Int) async {
        await onStack(of: kilobytes) {
            var wide = Wide(a0: "x", h9: "y")
            for _ in 1..<100 { wide = Wide(b3: "z", inner: [wide]) }
            do {
                let data = try JSONAPIEncoder().encode(Holder(value: wide))
                #expect(data.count > 1000)
            } catch {
                let failure = (error as? EncodingError)?.failure
                #expect(failure?.kind == .nestingLimit)
                #expect(failure?.advice?.contains("larger stack") == true)
            }
        }
    }

    /// A value that delegates to another value at the same place, many times.
    struct Wrapper: Codable, Sendable {
        var depth: Int
        init(_ depth: Int) { self.depth = depth }
        init(from decoder: any Decoder) throws { depth = try decoder.singleValueContainer().decode(Int.self) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if depth == 0 { try container.encode(0) } else { try container.encode(Wrapper(depth - 1)) }
        }
    }

    @Test("Values that delegate to another value do not count as depth")
    func wrappers() async {
        await onStack(of: 64 * 1024) {
            let text = try? JSONAPIEncoder().encode(Holder(value: Wrapper(2000)))
            #expect(text.map { String(decoding: $0, as: UTF8.self) } == #"{"data":{"type":"holders","id":"1","attributes":{"value":0}}}"#)
        }
    }

    private struct Tagged: DirectResource {
        static let type = "tagged"
        var id = "1"
        init() {}
        init(resource: ResourceView) throws {}
        func write(to resource: ResourceWriter) throws { try resource.attribute("tags", ["x"]) }
    }

    @Test("Arrays of scalars count as depth, like all others")
    func arraysOfScalars() throws {
        struct Inner<Value: Codable & Sendable>: Codable, Sendable { var values: [Value] }
        func encoded(_ limit: Int, _ body: (JSONAPIEncoder) throws -> Data) -> EncodingFailure? {
            var encoder = JSONAPIEncoder()
            encoder.maximumDepth = limit
            return encodingFailure { _ = try body(encoder) }
        }
        // The document, `data`, and the attributes are around the value.
        let cases: [(depth: Int, pointer: String, body: (JSONAPIEncoder) throws -> Data)] = [
            (4, "/data/attributes/value", { try $0.encode(Holder(value: [1])) }),
            (4, "/data/attributes/value", { try $0.encode(Holder(value: ["x"])) }),
            (4, "/data/attributes/tags", { try $0.encode(Tagged()) }),
            (5, "/data/attributes/value/values", { try $0.encode(Holder(value: Inner(values: [true]))) }),
            (5, "/data/attributes/value/values", { try $0.encode(Holder(value: Inner(values: [Date(timeIntervalSince1970: 0)]))) }),
            (5, "/data/attributes/value/0", { try $0.encode(Holder(value: [[1.5]])) }),
        ]
        for (depth, pointer, body) in cases {
            #expect(encoded(depth, body) == nil)
            let failure = encoded(depth - 1, body)
            #expect(failure?.kind == .nestingLimit && failure?.pointer.description == pointer)
        }
    }

    final class Chain: Codable, Sendable {
        let next: Chain?
        init(_ next: Chain?) { self.next = next }
    }

    @Test("The limit is the exact depth of the document, and can be raised", arguments: [true, false])
    func limit(_ isArray: Bool) async {
        await onStack(of: 64 * 1024) {
            func chain(_ depth: Int) -> Chain {
                var chain = Chain(nil)
                for _ in 1..<depth { chain = Chain(chain) }
                return chain
            }
            for limit in [20, 512, 2000] {
                var encoder = JSONAPIEncoder()
                encoder.maximumDepth = limit
                // The document, `data`, the resource object, and its attributes contain the value.
                let around = isArray ? 4 : 3
                let fitting = Holder(value: chain(limit - around))
                let deep = Holder(value: chain(limit - around + 1))
                let text = try? isArray ? encoder.encode([fitting]) : encoder.encode(fitting)
                do {
                    _ = try isArray ? encoder.encode([deep]) : encoder.encode(deep)
                    Issue.record("nothing was thrown")
                } catch let error as EncodingError {
                    #expect(error.failure?.kind == .nestingLimit && error.failure?.advice == "raise maximumDepth")
                } catch {
                    Issue.record("another error: \(error)")
                }
                var reading = JSONReadingOptions()
                reading.maximumDepth = limit
                #expect(text.flatMap { try? JSON(parsing: $0, options: reading) } != nil)
            }
        }
    }
}
