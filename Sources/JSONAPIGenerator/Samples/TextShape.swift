import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// What the strings of one place have in common: whether all are dates or addresses, and which strings there are if they are few.
///
/// An empty string stands for no value on some servers. It does not count, except in `hasEmpty`.
struct TextShape {
    private(set) var count = 0
    /// Whether there is an empty string.
    private(set) var hasEmpty = false
    /// Whether all strings are empty.
    private(set) var areEmpty = true
    private var areAllDates = true
    private var areAllLocalDates = true
    private var areAllURLs = true
    private(set) var decimals = DecimalShape()
    /// The different strings, as long as they can be the cases of an enumeration.
    private var words: [String] = []
    private var areWords = true

    private static let mostWords = 8
    private static let longestWord = 30

    /// Adds one string. A string that is repeated only because its resource is repeated does not count.
    mutating func add(_ text: String, isRepeated: Bool = false) {
        guard !text.isEmpty else {
            hasEmpty = true
            return
        }
        areEmpty = false
        if !isRepeated { count += 1 }
        if areAllDates { areAllDates = UTF8Bytes.withBytes(of: text) { DateText.date($0) != nil } }
        if areAllLocalDates { areAllLocalDates = TextShape.isLocalDate(text) }
        if areAllURLs { areAllURLs = TextShape.isAbsoluteURL(text) }
        decimals.add(text)
        if areWords { addWord(text) }
    }

    /// Adds all strings of another place.
    mutating func merge(_ other: TextShape) {
        count += other.count
        hasEmpty = hasEmpty || other.hasEmpty
        areEmpty = areEmpty && other.areEmpty
        areAllDates = areAllDates && other.areAllDates
        areAllLocalDates = areAllLocalDates && other.areAllLocalDates
        areAllURLs = areAllURLs && other.areAllURLs
        decimals.merge(other.decimals)
        areWords = areWords && other.areWords
        for word in other.words where areWords { addWord(word) }
        if !areWords { words = [] }
    }

    var areDates: Bool { areAllDates && !areEmpty }
    /// Whether all are dates with a time, and the zone may be missing.
    var areLocalDates: Bool { areAllLocalDates && !areEmpty }
    var areURLs: Bool { areAllURLs && !areEmpty }

    private mutating func addWord(_ text: String) {
        guard !words.contains(where: { UTF8Bytes.areEqual($0, text) }) else { return }
        guard words.count < TextShape.mostWords, TextShape.isWord(text) else {
            areWords = false
            words = []
            return
        }
        words.append(text)
    }

    /// The different strings if they are short and few, and each occurs three times on average; otherwise empty.
    var cases: [String] { areWords && words.count >= 2 && count >= 3 * words.count ? words : [] }

    private static func isWord(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= longestWord, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

    /// `2026-11-21T09:30:00`, `2026-11-21 09:30`, and dates with a zone.
    private static func isLocalDate(_ text: String) -> Bool {
        let digits = Array("0000-00-00?00:00".utf8)
        guard text.utf8.count >= digits.count, DateLayout.iso8601.date(text) != nil else { return false }
        return zip(text.utf8, digits).allSatisfy { byte, form in
            switch form {
            case UInt8(ascii: "0"): 0x30...0x39 ~= byte
            case UInt8(ascii: "?"): byte == UInt8(ascii: " ") || byte | 0x20 == UInt8(ascii: "t")
            default: byte == form
            }
        }
    }

    /// Whether a text has the form `scheme://host…`, and `URL` would not write it differently.
    private static func isAbsoluteURL(_ text: String) -> Bool {
        guard text.contains("://"), let url = URL(string: text), let scheme = url.scheme, let host = url.host else { return false }
        return !scheme.isEmpty && !host.isEmpty && UTF8Bytes.areEqual(url.absoluteString, text)
    }
}
