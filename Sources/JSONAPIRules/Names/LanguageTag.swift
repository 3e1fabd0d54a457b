/// Checks whether a text is a well-formed language tag.
///
///     zh-Hant-TW      language, script, region
///     sl-rozaj-biske  language, two variants
///     en-u-ca-gregory language, an extension
///     x-private       private use
///
/// A variant, and the letter or digit of an extension, occurs only once. It does not check whether subtags are registered.
/// <https://www.rfc-editor.org/rfc/rfc5646#section-2.1>
struct LanguageTag {
    private var subtags: ArraySlice<ArraySlice<UInt8>>

    static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        if irregular.contains(bytes.map(lowercased)) { return true }
        var tag = LanguageTag(subtags: bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...])
        return tag.parse()
    }

    private mutating func parse() -> Bool {
        guard subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isASCIILetterOrDigit) }) else { return false }
        if takePrivateUse() { return subtags.isEmpty }
        guard let language = subtags.popFirst(), (2...8).contains(language.count), language.allSatisfy(\.isASCIILetter)
        else { return false }
        if language.count <= 3 {
            var extended = 0
            while extended < 3, take({ $0.count == 3 && $0.allSatisfy(\.isASCIILetter) }) { extended += 1 }
        }
        take { $0.count == 4 && $0.allSatisfy(\.isASCIILetter) }
        take { $0.count == 2 && $0.allSatisfy(\.isASCIILetter) || $0.count == 3 && $0.allSatisfy(\.isASCIIDigit) }
        let beforeVariants = subtags
        while take({ $0.count >= 5 || $0.count == 4 && $0.first?.isASCIIDigit == true }) {}
        let variants = beforeVariants.prefix(beforeVariants.count - subtags.count)
        var singletons: [ArraySlice<UInt8>] = []
        while let singleton = subtags.first, takeExtension() { singletons.append(singleton) }
        _ = takePrivateUse()
        return subtags.isEmpty && Self.areDifferent(variants) && Self.areDifferent(singletons)
    }

    private static func areDifferent(_ subtags: some Collection<ArraySlice<UInt8>>) -> Bool {
        Set(subtags.map { $0.map(lowercased) }).count == subtags.count
    }

    @discardableResult private mutating func take(_ isWanted: (ArraySlice<UInt8>) -> Bool) -> Bool {
        guard let first = subtags.first, isWanted(first) else { return false }
        subtags.removeFirst()
        return true
    }

    /// Reads an extension: a single letter or digit, and at least one subtag of two or more characters.
    private mutating func takeExtension() -> Bool {
        guard subtags.count >= 2, let first = subtags.first, first.count == 1, !Self.isX(first),
            subtags[subtags.startIndex + 1].count >= 2
        else { return false }
        subtags.removeFirst()
        while take({ $0.count >= 2 }) {}
        return true
    }

    /// Reads a private-use part: `x`, and at least one subtag of any length.
    private mutating func takePrivateUse() -> Bool {
        guard subtags.count >= 2, let first = subtags.first, Self.isX(first) else { return false }
        subtags.removeAll()
        return true
    }

    private static func isX(_ subtag: ArraySlice<UInt8>) -> Bool {
        subtag.count == 1 && subtag.first.map(lowercased) == UInt8(ascii: "x")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// Tags that were registered before the grammar existed and do not follow it.
    private static let irregular: Set<[UInt8]> = Set(
        [
            "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux", "i-mingo", "i-navajo", "i-pwn",
            "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl", "sgn-ch-de",
        ].map { Array($0.utf8) })
}
