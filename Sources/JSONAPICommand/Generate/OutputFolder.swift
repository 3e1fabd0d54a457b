import Foundation

/// A folder that generated files are written to.
struct OutputFolder {
    let path: String
    /// Whether existing files are replaced.
    let replacesFiles: Bool

    /// Writes files and returns their paths. Throws `Fault` if one exists, before anything is written, or if writing fails.
    func write(_ files: [(name: String, text: String)]) throws -> [String] {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        let targets = files.map { folder.appendingPathComponent($0.name).path }
        if !replacesFiles, let first = targets.first(where: isThere) {
            throw OutputFolder.refusal(first)
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw OutputFolder.fault(path, SystemError(error))
        }
        for (file, target) in zip(files, targets) {
            do {
                try Data(file.text.utf8).write(to: URL(fileURLWithPath: target), options: replacesFiles ? .atomic : .withoutOverwriting)
            } catch {
                if !replacesFiles, isThere(target) { throw OutputFolder.refusal(target) }
                throw OutputFolder.fault(target, SystemError(error))
            }
        }
        return targets
    }

    /// Whether something exists at a path, even a link to nothing.
    private func isThere(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    private static func refusal(_ path: String) -> Fault {
        Fault(file: path, kind: "fileExists", message: "it exists; --force replaces it", status: .unusable, isWriting: true)
    }

    private static func fault(_ path: String, _ error: SystemError) -> Fault {
        Fault(file: path, kind: "unwritableFile", message: error.reason, status: .unusable, isWriting: true)
    }
}
