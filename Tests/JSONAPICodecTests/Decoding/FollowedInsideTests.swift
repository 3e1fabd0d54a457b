import Foundation
import JSONAPICodec
import JSONText
import Testing

/// References that a model follows while it is read.
@Suite struct FollowedInsideTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var label: String
        var boss: ToOne<Person>
        var deputy: ToOne<Person>
        var team: ToMany<Person>

        private enum CodingKeys: CodingKey { case id, label, boss, deputy, team }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            boss = try container.decode(ToOne<Person>.self, forKey: .boss)
            deputy = try container.decode(ToOne<Person>.self, forKey: .deputy)
            team = try container.decode(ToMany<Person>.self, forKey: .team)
            let names = [boss.value?.label, deputy.value?.label].map { $0 ?? "-" } + team.values.map(\.label)
            label = names.joined(separator: " ")
        }
    }

    private struct Strict: Resource {
        static let type = "people"
        var id: String
        var boss: ToOne<Person>

        private enum CodingKeys: CodingKey { case id, boss }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            boss = try container.decode(ToOne<Person>.self, forKey: .boss)
            _ = try boss.resolved()
        }
    }

    private func person(_ id: String, _ other: String) -> String {
        let link = #"{"data":{"type":"people","id":"\#(other)"}}"#
        let team = #"{"data":[{"type":"people","id":"\#(other)"}]}"#
        return #"{"type":"people","id":"\#(id)","relationships":{"boss":\#(link),"deputy":\#(link),"team":\#(team)}}"#
    }

    private var data: Data { Data(#"{"data":\#(person("1", "2")),"included":[\#(person("2", "1"))]}"#.utf8) }

    @Test("Models that follow their references in a circle are read at once, and the references have their values afterwards")
    func circle() throws {
        let one = try JSONAPIDecoder().decode(Person.self, from: data)
        #expect(one.label == "- -")
        let two = try #require(one.boss.value)
        #expect(two.id == "2" && two.label == "- -")
        #expect(two.deputy.value?.id == "1" && two.team.values.map(\.id) == ["1"])
        #expect(one.team.value(for: ResourceIdentifier(type: "people", id: "2"))?.id == "2")
    }

    @Test("Following a reference in the initializer of its model is an error that says what to do")
    func resolved() throws {
        let error = try #require(throws: DecodingError.self) { try JSONAPIDecoder().decode(Strict.self, from: data) }
        #expect("\(error)".contains("follow it after decoding"))
    }

    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var seen: String
        var a: ToOne<Node>
        var b: ToOne<Node>

        private enum CodingKeys: CodingKey { case id, a, b }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            a = try container.decode(ToOne<Node>.self, forKey: .a)
            b = try container.decode(ToOne<Node>.self, forKey: .b)
            seen = (a.value?.id ?? "-") + (b.value?.id ?? "-")
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("No order of links gives a reference a value while its document is read", arguments: [("2", "3"), ("3", "2")])
    func orders(a: String, b: String) throws {
        func node(_ id: String, _ links: [(String, String)]) -> String {
            let links = links.map { #""\#($0)":{"data":{"type":"nodes","id":"\#($1)"}}"# }.joined(separator: ",")
            return #"{"type":"nodes","id":"\#(id)","relationships":{\#(links)}}"#
        }
        let included = [node("2", [("a", "3"), ("b", "3")]), node("3", [("a", "4"), ("b", "4")]), node("4", [("a", "3"), ("b", "3")])]
        let text = #"{"data":\#(node("1", [("a", a), ("b", b)])),"included":[\#(included.joined(separator: ","))]}"#
        let document = try JSONAPIDecoder().decode(Document<Node>.self, from: Data(text.utf8))
        let one = document.data
        let all = [one, one.a.value, one.b.value, one.a.value?.a.value] + (try document.included(Node.self))
        #expect(all.map { $0?.seen } == Array(repeating: "--", count: 7))
        #expect(try document.resource(Node.self, ResourceIdentifier(type: "nodes", id: "2"))?.seen == "--")
    }

    private final class Report: @unchecked Sendable {
        // Written by one thread, and read when that thread has ended.
        var seen: [String?] = []
    }

    private struct Shared: Resource {
        static let type = "people"
        static let report = CodingUserInfoKey(rawValue: "report")
        var id: String
        var boss: ToOne<Shared>

        private enum CodingKeys: CodingKey { case id, boss }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            let boss = try container.decode(ToOne<Shared>.self, forKey: .boss)
            self.boss = boss
            guard let report = Self.report.flatMap({ decoder.userInfo[$0] }) as? Report else { return }
            let thread = Thread { report.seen.append(boss.value?.id) }
            thread.start()
            while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        }
    }

    @Test("Another thread gets no value from a reference of a model that is being read")
    func publishedInside() throws {
        let report = Report()
        var decoder = JSONAPIDecoder()
        try decoder.userInfo[#require(Shared.report)] = report
        let one = try decoder.decode(Shared.self, from: data)
        #expect(report.seen == [nil, nil])
        #expect(one.boss.value?.id == "2")
    }

    @Test("Another thread follows references while a document with the same source is read")
    func otherThread() async throws {
        let one = try JSONAPIDecoder().decode(Person.self, from: data)
        let ids = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { one.boss.value?.deputy.value?.boss.value?.id } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ids == Array(repeating: "2", count: 20))
    }
}
