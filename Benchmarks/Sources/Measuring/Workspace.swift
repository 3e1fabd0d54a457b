import Foundation

/// A temporary folder for what children read, removed when the last reference goes.
public final class Workspace {
    let folder: URL
    private var files: Set<String> = []

    public init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("jsonapi-benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file with that name, made once.
    func file(_ name: String, _ make: (URL) throws -> Void) throws -> String {
        let url = folder.appendingPathComponent(name)
        if files.insert(name).inserted { try make(url) }
        return url.path
    }

    func document(_ name: String, _ inputs: Inputs) throws -> String {
        try file(name + ".json") { try inputs[name].text.write(to: $0) }
    }
}
