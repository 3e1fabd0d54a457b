import Foundation
import JSONText
import TestSupport

/// How many times as long random tests run: `JSONMAPPING_STRESS`, 1 by default.
let stress = ProcessInfo.processInfo.environment["JSONMAPPING_STRESS"].flatMap(Int.init) ?? 1

extension SeededRandom {
    private static let texts = [
        "", " ", "a", "42", " 42 ", "-3.9", "1e400", "1e-400", "true", "YES", "no", "é", "e\u{301}", "2016-05-16T23:47:02.000Z",
        "2016-02-30",
        "2016-05-16", "http://x/1.png", "%zz", "hearts", "low", "\u{0}", "\u{FFFF}", "\u{1F600}", "a.b", "9223372036854775808", "0x10",
        "NaN",
        "2016-05-16T23:47:02+25:00", "''", "+", ".", "-", "--", "١",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "1.5", "1e2", "1E400", "1e-999999999", "1e999999999", "9223372036854775807", "9223372036854775808",
        "-9223372036854775809", "0.1", "340282350000000000000000000000000000000", "123456789012345678901234567890.123", "2e0",
    ]
    private static let names = ["a", "b", "id", "name", "é", "e\u{301}", "a.b", "", "messages", "count", "x"]

    /// Any JSON, awkward texts and numbers before all.
    mutating func json(depth: Int = 3) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 7 : 9), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2, 3: return JSONNumber(text: Self.numbers.randomElement(using: &self) ?? "0").map { .number($0) } ?? .null
        case 4: return .number(JSONNumber(Int(truncatingIfNeeded: next())))
        case 5, 6: return .string(Self.texts.randomElement(using: &self) ?? "")
        case 7: return .array(JSONArray((0..<Int.random(in: 0..<4, using: &self)).map { _ in json(depth: depth - 1) }))
        default: return .object(object(depth: depth - 1))
        }
    }

    /// Any object; names may come twice.
    mutating func object(depth: Int = 2) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0..<5, using: &self) {
            object.append(name: Self.names.randomElement(using: &self) ?? "", value: json(depth: depth))
        }
        return object
    }

    /// Any text.
    mutating func text() -> String { Self.texts.randomElement(using: &self) ?? "" }
}
