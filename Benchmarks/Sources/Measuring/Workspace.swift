import Foundation

/// A folder for the inputs of children, removed with its last reference. It is next to the executable, so that leftovers of an interrupted
/// run are removed with the build.
public final class Workspace {
    let folder: URL
    private var files: Set<String> = []

    public init() throws {
        folder = Child.executable.deletingLastPathComponent().appendingPathComponent("workspace-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file with the given name, which is written once.
    func file(_ name: String, _ make: (URL) throws -> Void) throws -> String {
        let url = folder.appendingPathComponent(name)
        if !files.contains(name) {
            try make(url)
            files.insert(name)
        }
        return url.path
    }

    func document(_ name: String, _ inputs: Inputs) throws -> String {
        try file(name + ".json") { try inputs[name].text.write(to: $0) }
    }
}
