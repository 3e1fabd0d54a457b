// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "swift-jsonapi-codec",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "JSONText", targets: ["JSONText"]),
        .library(name: "JSONAPICodec", targets: ["JSONAPICodec"]),
        .executable(name: "jsonapi", targets: ["jsonapi"]),
    ],
    targets: [
        .target(name: "JSONText"),
        .target(name: "CStackBounds"),
        .target(name: "JSONAPICodec", dependencies: ["JSONText", "CStackBounds"]),
        .target(name: "JSONAPICommand", dependencies: ["JSONAPICodec", "JSONText"]),
        .executableTarget(name: "jsonapi", dependencies: ["JSONAPICommand"]),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
        .testTarget(name: "JSONAPICodecTests", dependencies: ["JSONAPICodec", "JSONText"]),
        .testTarget(name: "JSONAPICommandTests", dependencies: ["JSONAPICommand", "JSONText"]),
        .testTarget(name: "ConformanceTests", dependencies: ["JSONAPICodec", "JSONAPICommand", "JSONText"]),
    ],
    swiftLanguageModes: [.v6]
)
