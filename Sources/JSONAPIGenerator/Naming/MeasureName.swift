/// Recognizes the names of measures, such as `price` and `averageRating`. A server sends 4 and 4.5 for them, so that whole numbers in a
/// few samples do not say that all are whole.
enum MeasureName {
    private static let words: Set<String> = [
        "altitude", "amount", "area", "average", "avg", "balance", "commission", "confidence", "cost", "distance", "elevation", "factor",
        "fee", "hours", "humidity", "interest", "lat", "latitude", "lng", "lon", "longitude", "margin", "mean", "median", "multiplier",
        "percent", "percentage", "pressure", "price", "probability", "profit", "rate", "rating", "ratio", "revenue", "salary", "score",
        "speed", "subtotal", "tax", "temperature", "usage", "volume", "weight",
    ]

    /// Words of amounts of money, at any place in a name.
    private static let amounts: Set<String> = [
        "amount", "balance", "charge", "charges", "cost", "costs", "credit", "debit", "deposit", "discount", "discounts", "fee", "fees",
        "gross", "msrp", "net", "paid", "payment", "price", "prices", "quantity", "refund", "refunded", "revenue", "shipping", "subtotal",
        "surcharge", "tax", "taxes", "tip", "tips", "total", "totals", "vat",
    ]

    /// Words of labels that look like numbers.
    private static let labels: Set<String> = [
        "address", "api", "barcode", "build", "chapter", "code", "date", "edition", "ean", "fax", "firmware", "gtin", "iban", "id", "ids",
        "identifier", "ip", "isbn", "key", "label", "level", "mobile", "model", "no", "num", "number", "os", "phone", "plan", "postal",
        "postcode", "ref", "reference", "release", "rev", "revision", "sdk", "section", "serial", "sku", "slug", "tel", "telephone", "time",
        "title", "token", "uuid", "ver", "version", "zip",
    ]

    /// Whether the last word of a member's name is that of a measure, or the first one, as in `average-age`.
    static func isMeasure(_ member: String) -> Bool {
        let words = words(of: member)
        return words.last.map(MeasureName.words.contains) == true || ["average", "avg", "percent"].contains(words.first)
    }

    /// Whether a word of the name is that of an amount of money.
    static func isAmount(_ member: String) -> Bool { words(of: member).contains(where: amounts.contains) }

    /// Whether a word of the name is that of a label, such as `version`.
    static func isLabel(_ member: String) -> Bool { words(of: member).contains(where: labels.contains) }

    static func words(of member: String) -> [String] {
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
