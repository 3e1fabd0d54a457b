import Foundation
import JSONAPICodec
import JSONText

extension FuzzTarget {
    /// Models of any width, embedded or nested to any depth, on stacks of any size. They must be decoded and encoded, or be an error. A
    /// stack overflow would end the process.
    static let stack = FuzzTarget(name: "stack", seeds: { _ in [[]] }, divisor: 500) { _, random in
        let length = 1 + random.below(1 << random.below(13))
        let stack = (256 << 10) << random.below(6)
        let job = random.pick([
            StackJob.chain(Padded<Int>.self, length), StackJob.chain(Padded<Eight<Int>>.self, length),
            StackJob.chain(Padded<Eight<Eight<Int>>>.self, length), StackJob.chain(Padded<Eight<Eight<Eight<Int>>>>.self, length),
            StackJob.values(PaddedValue<Eight<Int>>.self, length % 300), StackJob.values(PaddedValue<Eight<Eight<Int>>>.self, length % 300),
            StackJob.values(PaddedValue<Eight<Eight<Eight<Int>>>>.self, length % 300), StackJob.references(length * 8),
            StackJob.foundation(length % 600),
        ])
        if let error = StackJob.run(job, stack: stack) { throw FuzzFinding("\(error)") }
    }
}

private enum StackJob {
    /// Runs `job` on a thread with the given stack size. Returns an error unless it is a decoding or encoding error.
    static func run(_ job: @escaping @Sendable () throws -> Void, stack: Int) -> (any Error)? {
        final class Outcome: @unchecked Sendable { var error: (any Error)? }
        let outcome = Outcome()
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try job() } catch is DecodingError {} catch is EncodingError {} catch { outcome.error = error }
            end.signal()
        }
        thread.stackSize = stack
        thread.start()
        end.wait()
        return outcome.error
    }

    /// Resources that each embed the next.
    static func chain<Pad>(_ type: Padded<Pad>.Type, _ length: Int) -> @Sendable () throws -> Void {
        {
            let resources = (0..<length).map { index in
                let next = index + 1 < length ? #"[{"type":"nodes","id":"\#(index + 1)"}]"# : "[]"
                return #"{"type":"nodes","id":"\#(index)","relationships":{"next":{"data":\#(next)}}}"#
            }
            let text = #"{"data":\#(resources[0]),"included":[\#(resources.dropFirst().joined(separator: ","))]}"#
            let value = try JSONAPIDecoder().decode(type, from: Data(text.utf8))
            try require(try JSONAPIDecoder().decode(type, from: JSONAPIEncoder().encode(value)).depth == length, "another chain")
        }
    }

    /// Values that each contain the next in one attribute.
    static func values<Pad>(_ type: PaddedValue<Pad>.Type, _ depth: Int) -> @Sendable () throws -> Void {
        {
            let value = String(repeating: #"{"next":["#, count: depth) + String(repeating: "]}", count: depth)
            let text = #"{"data":{"type":"holders","id":"1","attributes":{"value":\#(depth == 0 ? "{}" : value)}}}"#
            let holder = try JSONAPIDecoder().decode(Holder<Pad>.self, from: Data(text.utf8))
            _ = try JSONAPIEncoder().encode(holder)
        }
    }

    /// Resources that each hold the next, which the program made. They are freed at the end.
    static func references(_ length: Int) -> @Sendable () throws -> Void {
        {
            var last = Reference(id: 0)
            for id in 1...length { last = Reference(id: id, next: ToOne(last)) }
            _ = try JSONAPIEncoder().encode(last)
        }
    }

    /// Arrays inside each other, in Foundation's coders.
    static func foundation(_ depth: Int) -> @Sendable () throws -> Void {
        {
            let text = Data((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
            let value = try JSONDecoder().decode(JSON.self, from: text)
            try require(try JSONEncoder().encode(value) == text, "another value")
        }
    }
}

// MARK: - Models

private struct Reference: Resource {
    static let type = "references"
    var id: Int
    var next: ToOne<Reference> = .empty
}

/// The properties that make a value wide.
private protocol Padding: Sendable {
    init()
}

extension Int: Padding {}

private struct Eight<Part: Padding>: Padding {
    var a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part()
}

private struct Padded<Pad: Padding>: Resource {
    static var type: String { "nodes" }
    var id: String
    var next: [Padded]
    var padding = Pad()

    enum CodingKeys: String, CodingKey { case id, next }

    var depth: Int {
        var depth = 1
        var rest = next
        while let first = rest.first {
            depth += 1
            rest = first.next
        }
        return depth
    }
}

private struct PaddedValue<Pad: Padding>: Codable, Sendable {
    var next: [PaddedValue]?
    var padding = Pad()

    enum CodingKeys: String, CodingKey { case next }
}

private struct Holder<Pad: Padding>: Resource {
    static var type: String { "holders" }
    var id: String
    var value: PaddedValue<Pad>
}
