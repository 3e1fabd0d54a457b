// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "swift-jsonapi-codec",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "JSONMapping", targets: ["JSONMapping"]),
        .library(name: "JSONAPIDocument", targets: ["JSONAPIDocument"]),
        .library(name: "JSONAPICodec", targets: ["JSONAPICodec"]),
        .library(name: "JSONAPIStreams", targets: ["JSONAPIStreams"]),
        .library(name: "JSONAPISchemas", targets: ["JSONAPISchemas"]),
        .library(name: "JSONAPIReceiving", targets: ["JSONAPIReceiving"]),
        .library(name: "JSONAPIHTTP", targets: ["JSONAPIHTTP"]),
        .library(name: "JSONAPIValidation", targets: ["JSONAPIValidation"]),
        .library(name: "JSONAPIArchive", targets: ["JSONAPIArchive"]),
        .library(name: "JSONAPIStore", targets: ["JSONAPIStore"]),
        .library(name: "JSONAPILegacy", targets: ["JSONAPILegacy"]),
        .library(name: "JSONAPITesting", targets: ["JSONAPITesting"]),
        .executable(name: "jsonapi", targets: ["jsonapi"]),
        .plugin(name: "GenerateModels", targets: ["GenerateModels"]),
    ],
    traits: [
        .default(enabledTraits: ["FullFoundation"]),
        .trait(
            name: "FullFoundation",
            description: "Bridges to DateFormatter and JSONSerialization, which link all of Foundation instead of FoundationEssentials."),
    ],
    targets: [
        .target(name: "JSONText", dependencies: ["CStackBounds"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "CStackBounds"),
        .target(name: "JSONMapping", dependencies: ["JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPIRules", dependencies: ["JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPIDocument", dependencies: ["JSONAPIRules", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPICodec", dependencies: ["JSONAPIDocument", "JSONAPIRules", "JSONMapping", "JSONText", "CStackBounds"],
            swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIStreams", dependencies: ["JSONAPICodec", "JSONAPIRules", "JSONMapping", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPISchemas", dependencies: ["JSONAPICodec", "JSONMapping", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIReceiving", dependencies: ["JSONAPICodec", "JSONAPIRules", "JSONMapping", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIHTTP", dependencies: ["JSONAPIReceiving", "JSONAPICodec", "JSONAPIRules", "JSONMapping", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIValidation", dependencies: ["JSONAPICodec", "JSONAPIRules", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPIArchive", dependencies: ["JSONAPICodec", "JSONMapping", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIStore", dependencies: ["JSONAPIArchive", "JSONAPICodec", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPILegacy", dependencies: ["JSONAPICodec", "JSONAPIRules", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "JSONAPIComparison", dependencies: ["JSONAPICodec", "JSONText"], swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPITesting",
            dependencies: ["JSONAPIComparison", "JSONAPICodec", "JSONAPIHTTP", "JSONAPIValidation", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPIGenerator", dependencies: ["JSONAPICodec", "JSONMapping", "JSONText"],
            swiftSettings: [.strictMemorySafety()]),
        .target(
            name: "JSONAPICommand",
            dependencies: [
                "JSONAPIArchive", "JSONAPIComparison", "JSONAPIGenerator", "JSONAPICodec", "JSONAPILegacy", "JSONAPIValidation",
                "JSONText",
            ],
            swiftSettings: [.strictMemorySafety()]),
        .executableTarget(name: "jsonapi", dependencies: ["JSONAPICommand"]),
        .plugin(
            name: "GenerateModels",
            capability: .command(
                intent: .custom(verb: "generate-models", description: "Write Swift models for sample documents or an OpenAPI file"),
                permissions: [.writeToPackageDirectory(reason: "The models become source files of a target.")]),
            dependencies: ["jsonapi"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"]),
        .testTarget(name: "JSONMappingTests", dependencies: ["JSONMapping", "JSONAPICodec", "JSONText", "TestSupport"]),
        .testTarget(name: "JSONAPIRulesTests", dependencies: ["JSONAPIRules", "JSONText"]),
        .target(name: "CodecTestSupport", dependencies: ["JSONAPICodec", "JSONText"], path: "Tests/CodecTestSupport"),
        .testTarget(
            name: "JSONAPICodecTests",
            dependencies: [
                "CodecTestSupport", "JSONAPIHTTP", "JSONAPILegacy", "JSONAPIStore", "JSONAPIStreams", "JSONAPIValidation", "JSONAPICodec",
                "JSONAPIRules", "JSONMapping", "JSONText", "TestSupport",
            ]),
        .testTarget(
            name: "JSONAPIEncodingTests",
            dependencies: [
                "CodecTestSupport", "JSONAPIHTTP", "JSONAPIStreams", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport",
            ]),
        .testTarget(
            name: "JSONAPIStreamsTests", dependencies: ["JSONAPIStreams", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport"]),
        .testTarget(
            name: "JSONAPISchemasTests",
            dependencies: ["JSONAPISchemas", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport"]),
        .testTarget(
            name: "JSONAPIHTTPTests",
            dependencies: ["JSONAPIHTTP", "JSONAPIReceiving", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport"]),
        .testTarget(
            name: "InteropTests", dependencies: ["JSONAPIHTTP", "JSONAPICodec", "JSONText"], path: "Examples/Interop/Sources",
            exclude: ["Live"]),
        .testTarget(
            name: "JSONAPILegacyTests",
            dependencies: ["JSONAPILegacy", "JSONAPIValidation", "JSONAPICodec", "JSONText", "TestSupport"]),
        .testTarget(name: "JSONAPIValidationTests", dependencies: ["JSONAPIValidation", "JSONAPICodec", "JSONText", "TestSupport"]),
        .executableTarget(name: "ArchiveKillHelper", dependencies: ["JSONAPIArchive", "JSONAPICodec"], path: "Tests/ArchiveKillHelper"),
        .target(name: "Fuzzing", dependencies: ["JSONAPICodec", "JSONText"], path: "Tests/Fuzz/Fuzzing"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "Fuzzing", "JSONAPIHTTP", "JSONAPILegacy", "JSONAPIStore", "JSONAPIStreams", "JSONAPIValidation", "JSONAPICodec",
                "JSONMapping", "JSONText",
            ],
            path: "Tests/Fuzz/fuzz"),
        .executableTarget(name: "fuzz-codec", dependencies: ["Fuzzing"], path: "Tests/Fuzz/fuzz-codec"),
        .testTarget(
            name: "ResourceStoreTests",
            dependencies: [
                "JSONAPIStore", "JSONAPIArchive", "JSONAPIStreams", "JSONAPIValidation", "JSONAPICodec", "JSONMapping", "JSONText",
                "TestSupport",
            ], path: "Tests/JSONAPIStoreTests/Store"),
        .testTarget(
            name: "ArchiveTests",
            dependencies: [
                "JSONAPIStore", "JSONAPIArchive", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport",
                .target(name: "ArchiveKillHelper", condition: .when(platforms: [.linux, .macOS])),
            ], path: "Tests/JSONAPIArchiveTests"),
        .testTarget(
            name: "JSONAPICommandTests",
            dependencies: [
                "JSONAPICommand", "JSONAPIArchive", "JSONAPICodec", "JSONAPIHTTP", "JSONAPISchemas", "JSONAPITesting", "JSONAPIValidation",
                "JSONMapping", "JSONText", "TestSupport",
            ]),
        .testTarget(name: "JSONAPITestingTests", dependencies: ["JSONAPITesting", "JSONAPIHTTP", "JSONAPICodec", "JSONText"]),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "JSONAPIDocument", "JSONAPIHTTP", "JSONAPILegacy", "JSONAPIReceiving", "JSONAPISchemas", "JSONAPIStore", "JSONAPIStreams",
                "JSONAPITesting", "JSONAPIValidation", "JSONAPICodec", "JSONMapping", "JSONText", "TestSupport",
            ]),
        .target(name: "AppleNames", path: "Tests/AppleNames"),
        .testTarget(
            name: "PublicNamesTests",
            dependencies: [
                "AppleNames", "JSONAPIArchive", "JSONAPIHTTP", "JSONAPILegacy", "JSONAPIReceiving", "JSONAPISchemas", "JSONAPIStore",
                "JSONAPIStreams", "JSONAPITesting", "JSONAPIValidation", "JSONAPICodec", "JSONMapping", "JSONText",
            ]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "JSONAPICodec", "JSONAPICommand", "JSONAPIHTTP", "JSONAPILegacy", "JSONAPIStore", "JSONAPIValidation", "JSONMapping",
                "JSONText",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// For `.ci/run`: the libraries are optimized, so that the tests run fast. The tests are not, and their modules, which nothing imports, are
// not written first, so that they compile fast.
if Context.environment["OPTIMIZED_LIBRARIES"] != nil {
    for target in package.targets where target.type == .test {
        target.swiftSettings = [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]
    }
}
