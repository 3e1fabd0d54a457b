import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Fields that clients must not write, in every kind of request.
@Suite struct RestrictedFieldsTests {
    private let encoder = JSONAPIEncoder()

    private struct Report: Resource, RestrictedFields {
        static let type = "reports"
        static let readOnlyFields = ["seen_at", "owner"]
        var id: String
        var title: String
        var seenAt: String?
    }

    private enum Entry: ResourceUnion {
        case report(Report), unknown(ResourceObject)
        static let members: [UnionMember<Entry>] = [.init(Entry.report)]
        var resource: any ResourceRepresentable {
            switch self {
            case .report(let report): report
            case .unknown(let object): object
            }
        }
    }

    private var snake: JSONAPIEncoder {
        var encoder = encoder
        encoder.keyStrategy = .snakeCase
        return encoder
    }

    @Test("A patch of a union leaves out what the model inside must not write")
    func unions() throws {
        let old = Entry.report(Report(id: "1", title: "T", seenAt: "now"))
        let new = Entry.report(Report(id: "1", title: "N", seenAt: "later"))
        let expected: JSON = ["title": "N"]
        #expect(try snake.tree(Patch(from: old, to: new))["data"]?["attributes"] == expected)
        let named = Patch<Entry>(ResourceIdentifier(type: "reports", id: "1")).set("title", "N").set("seen_at", "later")
        #expect(try snake.tree(named)["data"]?["attributes"] == expected)
        let raw = Patch<Entry>(ResourceIdentifier(type: "other", id: "1")).set("seen_at", "later")
        #expect(try snake.tree(raw)["data"]?["attributes"] == ["seen_at": "later"])
    }

    @Test("A link that an operation adds leaves out what clients must not write")
    func links() throws {
        var operations = AtomicOperations()
        let person = ResourceIdentifier(type: "people", id: "9")
        operations.add(Report(id: "1", title: "T"), linking: ["owner": person, "editor": person])
        let data = try snake.tree(operations)["atomic:operations"]?[0]?["data"]
        #expect(data?["relationships"] == ["editor": ["data": ["type": "people", "id": "9"]]])
    }

    @Test("Whether a patch is empty depends on the names that the encoder writes")
    func emptyWithStrategy() throws {
        let seen = Report(id: "1", title: "T", seenAt: "now").patch { $0.seenAt = "later" }
        #expect(seen.isEmpty(with: snake))
        #expect(try snake.text(seen) == #"{"data":{"type":"reports","id":"1"}}"#)
        #expect(!seen.isEmpty)
    }

    @Test("A field that clients must not write may be named like its Swift property")
    func namesOfProperties() throws {
        struct Paper: Resource, RestrictedFields {
            static let type = "papers"
            static let readOnlyFields = ["createdAt"]
            static let createOnlyFields = ["shortName"]
            var id: String
            var title: String
            var createdAt: String?
            var shortName: String?
        }
        let paper = Paper(id: "1", title: "T", createdAt: "now", shortName: "t")
        let patch = paper.patch {
            $0.createdAt = "later"
            $0.shortName = "n"
        }
        var kebab = encoder
        kebab.keyStrategy = .kebabCase
        for encoder in [encoder, snake, kebab] {
            #expect(patch.isEmpty(with: encoder))
            #expect(try encoder.text(patch) == #"{"data":{"type":"papers","id":"1"}}"#)
            let created = try encoder.tree(Create(paper))["data"]?["attributes"]?.object
            #expect(created?.count == 2 && created?["title"] == "T")
        }
    }
}
