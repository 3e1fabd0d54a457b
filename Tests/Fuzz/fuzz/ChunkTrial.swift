import Foundation
import Fuzzing
import JSONAPICodec
import JSONAPIStreams
import JSONText

/// A document in chunks. A stream does not resolve identities, so each resource must equal the same resource alone.
struct ChunkTrial {
    let input: [UInt8]
    let oracle: ResourceOracle

    /// - Parameter embedded: The relationships whose resources the model embeds.
    func compare<Model: PrimaryElement & ResourceRepresentable & Equatable>(
        _ type: Model.Type, embedded: [String] = [], _ random: inout FuzzRandom
    ) async throws {
        let all = oracle.primary + oracle.included
        if all.contains(where: { oracle.linksToItself($0) }) || oracle.readsResourcesInLinkage(all) { return }

        let expected = try oracle.primary.flatMap { try outcomes(type, $0, embedded) }
        let chunks = FuzzChunks(input, &random)
        let stream = DocumentStream(chunks, of: type, decoder: oracle.decoder)
        var iterator = stream.makeAsyncIterator()
        try check(await read(atMost: expected.count + 3) { try await iterator.next() }, expected, "the stream")

        // Primary data from a client must be more than the identities that it includes.
        if oracle.decoder.source == .request { return }
        let parts = DocumentPartStream(chunks, data: type, included: type, decoder: oracle.decoder)
        var partIterator = parts.makeAsyncIterator()
        let expectedParts = try expectedParts(type, embedded, expected)
        let found = await read(atMost: expectedParts.count + 3) {
            try await partIterator.next().map { part in
                switch part {
                case .data(let value), .included(let value): value
                }
            }
        }
        try check(found, expectedParts, "the stream of all parts")
    }

    private func outcomes<Model: PrimaryElement & Equatable>(
        _ type: Model.Type, _ resource: JSON, _ embedded: [String]
    ) throws -> [ResourceOutcome<Model>] {
        var decoder = oracle.decoder
        if embedded.isEmpty {
            // References keep their identifiers, with every policy for missing resources.
            decoder.missingResources = .keep
        } else if oracle.links(resource, through: embedded), decoder.missingResources != .omit {
            return decoder.invalidElements == .drop ? [] : [.fault]
        }
        return try oracle.outcomes(type, resource, decoder)
    }

    /// Reads also the included resources of the model's type, in document order.
    private func expectedParts<Model: PrimaryElement & Equatable>(
        _ type: Model.Type, _ embedded: [String], _ primary: [ResourceOutcome<Model>]
    ) throws -> [ResourceOutcome<Model>] {
        let required = (type as? any Resource.Type)?.type
        let included = try oracle.included.filter { required == nil || $0["type"]?.string == required }
            .flatMap { try outcomes(type, $0, embedded) }
        let names = oracle.tree.object?.map(\.name) ?? []
        let isIncludedFirst = (names.firstIndex(of: "included") ?? .max) < (names.firstIndex(of: "data") ?? .max)
        return isIncludedFirst ? included + primary : primary + included
    }

    private func read<Model: Equatable & Sendable>(
        atMost count: Int, _ next: () async throws -> Model?
    ) async -> [ResourceOutcome<Model>] {
        var found: [ResourceOutcome<Model>] = []
        while found.count < count {
            do {
                guard let value = try await next() else { break }
                found.append(.value(value))
            } catch {
                found.append(.fault)
            }
        }
        return found
    }

    private func check<Model>(
        _ found: [ResourceOutcome<Model>], _ expected: [ResourceOutcome<Model>], _ what: String
    ) throws {
        if oracle.isInOrder { return try require(found == expected, "\(what) hands out \(found), not \(expected); \(oracle.options)") }
        // The resources before the fault, and then the fault.
        let (values, all) = (found.filter { $0 != .fault }, expected.filter { $0 != .fault })
        try require(values == Array(all.prefix(values.count)), "\(what) hands out \(values) of \(all)")
    }
}
