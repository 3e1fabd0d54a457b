import Foundation

/// A folder that generated files are written to.
struct OutputFolder {
    let path: String
    /// Whether existing files are replaced.
    let replacesFiles: Bool

    /// Writes files and returns their paths. Throws `Fault` if one exists, before anything is written, or if writing fails. Of a new file
    /// that does not fit on the disk, nothing is left.
    func write(
        _ files: [(name: String, text: String)],
        by save: (Data, URL, Data.WritingOptions) throws -> Void = { try $0.write(to: $1, options: $2) }
    ) throws -> [String] {
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
                try save(Data(file.text.utf8), URL(fileURLWithPath: target), replacesFiles ? .atomic : .withoutOverwriting)
            } catch {
                let failure = SystemError(error)
                if !replacesFiles, OutputFolder.leavesPart(failure) {
                    try? FileManager.default.removeItem(atPath: target)
                } else if !replacesFiles, isThere(target) {
                    throw OutputFolder.refusal(target)
                }
                throw OutputFolder.fault(target, failure)
            }
        }
        return targets
    }

    /// Whether something exists at a path, even a link to nothing.
    private func isThere(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    /// Whether a new file was created, but not written to its end. A file that exists is another error.
    private static func leavesPart(_ failure: SystemError) -> Bool {
        switch failure.code {
        case .ENOSPC?, .EFBIG?: true
        default: false
        }
    }

    private static func refusal(_ path: String) -> Fault {
        Fault(file: path, kind: "fileExists", message: "it exists; --force replaces it", status: .unusable, isWriting: true)
    }

    private static func fault(_ path: String, _ error: SystemError) -> Fault {
        Fault(file: path, kind: "unwritableFile", message: error.reason, status: .unusable, isWriting: true)
    }
}
