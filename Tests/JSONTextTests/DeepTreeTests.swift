import Foundation
import JSONText
import TestSupport
import Testing

/// Values nested a million levels, on threads with a stack of 512 KiB.
///
/// With recursion 4,000 levels would be too many. The shapes with more than one value for each level have 100,000. Without optimization
/// it is a tenth of that, as each level takes ten times as long there.
@Suite("Deep values", .serialized)
struct DeepTreeTests {
    static let scale = TestEffort.count(10, debug: 1)

    enum Shape: CaseIterable {
        case arrays, objects, mixed, wide

        var depth: Int {
            switch self {
            case .arrays, .objects: DeepTreeTests.scale * 100_000
            case .mixed, .wide: DeepTreeTests.scale * 10_000
            }
        }

        func wrap(_ value: JSON, _ level: Int) -> JSON {
            switch self {
            case .arrays: [value]
            case .objects: ["a": value]
            case .mixed: level % 2 == 0 ? [1, value, "x"] : ["a": 1, "b": value, "c": nil]
            case .wide: [[[]], value, ["a": [1]]]
            }
        }

        func build(innermost: JSON = 1) -> JSON {
            var value = innermost
            for level in 0..<depth { value = wrap(value, level) }
            return value
        }
    }

    @Test("They are released without recursion", arguments: Shape.allCases)
    func freeing(shape: Shape) async {
        let isDone = await onSmallStack {
            var value = shape.build()
            let copy = value
            value = nil
            return !copy.isNull
        }
        #expect(isDone)
    }

    @Test("They are compared and hashed", arguments: Shape.allCases)
    func comparing(shape: Shape) async {
        let results = await onSmallStack {
            let value = shape.build()
            let same = shape.build()
            let other = shape.build(innermost: 2)
            return [
                value == same, value != other, value.isIdentical(to: same), !value.isIdentical(to: other),
                value.hashValue == same.hashValue, value.hashValue != other.hashValue,
            ]
        }
        #expect(results == Array(repeating: true, count: 6))
    }

    @Test("They are printed and written", arguments: Shape.allCases)
    func writing(shape: Shape) async {
        let results = await onSmallStack {
            let value = shape.build()
            var writer = JSONWriter()
            writer.maximumDepth = shape.depth + 5
            writer.sortsNames = true
            let text = value.description
            let bytes = try? writer.write(value)
            writer.maximumDepth = shape.depth - 1
            let refused = (try? writer.write(value)) == nil
            return [bytes.map { $0.elementsEqual(text.utf8) } ?? false, refused]
        }
        #expect(results == [true, true])
    }

    @Test("They are changed in place", arguments: [Shape.arrays, .objects])
    func changing(shape: Shape) async {
        let results = await onSmallStack {
            var value = shape.build()
            let token = shape == .arrays ? "0" : "a"
            let pointer = JSONPointer(tokens: Array(repeating: token, count: shape.depth))
            let found = value[pointer: pointer] == 1
            let copy = value
            value[pointer: pointer] = 2
            return [found, copy[pointer: pointer] == 1, value[pointer: pointer] == 2, value != copy]
        }
        #expect(results == Array(repeating: true, count: 4))
    }

    @Test("Foundation's coders read and write them, or throw", arguments: [64, 256, 400, 460, 508], [Shape.arrays, .objects])
    func foundation(depth: Int, shape: Shape) async {
        let isDone = await onSmallStack {
            let (opening, closing) = shape == .arrays ? ("[", "]") : (#"{"a":"#, "}")
            let text = Data((String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)).utf8)
            guard let value = try? JSON(parsing: Array(text)) else { return false }
            let decoded = try? JSONDecoder().decode(JSON.self, from: text)
            let encoded = try? JSONEncoder().encode(value)
            _ = try? PropertyListEncoder().encode(["x": value])
            return decoded.map { $0 == value } ?? (depth > 64) && encoded.map { $0 == text } ?? (depth > 64)
        }
        #expect(isDone)
    }

    @Test("A value that became deep by changes is released")
    func deepByChanges() async {
        let isDone = await onSmallStack {
            var deep = Shape.mixed.build()
            var object: JSONObject = ["a": 1]
            object["a"] = deep
            object["b", default: []] = deep
            var array: JSONArray = [1, 2, 3]
            array[1] = .object(object)
            array.replaceSubrange(0..<1, with: [.object(object)])
            array.append(contentsOf: [deep])
            var json = JSON.array(array)
            json[0]?["c"] = deep
            json[pointer: JSONPointer("1", "a")] = deep
            deep = nil
            object = [:]
            array = []
            json[pointer: JSONPointer("0")] = nil
            json[0] = nil
            let count = json.array?.count
            json = nil
            return count == 2
        }
        #expect(isDone)
    }

    @Test("A value that grew inside another is released")
    func grownInside() async {
        let isDone = await onSmallStack {
            var holder: JSON = ["a": []]
            for _ in 0..<DeepTreeTests.scale * 100_000 {
                let inner = holder["a"].take()
                holder["a"] = [inner ?? nil]
            }
            return holder["a"] != nil
        }
        #expect(isDone)
    }

    @Test("Shared parts outlive the value that contained them")
    func sharing() async {
        let isEqual = await onSmallStack {
            let shared = Shape.mixed.build()
            var holders: [JSON] = (0..<10).map { _ in [shared, ["x": shared]] }
            holders.removeAll()
            return shared == Shape.mixed.build()
        }
        #expect(isEqual)
    }

    @Test("Two threads can release one deep value at the same time")
    func threads() async {
        for _ in 0..<5 {
            let value = Shape.mixed.build()
            let holders = [JSON](repeating: value, count: 4)
            await withTaskGroup(of: Bool.self) { group in
                for holder in holders {
                    group.addTask {
                        await onSmallStack {
                            let inner: JSON = [holder, holder]
                            return inner.array?.count == 2
                        }
                    }
                }
                for await result in group { #expect(result) }
            }
        }
    }
}

/// What `body` answers on a thread with a stack of 512 KiB.
func onSmallStack<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        thread.stackSize = 512 * 1024
        thread.start()
    }
}
