import Testing

@testable import JSONText

@Suite("Nearest names")
struct NearestNameTests {
    @Test(
        "A similar name is suggested",
        arguments: [
            ("titel", "title"), ("tilte", "title"), ("Title", "title"), ("first-name", "firstName"), ("X", "x"), ("x-", "X"), ("ids", "id"),
            ("publishedOn", "publishedAt"),
        ])
    func similar(name: String, nearest: String) {
        #expect(NearestName.find(name, in: ["zzzzzzzz", nearest]) == nearest)
    }

    @Test(
        "A name that has too little in common is not suggested",
        arguments: [("a", "b"), ("a", "ab"), ("id", "i"), ("", "a"), ("", ""), ("title", "little"), ("title", "body"), ("ab", "cd")])
    func unlike(name: String, other: String) {
        #expect(NearestName.find(name, in: [other]) == nil)
        #expect(NearestName.probe(name) { $0 == other } == nil)
    }

    @Test("Of several similar names, the first of the closest is suggested")
    func closest() {
        #expect(NearestName.find("comments", in: ["comets", "comment", "commenta"]) == "comment")
    }

    @Test(
        "A name that cannot be listed is found if it differs by one edit",
        arguments: [("titel", "title"), ("titl", "title"), ("titles", "title"), ("title", "titLe"), ("x", "X"), ("X", "x"), ("ab", "ac")])
    func probed(name: String, nearest: String) {
        #expect(NearestName.probe(name) { $0 == nearest } == nearest)
    }
}
