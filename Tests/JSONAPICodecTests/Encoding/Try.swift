import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite struct TryTests {
    @Test func shows() throws {
        let person = Writer(id: "9", firstName: "Dan")
        var story = Story(id: "1", title: "T", author: ToOne(person), comments: [Remark(id: "5", body: "x", author: person)])
        story.reviewers = [.person(person), .team(Team(id: "1", name: "A"))]
        let e = JSONAPIEncoder()
        print(try e.text(story))
        print(try e.text([story], include: ["comments.author"], fields: ["people": ["twitter"], "articles": ["comments"]]))
        print(try e.text(story, include: .none))
        print(try e.text(Create(story)))
        print(
            try e.text(
                story.patch {
                    $0.title = "New"; $0.comments = []; $0.author = nil; $0.reviewers = .notLoaded
                }))
        print(try e.text(Patch<Story>(id: "1").set("title", "New").setNull("subtitle").link("author", to: person)))
        print(story.patch { _ in }.isEmpty)
        print(
            try e.text(
                Create(
                    type: "projects", attributes: ["title": "Test Project"],
                    relationships: [.toOne("users", ResourceIdentifier(type: "users", id: "4"))])))
        let data = try e.encode(story)
        let back = try JSONAPIDecoder().decode(Story.self, from: data)
        #expect(back == story)
        print(back.author.value as Any, back.reviewers.values)
        let doc = try JSONAPIDecoder().decode(Document<Story>.self, from: data)
        print(String(decoding: try e.encode(doc), as: UTF8.self) == String(decoding: data, as: UTF8.self))
    }
}
