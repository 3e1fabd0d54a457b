public import Foundation

/// A generated document with a name.
public struct Workload: Sendable {
    public let name: String
    public let summary: String
    private let makeText: @Sendable () -> [UInt8]

    /// The text of the document, with the same bytes on every machine.
    public func text() -> Data { Data(makeText()) }

    private init(_ name: String, _ summary: String, _ makeText: @escaping @Sendable () -> [UInt8]) {
        self.name = name
        self.summary = summary
        self.makeText = makeText
    }

    private init(_ name: String, _ summary: String, _ document: BlogDocument) {
        self.init(name, summary) { BlogDocument.compactText(document.members()) }
    }
}

extension Workload {
    private static let mediumDocument = BlogDocument(seed: 2, articles: 100)

    /// All documents, except the hostile ones.
    public static let all: [Workload] =
        [
            Workload(
                "small", "one article and what it includes: 3 KB",
                BlogDocument(seed: 1, articles: 1, people: 2, tags: 2, isSingle: true)),
            Workload("medium", "100 articles and what they include: 237 KB, 530 resources, 978 references", mediumDocument),
            Workload("large", "10,000 articles and what they include: 23 MB", BlogDocument(seed: 3, articles: 10_000)),
            Workload("flat", "1,000 articles, linkage but no `included`: 1.3 MB", BlogDocument(seed: 4, articles: 1_000, includes: false)),
            Workload(
                "shared", "1,000 articles that share 5 authors and 10 tags: 1.1 MB",
                BlogDocument(seed: 5, articles: 1_000, commentsEach: 0, people: 5, tags: 10)),
            Workload("scale-1k", "medium's shape, 1,166 resources: 0.5 MB", BlogDocument(seed: 6, articles: 225)),
            Workload("scale-10k", "medium's shape, 9,993 resources: 5 MB", BlogDocument(seed: 7, articles: 2_260)),
            Workload("scale-100k", "medium's shape, 99,866 resources: 53 MB", BlogDocument(seed: 8, articles: 23_000)),
            Workload("medium-pretty", "medium, indented by two spaces: 373 KB") { BlogDocument.prettyText(mediumDocument.members()) },
            Workload("medium-shuffled", "medium, the members of each object in a random order") {
                var random = SplitMix64(seed: 9)
                guard case .object(let members) = Node.object(mediumDocument.members()).shuffled(&random) else { return [] }
                return BlogDocument.compactText(members)
            },
            Workload("medium-included-first", "medium, `included` before `data`") {
                let members = mediumDocument.members()
                return BlogDocument.compactText(members.filter { $0.name == "included" } + members.filter { $0.name != "included" })
            },
            Workload(
                "medium-latin", "medium without escapes or text beyond ASCII", BlogDocument(seed: 2, articles: 100, plain: true)),
        ] + Shape.all.map { Workload($0.name, $0.summary, $0.text) }

    /// A document by name, including hostile ones: `chain-1000`.
    public static func named(_ name: String) -> Workload? {
        if let workload = all.first(where: { $0.name == name }) { return workload }
        guard let (family, size) = HostileFamily.parse(name) else { return nil }
        return Workload(name, "hostile: \(size) \(family.unit)s") {
            var writer = NodeWriter()
            writer.escapesForeign = true
            writer.write(family.document(size))
            return writer.bytes
        }
    }

    public static func isHostile(_ name: String) -> Bool { HostileFamily.parse(name) != nil }
}
