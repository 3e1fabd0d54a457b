import Workloads

extension Row {
    /// The table, in order. The name of a speed row is its work and its document.
    static func all(isQuick: Bool) -> [Row] {
        decoding + encoding + text + keeping + counts + memory + order + shapes + growth(to: isQuick ? "scale-10k" : "scale-100k")
            + hostile(isQuick) + unlimited
    }

    private static let decoding: [Row] = [
        .faster("decode-codable-medium", "decode-codable", than: resolve, "medium", must: 6, aim: 9),
        .faster("decode-codable-flat", "decode-codable", than: resolve, "flat", must: 6, aim: 9),
        .faster("decode-codable-shared", "decode-codable", than: resolve, "shared", must: 6, aim: 9),
        .faster("decode-codable-small", "decode-codable", than: resolve, "small", must: 7, aim: 9),
        .faster("decode-codable-large", "decode-codable", than: resolve, "large", must: 5, aim: 8),
        .faster("decode-direct-medium", "decode-direct", than: resolve, "medium", must: 12, aim: 16),
        .faster("decode-direct-small", "decode-direct", than: resolve, "small", must: 12, aim: 16),
        .faster("decode-direct-flat", "decode-direct", than: resolve, "flat", must: 11, aim: 15),
        .faster("decode-direct-shared", "decode-direct", than: resolve, "shared", must: 11, aim: 15),
        .faster("decode-direct-large", "decode-direct", than: resolve, "large", must: 8, aim: 12),
        .faster("references-medium", "decode-references", than: resolve, "medium", must: 7, aim: 9),
        .faster("object-medium", "decode-object", than: "serialization", "medium", must: 5, aim: 8),
        .faster("document-medium", "decode-document", than: resolve, "medium"),
        // The cost of checking the whole document: at most a quarter of the time.
        .faster("document-beside-plain", "decode-document", than: "decode-codable", "medium", must: 0.8, aim: 0.9),
    ]

    private static let encoding: [Row] = [
        .faster("encode-codable-medium", "encode-codable", than: "foundation-encode", "medium", must: 8, aim: 12),
        .faster("encode-codable-shared", "encode-codable", than: "foundation-encode", "shared", must: 8, aim: 12),
        .faster("encode-direct-medium", "encode-direct", than: "foundation-encode", "medium", must: 16, aim: 25),
        .faster("encode-direct-shared", "encode-direct", than: "foundation-encode", "shared", must: 16, aim: 25),
    ]

    private static let shapes = ownShapes + otherShapes + changes

    private static let ownShapes: [Row] = [
        .faster("decode-numbers", "decode-codable", than: resolve, "numbers", must: 8, aim: 14),
        .faster("encode-numbers", "encode-codable", than: "foundation-encode", "numbers", must: 10, aim: 16),
        .faster("decode-text", "decode-codable", than: resolve, "text", must: 7, aim: 10),
        .faster("encode-text", "encode-codable", than: "foundation-encode", "text", must: 8, aim: 14),
        .faster("decode-wide", "decode-codable", than: resolve, "wide", must: 7, aim: 9),
        .faster("encode-wide", "encode-codable", than: "foundation-encode", "wide", must: 9, aim: 12),
        .faster("decode-nested", "decode-codable", than: resolve, "nested"),
        .faster("encode-nested", "encode-codable", than: "foundation-encode", "nested"),
        .faster("walk-links", "decode-walk", than: resolve, "links", must: 7, aim: 12),
        .faster("walk-chain", "decode-walk", than: resolve, "chain", must: 5, aim: 8),
        .faster("encode-links", "encode-references", than: "foundation-encode", "links"),
        .faster("encode-chain", "encode-references", than: "foundation-encode", "chain"),
        .atMost("second-walk-links", .timePerReference(work: "walk", input: "links"), must: 30, aim: 10),
        .atMost("second-walk-chain", .timePerReference(work: "walk", input: "chain"), must: 30, aim: 10),
    ]

    private static let otherShapes: [Row] = [
        "singles", "errors", "unions", "enums", "structs", "dictionaries", "json", "classes", "kebab", "snake", "sparse",
    ].flatMap { shape in
        [
            .faster("decode-\(shape)", "decode-codable", than: resolve, shape, must: 6, aim: 9),
            .faster("encode-\(shape)", "encode-codable", than: "foundation-encode", shape, must: 8, aim: 12),
        ]
    }

