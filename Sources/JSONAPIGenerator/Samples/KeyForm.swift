import Foundation

/// Distinguishes names of a record, such as `street`, from names that are data, such as ids, locales, days, and paths.
enum KeyForm {
    /// Whether an object is a dictionary with arbitrary names, and not a record.
    static func areData(_ object: ObjectShape) -> Bool {
        let names = object.members.map(\.name)
        guard names.count > 1 else { return names.first.map { isNumber($0) || isLong($0) || isPath($0) || isRegional($0) } ?? false }
        return names.allSatisfy(isNumber) || names.allSatisfy(isLong) || names.allSatisfy(isPath) || names.allSatisfy(isDay)
            || areLocales(names) || isScattered(object)
    }

    /// Whether the names of an object are languages.
    static func areLanguages(_ object: ObjectShape) -> Bool { areLocales(object.members.map(\.name)) }

    /// Whether an object has members that its users choose, such as `metadata`. The next object can have any others.
    static func isFree(_ object: ObjectShape, named name: String) -> Bool {
        !object.isUniform && MeasureName.words(of: name).last.map(freeNames.contains) == true
    }

    /// The last words of names of such objects.
    private static let freeNames: Set<String> = [
        "annotations", "context", "custom", "data", "extra", "extras", "fields", "labels", "metadata", "options", "parameters", "params",
        "payload", "preferences", "properties", "settings", "timestamps", "translations", "variables",
    ]

    private static func isNumber(_ name: String) -> Bool { !name.isEmpty && name.utf8.allSatisfy { 0x30...0x39 ~= $0 } }

    /// Whether a name is a UUID or a long hexadecimal number.
    private static func isLong(_ name: String) -> Bool {
        let digits = name.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count >= 16, digits.contains(where: { 0x30...0x39 ~= $0 }) else { return false }
        return digits.allSatisfy { 0x30...0x39 ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20 }
    }

    private static func isPath(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: "/")) }

    /// Whether a name is a day, such as `2026-11-21`.
    private static func isDay(_ name: String) -> Bool {
        name.utf8.count == 10
            && zip(name.utf8, "0000-00-00".utf8).allSatisfy { $1 == UInt8(ascii: "-") ? $0 == $1 : 0x30...0x39 ~= $0 }
    }

    /// Whether all names are languages, such as `en`, `pt-BR`, and `zh_Hant`. One of them must be common, because short words can look the
    /// same.
    private static func areLocales(_ names: [String]) -> Bool {
        let languages = names.map { name in
            name.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init) ?? ""
        }
        let areShort = zip(names, languages).allSatisfy { $0.utf8.count == 2 || $0.utf8.count >= 5 && $1.utf8.count == 2 }
        return areShort && languages.allSatisfy(known.contains) && languages.contains(where: common.contains)
    }

    /// Whether a name is a common language with a region, such as `en_us`. It is data even if no other name occurs beside it.
    private static func isRegional(_ name: String) -> Bool { name.utf8.count == 5 && areLocales([name]) }

    private static let common: Set<String> = ["en", "de", "fr", "es", "pt", "ja", "zh"]
    private static let known: Set<String> = common.union([
        "ar", "bg", "bn", "ca", "cs", "cy", "da", "el", "et", "fa", "fi", "ga", "gl", "gu", "he", "hi", "hr", "hu", "id", "is", "it",
        "kn", "ko", "lt", "lv", "mk", "ml", "mr", "ms", "mt", "nb", "nl", "nn", "no", "pa", "pl", "ro", "ru", "sk", "sl", "sq", "sr",
        "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "vi",
    ])

    /// Whether there are many names, and each object has few of them.
    private static func isScattered(_ object: ObjectShape) -> Bool {
        object.members.count > 20 && object.members.reduce(0) { $0 + $1.count } * 4 < object.members.count * object.count
    }
}
