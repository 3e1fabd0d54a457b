import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// What the strings of one place have in common: whether all are dates or addresses, and which strings there are if they are few.
struct TextShape {
    private(set) var count = 0
    private(set) var areDates = true
    private(set) var areURLs = true
    /// The different strings, as long as they can be the cases of an enumeration.
    private var words: [String] = []
    private var areWords = true

    private static let mostWords = 8
    private static let longestWord = 30

    /// Adds one string. A string that is repeated only because its resource is repeated does not count.
    mutating func add(_ text: String, isRepeated: Bool = false) {
        if !isRepeated { count += 1 }
        if areDates { areDates = UTF8Bytes.withBytes(of: text) { DateText.date($0) != nil } }
        if areURLs { areURLs = TextShape.isAbsoluteURL(text) }
        if areWords { addWord(text) }
    }

    /// Adds all strings of another place.
    mutating func merge(_ other: TextShape) {
        count += other.count
        areDates = areDates && other.areDates
        areURLs = areURLs && other.areURLs
        areWords = areWords && other.areWords
        for word in other.words where areWords { addWord(word) }
        if !areWords { words = [] }
    }

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

    /// Whether a text has the form `scheme://host…`, and `URL` would not write it differently.
    private static func isAbsoluteURL(_ text: String) -> Bool {
        guard text.contains("://"), let url = URL(string: text), let scheme = url.scheme, let host = url.host else { return false }
        return !scheme.isEmpty && !host.isEmpty && UTF8Bytes.areEqual(url.absoluteString, text)
    }
}
