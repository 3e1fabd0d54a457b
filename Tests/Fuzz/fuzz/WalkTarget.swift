import Foundation
import Fuzzing
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText

extension FuzzTarget {
    /// Documents in files and in chunks, read one resource at a time and compared with whole documents: every kind of model, and every
    /// policy. Edited values are also written one at a time, and compared with the encoder.
    static let walk = FuzzTarget(name: "walk", seeds: { $0.sound }, divisor: 5) { input, random in
        guard let tree = unambiguousTree(input) else { return }
        var decoder = FuzzModels.decoder(&random)
        if random.chance(1, in: 8) { decoder.rewriters = ["people": Rewriter { Rule("name", from: "name") }] }
        let oracle = ResourceOracle(input, tree, decoder)
        let (trial, chunks) = (WalkTrial(input: input, oracle: oracle), ChunkTrial(input: input, oracle: oracle))
        switch random.below(6) {
        case 0:
            try trial.compare(FuzzModels.Article.self) { "\(String(describing: $0.author.value)) \($0.comments.values.map(\.id))" }
            try await chunks.compare(FuzzModels.Article.self, &random)
        case 1:
            try trial.compare(FuzzModels.Story.self)
            try await chunks.compare(FuzzModels.Story.self, embedded: ["author", "comments"], &random)
        case 2:
            try trial.compare(FuzzModels.Remark.self)
            try await chunks.compare(FuzzModels.Remark.self, embedded: ["author"], &random)
        case 3:
            try trial.compare(FuzzModels.Contributor.self) { $0.identifier.map { "\($0)" } ?? "" }
            try await chunks.compare(FuzzModels.Contributor.self, &random)
        case 4:
            try trial.compare(FuzzModels.Direct.self) { "\($0.articles.values.map(\.title))" }
            try await chunks.compare(FuzzModels.Direct.self, &random)
        default:
            try trial.compare(ResourceObject.self)
            try await chunks.compare(ResourceObject.self, &random)
        }
        try trial.writeEdited(&random)
    }
}

/// Reads and writes one document in a file in both ways.
private struct WalkTrial {
    let input: [UInt8]
    let oracle: ResourceOracle
    private var decoder: JSONAPIDecoder { oracle.decoder }

    // MARK: - Reading

    /// - Parameter linked: The resources behind the references of a value; nil for a model without references.
    func compare<Model: PrimaryElement & ResourceRepresentable & Equatable>(
        _ type: Model.Type, linked: ((Model) -> String)? = nil
    ) throws {
        guard let document = try? JSONAPIDecoder(mode: .lenient).decode(DocumentObject.self, from: Data(input)),
            FuzzTarget.hasUniqueIdentities(document)
        else { return }
        let whole = Result { try decoder.decode([Model].self, from: Data(input)) }
        let (outcomes, faults) = try walk(type)
        switch whole {
        case .success(let expected):
            let values = outcomes.compactMap { if case .value(let value) = $0 { value } else { nil } }
            try require(faults.isEmpty, "only the walk is refused: \(faults)")
            try require(values == expected, "other resources from the file: \(values), not \(expected)")
            guard let linked else { return }
            for (value, other) in zip(values, expected) {
                try require(linked(value) == linked(other), "references lead to \(linked(value)), not to \(linked(other))")
            }
        case .failure(let error):
            // A walk decodes a referenced resource on demand.
            guard linked == nil, !Self.concernsTheWhole(error) else { return }
            guard let first = faults.first else { throw FuzzFinding("only the whole is refused: \(error)") }
            guard oracle.isInOrder, decoder.mode != .strict else { return }
            // A rewritten document has other offsets.
            if decoder.rewriters.isEmpty { try compare(first, with: error) }
            try compareEach(outcomes)
        }
    }

