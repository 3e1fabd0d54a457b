// swift-tools-version: 6.2

import Foundation
import PackageDescription

let library: [Target.Dependency] = [
    "JSONText", "JSONMapping", "JSONAPICodec", "JSONAPIStreams", "JSONAPIValidation", "JSONAPIArchive", "JSONAPIStore",
].map {
    .product(name: $0, package: "swift-jsonapi-codec")
}

/// SQLite is compared with where its header is installed (libsqlite3-dev).
let hasSQLite = FileManager.default.fileExists(atPath: "/usr/include/sqlite3.h")

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "compare", targets: ["compare"]),
        .executable(name: "growth", targets: ["growth"]),
        .executable(name: "loop", targets: ["loop"]),
        .executable(name: "keeping", targets: ["keeping"]),
    ],
    dependencies: [.package(name: "swift-jsonapi-codec", path: "..")],
    targets: [
        .target(name: "Workloads", dependencies: library),
        .target(name: "CMeasuring"),
        .target(name: "CMallocCount"),
        .target(name: "Measuring", dependencies: ["Workloads", "CMeasuring"]),
        .executableTarget(name: "compare", dependencies: ["Measuring", "Workloads", "CMallocCount"]),
        .executableTarget(name: "growth", dependencies: ["Measuring", "Workloads"]),
        .executableTarget(name: "loop", dependencies: ["Measuring", "Workloads"]),
        .executableTarget(
            name: "keeping", dependencies: library + (hasSQLite ? ["CSQLite"] : []), swiftSettings: hasSQLite ? [.define("SQLITE")] : []),
    ] + (hasSQLite ? [.systemLibrary(name: "CSQLite")] : []),
    swiftLanguageModes: [.v6]
)
