// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "swift-jsonapi-codec",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "JSONAPICodec", targets: ["JSONAPICodec"]),
        .library(name: "JSONAPIValidation", targets: ["JSONAPIValidation"]),
        .library(name: "JSONAPIStore", targets: ["JSONAPIStore"]),
        .executable(name: "jsonapi", targets: ["jsonapi"]),
    ],
    targets: [
        .target(name: "JSONText"),
        .target(name: "CStackBounds"),
        .target(name: "JSONAPICodec", dependencies: ["JSONText", "CStackBounds"]),
        .target(name: "JSONAPIValidation", dependencies: ["JSONAPICodec", "JSONText"]),
        .target(name: "JSONAPIStore", dependencies: ["JSONAPICodec", "JSONText"]),
        .target(name: "JSONAPICommand", dependencies: ["JSONAPICodec", "JSONAPIValidation", "JSONAPIStore", "JSONText"]),
        .executableTarget(name: "jsonapi", dependencies: ["JSONAPICommand"]),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
        .testTarget(name: "JSONAPICodecTests", dependencies: ["JSONAPIValidation", "JSONAPICodec", "JSONText"]),
        .testTarget(name: "JSONAPIValidationTests", dependencies: ["JSONAPIValidation", "JSONAPICodec", "JSONText"]),
        .executableTarget(name: "ArchiveKillHelper", dependencies: ["JSONAPIStore", "JSONAPICodec"], path: "Tests/ArchiveKillHelper"),
        .testTarget(
            name: "JSONAPIStoreTests",
            dependencies: [
                "JSONAPIStore", "JSONAPICodec", "JSONText",
                .target(name: "ArchiveKillHelper", condition: .when(platforms: [.linux, .macOS])),
            ]),
        .testTarget(name: "JSONAPICommandTests", dependencies: ["JSONAPICommand", "JSONText"]),
        .testTarget(name: "ConformanceTests", dependencies: ["JSONAPICodec", "JSONAPIValidation", "JSONText"]),
    ],
    swiftLanguageModes: [.v6]
)