    /// Whether a finding is made only in whole documents, or belongs to one resource instead of an array.
    private static func concernsTheWhole(_ error: any Error) -> Bool {
        guard let kind = (error as? DecodingError)?.failure?.kind else { return true }
        return [.cardinality, .unexpectedNull, .wrongType, .duplicateResource, .notLinked, .resourceLimit].contains(kind)
    }

    /// The first fault of the walk must be that of the whole document, at the same place.
    private func compare(_ found: any Error, with expected: any Error) throws {
        guard let found = (found as? DecodingError)?.failure, let expected = (expected as? DecodingError)?.failure else { return }
        let isSame = found == expected && found.offset == expected.offset && found.position == expected.position
        try require(isSame, "the whole: \(expected), offset \(expected.offset ?? -1); the walk: \(found), offset \(found.offset ?? -1)")
    }

    /// The walk continues after a fault. Each resource must equal the same resource as the only primary one.
    private func compareEach<Model: PrimaryElement & Equatable>(_ outcomes: [ResourceOutcome<Model>]) throws {
        // A primary resource can lack a type that an included one requires.
        if oracle.primary.contains(where: { $0["type"] == nil }) { return }
        if oracle.hasBareData || oracle.readsResourcesInLinkage(oracle.primary + oracle.included) { return }
        let expected = try oracle.primary.enumerated().flatMap { index, resource in
            try oracle.outcomes(Model.self, resource, beside: oracle.others(than: index), decoder)
        }
        try require(outcomes == expected, "the walk hands out \(outcomes), not \(expected)")
    }

    private func walk<Model: PrimaryElement & Equatable>(
        _ type: Model.Type
    ) throws -> (outcomes: [ResourceOutcome<Model>], faults: [any Error]) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(input).write(to: url)
        let cursor = try DocumentReader(url, decoder: decoder).resources(type)
        var outcomes: [ResourceOutcome<Model>] = []
        var faults: [any Error] = []
        // A fault of the document is thrown again each time.
        while faults.count < 100 {
            do {
                guard let value = try cursor.next() else { break }
                outcomes.append(.value(value))
            } catch {
                outcomes.append(.fault)
                faults.append(error)
            }
        }
        return (outcomes, faults)
    }

    // MARK: - Writing

    /// Gives some articles an author from the program, with an identity that others can refer to.
    func writeEdited(_ random: inout FuzzRandom) throws {
        guard var articles = try? decoder.decode([FuzzModels.Article].self, from: Data(input)), !articles.isEmpty else { return }
        let names = articles.compactMap(\.author.identifier?.id)
        guard !names.isEmpty else { return }
        let (id, unedited) = (random.pick(names), articles)
        for index in articles.indices where random.chance(1, in: 2) {
            articles[index].author = ToOne(FuzzModels.Person(id: id, name: "edited", articles: .notLoaded))
        }
        let whole = Result { try JSONAPIEncoder().encode(articles) }
        var text = Data()
        let streamed = Result {
            let writer = try DocumentWriter { text += $0 }
            try writer.append(contentsOf: articles)
            try writer.finish()
            return text
        }
        switch (whole, streamed) {
        case (.success(let whole), .success(let streamed)):
            try FuzzTarget.compare(whole, streamed)
            let included = try JSON(parsing: whole)["included"]?.array ?? []
            guard articles.contains(where: { $0.author.identifier?.id == id && $0.author.value?.name == "edited" }) else { return }
            let people = included.filter { $0["type"] == "people" && $0["id"] == .string(id) }
            let isNew = people.count == 1 && people[0]["attributes"]?["name"] == "edited"
            try require(isNew, "the edit is lost: \(people)")
        case (.failure, .failure): return
        case (.failure(let error), _): throw FuzzFinding("only the encoder refuses it: \(error)")
        case (_, .failure(let error)):
            // The writer has met what was read before the edit that takes its place.
            if (try? JSONAPIEncoder().encode(unedited)) == nil { return }
            throw FuzzFinding("only the writer refuses it: \(error)")
        }
    }
}