    private static let changes: [Row] = [
        .atMost("patch-wide", .cost(.init("patch", "wide"), relativeTo: .init("encode-each", "wide")), must: 4, aim: 2)
    ]

    private static let text: [Row] = [
        .faster("text-medium", "text", than: "foundation-decode", "medium", must: 40, aim: 60),
        .faster("tree-medium", "tree", than: "serialization", "medium", must: 6, aim: 8),
    ]

    private static let keeping: [Row] = [
        .faster("archive-write-medium", "archive-write", than: "plain-write", "medium", must: 4, aim: 8),
        .faster("archive-read-medium", "archive-read", than: "plain-read", "medium", must: 3, aim: 6),
        .atMost("store-decode-medium", storing("store-decode"), must: 2, aim: 1.3),
        .atMost("store-refresh-medium", storing("store-refresh"), must: 2, aim: 1.3),
    ]

    private static func storing(_ work: String) -> Measure { .cost(.init(work, "medium"), relativeTo: .init("decode-codable", "medium")) }

    private static let counts: [Row] = [
        .atMost("instructions-decode-codable-medium", .instructions(work: "decode-codable", input: "medium"), must: 12, aim: 8.5),
        .atMost("instructions-decode-direct-medium", .instructions(work: "decode-direct", input: "medium")),
        .atMost("instructions-encode-codable-medium", .instructions(work: "encode-codable", input: "medium")),
        .atMost("instructions-encode-direct-medium", .instructions(work: "encode-direct", input: "medium")),
        // The aim is 16 for the whole document, which has 530 resources.
        .atMost(
            "mallocs-decode-codable-medium", .allocations(work: "decode-codable", input: "medium", own: "copy"), must: 2, aim: 16 / 530),
        .atMost(
            "mallocs-decode-direct-medium", .allocations(work: "decode-direct", input: "medium", own: "copy"), must: 0.3, aim: 16 / 530),
        .atMost("mallocs-encode-codable-medium", .allocations(work: "encode-codable", input: "medium", own: nil)),
        .atMost("mallocs-encode-direct-medium", .allocations(work: "encode-direct", input: "medium", own: nil)),
    ]

    private static let memory: [Row] = [
        // A text of 70 KB. A leak in 2,000 decodes would be about a thousand times as much.
        .atMost("memory-kept-decoders", .memory(work: "kept-decoders", input: "kept-1000"), must: 40, aim: 10),
        .atMost("memory-decode-codable-large", .memory(work: "decode-codable", input: "large"), must: 1.9, aim: 1.5),
        .atMost("memory-decode-direct-large", .memory(work: "decode-direct", input: "large"), must: 1.9, aim: 1.5),
    ]

    private static let order: [Row] = ["codable", "direct"].flatMap { kind in
        [("shuffled", 1.4, 1.15), ("pretty", 1.5, 1.2), ("included-first", 1.1, 1)].map { variant, must, aim in
            .atMost(
                "order-\(kind)-\(variant)",
                .cost(.init("decode-\(kind)", "medium-\(variant)"), relativeTo: .init("decode-\(kind)", "medium")), must: must, aim: aim)
        }
    }

    private static func growth(to large: String) -> [Row] {
        ["decode-codable", "decode-direct", "encode-codable", "encode-direct"].flatMap { work in
            [
                .atMost(
                    "growth-instructions-\(work)", .instructionGrowth(work: work, small: "scale-1k", large: large), must: 1.05, aim: 1.02),
                .atMost("growth-time-\(work)", .timeGrowth(work: work, small: "scale-1k", large: large), must: 3.5, aim: 2),
            ]
        }
    }

    /// Linear in practice: a document that is a hundred times as large may take six hundred times as long, because tables with a million
    /// names exceed every cache. Quadratic work would take ten thousand times as long.
    private static func hostile(_ isQuick: Bool) -> [Row] {
        HostileFamily.allCases.flatMap { family in
            let small = family.inputName(family.sizes[0])
            let large = family.inputName(family.sizes[isQuick ? 1 : 2])
            return family.works.map { work in
                Row.atMost("\(work)-\(family.rawValue)", .timeGrowth(work: work, small: small, large: large), must: 6, aim: 3)
            }
        }
    }

    /// Works without a limit.
    private static let unlimited: [Row] = [
        .faster("encode-references-medium", "encode-references", than: "foundation-encode", "medium"),
        .faster("validate-medium", "validate", than: "foundation-decode", "medium"),
    ]

    private static let resolve = "foundation-resolve"
}
