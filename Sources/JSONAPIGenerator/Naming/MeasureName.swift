/// Recognizes the names of measures, such as `price` and `averageRating`. A server sends 4 and 4.5 for them, so that whole numbers in a
/// few samples do not say that all are whole.
enum MeasureName {
    private static let words: Set<String> = [
        "amount", "average", "avg", "balance", "cost", "lat", "latitude", "lng", "lon", "longitude", "percent", "percentage", "price",
        "rate", "rating", "ratio", "score", "tax", "temperature", "weight",
    ]

    /// Whether the last word of a member's name is that of a measure, or the first one, as in `average-age`.
    static func isMeasure(_ member: String) -> Bool {
        let words = words(of: member)
        return words.last.map(MeasureName.words.contains) == true || ["average", "avg", "percent"].contains(words.first)
    }

    private static func words(of member: String) -> [String] {
        var words: [String] = [""]
        for scalar in member.unicodeScalars {
            guard scalar.properties.isAlphabetic else {
                words.append("")
                continue
            }
            if scalar.properties.isUppercase, words[words.count - 1].unicodeScalars.last?.properties.isUppercase == false {
                words.append("")
            }
            words[words.count - 1].unicodeScalars.append(scalar)
        }
        return words.filter { !$0.isEmpty }.map { $0.lowercased() }
    }
}
