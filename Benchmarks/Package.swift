// swift-tools-version: 6.2

import PackageDescription

let library: [Target.Dependency] = ["JSONText", "JSONMapping", "JSONAPICodec", "JSONAPIValidation", "JSONAPIStore"].map {
    .product(name: $0, package: "swift-jsonapi-codec")
}

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "compare", targets: ["compare"]),
        .executable(name: "growth", targets: ["growth"]),
        .executable(name: "loop", targets: ["loop"]),
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
    ],
    swiftLanguageModes: [.v6]
)
