// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ReadingList",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(url: "…/swift-jsonapi-codec", branch: "main")
    ],
    targets: [
        .executableTarget(
            name: "ReadingList",
            dependencies: [
                .product(name: "JSONAPICodec", package: "swift-jsonapi-codec"),
                .product(name: "JSONAPIStore", package: "swift-jsonapi-codec"),
            ])
    ]
)
