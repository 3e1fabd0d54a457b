/// The words of the generated texts.
enum Vocabulary {
    static let words = """
        time year people way day man thing woman life child world school state family \
        student group country problem hand part place case week company system program \
        question work government number night point home water room mother area money \
        story fact month lot right study book eye job word business issue side kind head \
        house service friend father power hour game line end member law car city community
        """.split(separator: " ").map(String.init)

    /// Words with characters of two, three, and four bytes.
    static let foreignWords = ["café", "naïve", "Zürich", "東京", "Привет", "señor", "🚀", "œuvre", "Ελλάδα", "smörgåsbord"]

    static let firstNames = ["Ada", "Grace", "Linus", "Søren", "María", "Chen", "Amélie", "Olu", "Priya", "Jan", "Noor", "Kenji"]
    static let lastNames = [
        "Lovelace", "Hopper", "Øberg", "García", "Wei", "Dubois", "Adeyemi", "Rao", "Kowalski", "Haddad", "Sato",
    ]
    static let colors = ["red", "green", "blue", "amber", "violet"]
}
