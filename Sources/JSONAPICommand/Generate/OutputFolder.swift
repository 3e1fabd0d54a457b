import Foundation

/// A folder that generated files are written to.
struct OutputFolder {
    let path: String
    /// Whether existing files are replaced.
    let replacesFiles: Bool

    /// Writes files and returns their paths. Throws `Fault` if one exists, or if something else than a file is in its place, before anything
    /// is written. Throws it if writing fails; of a new file that does not fit on the disk, nothing is left. A file that is replaced keeps its
    /// permissions, and stays behind a link.
    func write(
        _ files: [(name: String, text: String)],
        by save: (Data, URL, Data.WritingOptions) throws -> Void = { try $0.write(to: $1, options: $2) }
    ) throws -> [String] {
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        let targets = files.map { folder.appendingPathComponent($0.name).path }
        if !replacesFiles, let first = targets.first(where: isThere) {
            throw OutputFolder.refusal(first)
        }
        let places = try targets.map(place)
        if let kind = kind(of: folder.resolvingSymlinksInPath().path), kind != .typeDirectory {
            throw OutputFolder.unusable(path, "it is not a folder")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw OutputFolder.fault(path, SystemError(error))
        }
        for (file, place) in zip(files, places) {
            let mode = (try? FileManager.default.attributesOfItem(atPath: place))?[.posixPermissions]
            do {
                try save(Data(file.text.utf8), URL(fileURLWithPath: place), replacesFiles ? .atomic : .withoutOverwriting)
            } catch {
                let failure = SystemError(error)
                if !replacesFiles, OutputFolder.leavesPart(failure) {
                    try? FileManager.default.removeItem(atPath: place)
                } else if !replacesFiles, isThere(place) {
                    throw OutputFolder.refusal(place)
                }
                throw OutputFolder.fault(place, failure)
            }
            if let mode { try? FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place) }
        }
        return targets
    }

    /// Returns where a file is written: behind a link, where its file is. Throws if something else than a file is there.
    private func place(_ target: String) throws -> String {
        let place = URL(fileURLWithPath: target).resolvingSymlinksInPath().path
        switch kind(of: place) {
        case nil, .typeRegular?: return place
        case .typeDirectory?: throw OutputFolder.unusable(target, "it is a folder")
        case .typeSymbolicLink?: throw OutputFolder.unusable(target, "it is a link to nothing")
        default: throw OutputFolder.unusable(target, "it is not a file")
        }
    }

    private func kind(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func unusable(_ path: String, _ reason: String) -> Fault {
        Fault(file: path, kind: "unwritableFile", message: reason, status: .unusable, isWriting: true)
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

    private static func fault(_ path: String, _ error: SystemError) -> Fault { unusable(path, error.reason) }
}
