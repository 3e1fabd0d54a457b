import Foundation
import JSONText
import Testing

@Suite("JSON values")
struct JSONTreeTests {
    @Test("Accessors return nil for other kinds of values")
    func accessors() {
        let values: [JSON] = [nil, true, 1, 1.5, "a", [1], ["a": 1]]
        #expect(values.map(\.isNull) == [true, false, false, false, false, false, false])
        #expect(values.map(\.bool) == [nil, true, nil, nil, nil, nil, nil])
        #expect(values.map(\.int) == [nil, nil, 1, nil, nil, nil, nil])
        #expect(values.map(\.double) == [nil, nil, 1, 1.5, nil, nil, nil])
        #expect(values.map(\.string) == [nil, nil, nil, nil, "a", nil, nil])
        #expect(values.map { $0.number?.text } == [nil, nil, "1", "1.5", nil, nil, nil])
        #expect(values.map { $0.array?.count } == [nil, nil, nil, nil, nil, 1, nil])
        #expect(values.map { $0.object?.count } == [nil, nil, nil, nil, nil, nil, 1])
    }

    @Test("Values that are known at run time")
    func runtimeValues() throws {
        let (text, flag, small, large) = ("é\n", true, Int8.min, UInt64.max)
        #expect(
            [JSON(text), JSON(text.dropLast()), JSON(flag), JSON(small), JSON(large)] == [
                "é\n", "é", true, -128, .number(JSONNumber(large)),
            ])
        let (double, float): (Double, Float) = (0.1, 0.1)
        #expect(
            try JSON(double) == 0.1 && JSON(float) == 0.1 && JSON(double * 10).description == "1" && JSON(-0.0 * double).description == "-0"
        )
        #expect(
            JSON([JSON(text), JSON(flag)]) == [JSON(text), true] && JSON(JSONArray([1])) == [1]
                && JSON((1...2).lazy.map { JSON($0) }) == [1, 2])
        let members: [String: JSON] = ["b": JSON(flag), "a": JSON(text), "é": 1]
        #expect(JSON(members).description == #"{"a":"é\n","b":true,"é":1}"#)
        #expect(JSON(String()) == "" && JSON([String: JSON]()) == [:] && JSON([JSON]()) == [])
        #expect(JSON(text + "b") == "é\nb" && JSON(small + 1) == -127 && JSON(!flag) == false)
        let (texts, flags, counts, prices) = (["a"], [flag], [1], [double])
        #expect(texts.map(JSON.init) + flags.map(JSON.init) + counts.map(JSON.init) + prices.map(JSON.init) == ["a", true, 1, 0.1])
        #expect(try prices.map { try JSON($0) } == [0.1])
    }

    @Test("A number at run time that JSON cannot represent throws", arguments: [Double.nan, .infinity, -.infinity])
    func nonFiniteValues(_ value: Double) {
        #expect(throws: JSONNumberError(.notRepresentable, text: "")) { try JSON(value) }
        #expect(throws: JSONNumberError(.notRepresentable, text: "")) { try JSON(Float(value)) }
    }

    @Test("A literal in parentheses is a literal")
    func literalsInParentheses() {
        #expect([JSON("a"), JSON(1), JSON(-1), JSON(1.5), JSON(2.0), JSON(true), JSON(nil)] == ["a", 1, -1, 1.5, 2, true, nil])
        #expect(JSON("\(1)b") == "1b" && JSON([1, nil, ["a"]]) == [1, nil, ["a"]] && JSON(["a": 1]) == ["a": 1])
        #expect(JSON([]) == [] && JSON([:]) == [:])
        #expect(JSON(["b": 1, "a": true]).description == #"{"b":1,"a":true}"# && JSON(["a": 1, "a": 2]).object?.count == 2)
    }

    @Test("A value has a stride of 24 bytes")
    func size() {
        #expect(MemoryLayout<JSON>.stride == 24)
        #expect(MemoryLayout<JSONArray>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<JSONObject>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<JSONNumber>.size == MemoryLayout<String>.size)
    }

    @Test("The description is compact JSON in member order")
    func description() {
        let json: JSON = ["b": [1, 2.5, nil, true, "x\n\"é"], "a": [:], "c": []]
        #expect("\(json)" == #"{"b":[1,2.5,null,true,"x\n\"é"],"a":{},"c":[]}"#)
    }

    @Test("Subscripts replace, append, and remove members at any level")
    func memberSubscripts() {
        var json: JSON = ["a": ["b": [1, 2, 3]], "c": 1]
        json["a"]?["b"]?[1] = "two"
        json["a"]?["d"] = nil
        json["a"]?["e"] = false
        json["c"] = nil
        #expect("\(json)" == #"{"a":{"b":[1,"two",3],"e":false}}"#)
        json["a"]?["b"]?[0] = nil
        #expect("\(json)" == #"{"a":{"b":["two",3],"e":false}}"#)
    }

    @Test("Setting a member of null creates an object; removing one does not")
    func memberOfNull() {
        var json: JSON = nil
        json["a"] = nil
        #expect(json.isNull)
        json["a"] = 1
        #expect("\(json)" == #"{"a":1}"#)
    }

    @Test("Setting through another kind of value, or out of range, changes nothing")
    func ignoredSettings() {
        var text: JSON = "text"
        text["a"] = 1
        text[0] = 1
        #expect(text == "text")
        var array: JSON = [1]
        array[1] = 2
        array[-1] = 2
        array[.max] = nil
        #expect(array == [1])
        #expect(array[1] == nil)
        #expect(array[-1] == nil)
    }

    @Test("A copy keeps its value when the original changes")
    func copies() {
        var json: JSON = ["a": [["b": 1]]]
        let copy = json
        json["a"]?[0]?["b"] = 2
        json[pointer: JSONPointer("a", "-")] = 3
        #expect("\(copy)" == #"{"a":[{"b":1}]}"#)
        #expect("\(json)" == #"{"a":[{"b":2},3]}"#)
    }

    @Test(
        "Equal values have equal hashes",
        arguments: [
            ("[1.0,1e2,0]", "[1,100,-0]"),
            (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#),
            (#"{"a":9,"a":1}"#, #"{"a":1}"#),
            (#"{"a":9,"b":2,"a":1}"#, #"{"b":2,"a":8,"a":7,"a":1}"#),
            ("[]", "[]"),
            ("{}", "{}"),
        ])
    func equality(left: String, right: String) throws {
        let (left, right) = (try Self.tree(left), try Self.tree(right))
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
    }

    @Test(
        "Different values differ",
        arguments: [
            ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[]", "{}"), ("null", "false"), ("0", "\"0\""), ("1", "10"),
            (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"a":1,"b":1}"#),
            (#"{"a":1,"a":2}"#, #"{"a":1}"#), ("\"caf\u{E9}\"", "\"cafe\u{301}\""), ("[[1],2]", "[[1],3]"),
            ("{\"caf\u{E9}\":1}", "{\"cafe\u{301}\":1}"), ("[[1,[2]],[3]]", "[[1,[4]],[3]]"),
        ])
    func inequality(left: String, right: String) throws {
        let (left, right) = (try Self.tree(left), try Self.tree(right))
        #expect(left != right)
        #expect(right != left)
        #expect(!left.isIdentical(to: right))
    }

    @Test("Identity compares order, repetitions, and number text")
    func identity() throws {
        let json = try Self.tree(#"{"a":1,"b":[1.0,{"c":null}]}"#)
        #expect(json.isIdentical(to: try Self.tree(#"{"a":1,"b":[1.0,{"c":null}]}"#)))
        #expect(!json.isIdentical(to: try Self.tree(#"{"b":[1.0,{"c":null}],"a":1}"#)))
        #expect(!json.isIdentical(to: try Self.tree(#"{"a":1,"b":[1,{"c":null}]}"#)))
        #expect(!(try Self.tree(#"{"a":1,"a":1}"#)).isIdentical(to: try Self.tree(#"{"a":1}"#)))
    }

    @Test("Sets distinguish canonically equal strings with different bytes")
    func sets() {
        let set: Set<JSON> = ["caf\u{E9}", "cafe\u{301}", 1, 1.0, ["a": 1, "b": 2], ["b": 2, "a": 1]]
        #expect(set.count == 4)
    }

    @Test("Generated values are equal in any order and form, and differ after one change")
    func generated() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let value = Self.generate(&generator, levels: 4)
            let respelled = Self.respell(value, &generator)
            #expect(value == respelled)
            #expect(value.hashValue == respelled.hashValue)
            #expect(value.isIdentical(to: value))
            let changed: JSON = [Self.change(value)]
            #expect([value] != changed)
            #expect(changed != [value])
        }
    }

    private static func generate(_ generator: inout SystemRandomNumberGenerator, levels: Int) -> JSON {
        let count = Int.random(in: 0...(levels == 2 ? 25 : 4), using: &generator)
        switch Int.random(in: levels > 0 ? 3...7 : 0...4, using: &generator) {
        case 0: return nil
        case 1: return .bool(Bool.random(using: &generator))
        case 2, 3: return .number(JSONNumber(Int.random(in: -1000...1000, using: &generator)))
        case 4: return .string("text \(Int.random(in: 0...5, using: &generator))")
        case 5: return .array(JSONArray((0..<count).map { _ in generate(&generator, levels: levels - 1) }))
        default:
            let members = (0..<count).map { _ in
                // Few names, so that some are repeated.
                let name = "name \(Int.random(in: 0...40, using: &generator))"
                return JSONObject.Member(name: name, value: generate(&generator, levels: levels - 1))
            }
            return .object(JSONObject(members: members))
        }
    }

    /// The same value: members that are found in another order, whole numbers with an exponent.
    private static func respell(_ value: JSON, _ generator: inout SystemRandomNumberGenerator) -> JSON {
        switch value {
        case .number(let number): return .number(JSONNumber(text: number.text + "0.00e-1") ?? number)
        case .array(let array): return .array(JSONArray(array.map { respell($0, &generator) }))
        case .object(let object):
            let names = Set(object.names).shuffled(using: &generator)
            return .object(
                JSONObject(members: names.map { .init(name: $0, value: respell(object[$0] ?? nil, &generator)) }))
        default: return value
        }
    }

    private static func change(_ value: JSON) -> JSON {
        switch value {
        case .array(let array) where !array.isEmpty: return .array([change(array[0])] + array.dropFirst())
        case .object(var object):
            object["another name"] = 1
            return .object(object)
        case .array: return [1]
        default: return [value]
        }
    }

    @Test("Every Codable coder encodes and decodes values")
    func codable() throws {
        let json: JSON = [
            "null": nil, "bool": true, "int": -5, "big": .number(JSONNumber(UInt64.max)), "double": 0.5,
            "string": "é", "array": [1, [], "x"], "object": ["a": [:]],
        ]
        let data = try JSONEncoder().encode(json)
        #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
        let text = #"{"zero":-0.0,"whole":1.0,"array":[null,[1]]}"#
        let decoded = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        #expect(decoded == ["zero": 0, "whole": 1, "array": [nil, [1]]])
        let minusZero = try JSONEncoder().encode([JSONNumber(-0.0)])
        #expect(String(decoding: minusZero, as: UTF8.self) == "[-0]")
    }

    @Test("Encoding a number beyond the range of Double throws EncodingError")
    func encodingOutOfRange() throws {
        let number = try #require(JSONNumber(text: "1e400"))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([JSON.number(number)]) }
    }

    @Test("Decoding a number beyond the range of Double throws dataCorrupted", arguments: ["1e400", "[1,-1e400]", #"{"a":1e400}"#])
    func decodingOutOfRange(_ text: String) {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("Double"))
    }

    @Test("Only the last member of a repeated name is encoded")
    func encodingRepeatedNames() throws {
        let data = try JSONEncoder().encode(["a": 1, "a": 2] as JSON)
        #expect(String(decoding: data, as: UTF8.self) == #"{"a":2}"#)
    }

    @Test("Encoding names that are equal in Swift throws EncodingError")
    func encodingNamesThatAreEqualInSwift() throws {
        let json: JSON = ["caf\u{E9}": 1, "cafe\u{301}": 2]
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(json) }
        #expect(try JSON(parsing: Array(JSONWriter().write(json))) == json)
    }

    /// A tree of a text, with number texts and repeated names kept.
    static func tree(_ text: String) throws -> JSON {
        var reader = TreeReader(bytes: Array(text.utf8))
        return try reader.value()
    }
}

/// As much of a JSON reader as these tests need, so that they do not hang on the parser's tests.
struct TreeReader {
    struct Fault: Error {}

    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    mutating func value() throws -> JSON {
        switch next {
        case UInt8(ascii: "n"): index += 4; return nil
        case UInt8(ascii: "t"): index += 4; return true
        case UInt8(ascii: "f"): index += 5; return false
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "["):
            var array = JSONArray()
            index += 1
            while next != UInt8(ascii: "]") {
                array.append(try value())
                if next == UInt8(ascii: ",") { index += 1 }
            }
            index += 1
            return .array(array)
        case UInt8(ascii: "{"):
            var object = JSONObject()
            index += 1
            while next != UInt8(ascii: "}") {
                let name = string()
                index += 1
                object.append(name: name, value: try value())
                if next == UInt8(ascii: ",") { index += 1 }
            }
            index += 1
            return .object(object)
        default:
            let start = index
            while index < bytes.count, !",]}".utf8.contains(next) { index += 1 }
            guard let number = JSONNumber(text: String(decoding: bytes[start..<index], as: UTF8.self)) else {
                throw Fault()
            }
            return .number(number)
        }
    }

    private mutating func string() -> String {
        index += 1
        let start = index
        while next != UInt8(ascii: "\"") { index += 1 }
        defer { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }
}
