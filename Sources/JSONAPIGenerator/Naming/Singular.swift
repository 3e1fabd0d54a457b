/// Converts English plurals to singulars with a few rules. A word is unchanged in doubt.
///
/// `articles` → `article`, `categories` → `category`, `addresses` → `address`, `people` → `person`. `news`, `status`, and words of other
/// languages are unchanged.
enum Singular {
    /// Returns the singular of an ASCII word, with its case. Returns any other word unchanged.
    static func form(of word: String) -> String {
        let lower = word.lowercased()
        if let singular = irregular[lower] { return withCapital(of: word, singular) }
        guard lower.utf8.count > 2, lower.hasSuffix("s"), !unchanged.contains(lower), lower.utf8.allSatisfy({ $0 < 0x80 }) else {
            return word
        }
        if ["ss", "us", "is"].contains(where: lower.hasSuffix) { return word }
        return String(word.dropLast(lost(of: lower))) + (endsInY(lower) ? "y" : "")
    }

    private static func withCapital(of word: String, _ singular: String) -> String {
        word.first?.isUppercase == true ? singular.prefix(1).uppercased() + singular.dropFirst() : singular
    }

    private static func endsInY(_ word: String) -> Bool {
        word.hasSuffix("ies") && word.utf8.count > 4 && !endingInIE.contains(word)
    }

    /// The number of letters to remove at the end.
    private static func lost(of word: String) -> Int {
        if endsInY(word) { return 3 }
        guard word.hasSuffix("es") else { return 1 }
        let isSibilant = ["sses", "shes", "xes", "zzes"].contains(where: word.hasSuffix)
        let isCH = word.hasSuffix("ches") && !endingInE.contains(word)
        let isUS =
            word.hasSuffix("uses") && word.utf8.count > 4 && !["auses", "ouses", "cuses", "fuses", "muses"].contains(where: word.hasSuffix)
        let isO = word.hasSuffix("oes") && !endingInE.contains(word)
        return isSibilant || isCH || isUS || isO || endingInS.contains(word) ? 2 : 1
    }

    private static let irregular = [
        "people": "person", "children": "child", "men": "man", "women": "woman", "mice": "mouse", "geese": "goose", "feet": "foot",
        "teeth": "tooth", "shelves": "shelf", "leaves": "leaf", "wolves": "wolf", "halves": "half", "knives": "knife", "wives": "wife",
        "lives": "life", "thieves": "thief", "loaves": "loaf", "analyses": "analysis", "theses": "thesis", "crises": "crisis",
        "hypotheses": "hypothesis", "diagnoses": "diagnosis", "criteria": "criterion", "indices": "index", "vertices": "vertex",
        "matrices": "matrix", "appendices": "appendix", "quizzes": "quiz", "focuses": "focus",
    ]

    private static let unchanged: Set<String> = [
        "series", "species", "news", "means", "gas", "lens", "canvas", "alias", "atlas", "bias", "always", "mathematics", "physics",
        "politics", "economics", "analytics", "statistics", "graphics", "gps", "dns", "sms", "ios", "aws", "cms", "https", "os", "tls",
        "headquarters", "goods", "kubernetes", "yes", "pos", "cos",
    ]

    private static let endingInIE: Set<String> = [
        "movies", "cookies", "zombies", "selfies", "calories", "brownies", "rookies", "hoodies", "birdies", "prairies", "genies",
        "smoothies", "pixies", "eyries", "newbies", "indies", "magpies", "cowries", "neckties",
    ]

    private static let endingInE: Set<String> = [
        "caches", "headaches", "aches", "niches", "avalanches", "creches", "shoes", "toes", "foes", "canoes", "oboes", "tiptoes",
    ]

    private static let endingInS: Set<String> = ["gases", "aliases", "biases", "canvases", "atlases", "lenses"]
}
