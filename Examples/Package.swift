// swift-tools-version: 6.2

import PackageDescription

/// Small complete programs, in their own package, so that users of the library do not build them.
let library = "swift-jsonapi-codec"
let codec: Target.Dependency = .product(name: "JSONAPICodec", package: library)
let http: Target.Dependency = .product(name: "JSONAPIHTTP", package: library)
let legacy: Target.Dependency = .product(name: "JSONAPILegacy", package: library)
let text: Target.Dependency = .product(name: "JSONText", package: library)
let store: Target.Dependency = .product(name: "JSONAPIStore", package: library)

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: library, path: "..")],
    targets: [
        .executableTarget(name: "decode-a-response", dependencies: [codec], path: "decode-a-response"),
        .executableTarget(name: "edit-and-patch", dependencies: [codec], path: "edit-and-patch"),
        .executableTarget(name: "answer-with-errors", dependencies: [codec, http, text], path: "answer-with-errors"),
        .executableTarget(name: "offline-archive", dependencies: [codec, store], path: "offline-archive"),
        .executableTarget(name: "live-view-model", dependencies: [codec, store], path: "live-view-model"),
        .executableTarget(name: "walk-pages", dependencies: [codec, http], path: "walk-pages"),
        .executableTarget(name: "client-and-server", dependencies: [codec, http, text], path: "client-and-server"),
        .executableTarget(
            name: "interop", dependencies: [codec, http, text], path: "Interop/Sources", exclude: ["Replay"]),
        .executableTarget(name: "legacy-templates", dependencies: [codec, legacy, text], path: "legacy-templates"),
    ],
    swiftLanguageModes: [.v6]
)
