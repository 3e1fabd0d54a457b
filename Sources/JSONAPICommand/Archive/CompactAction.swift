import Foundation
import JSONAPIArchive
import JSONText

/// Removes what is no longer used from an archive.
struct CompactAction: ArchiveAction {
    let file: String

    func run(in console: Console) throws -> ExitStatus {
        // Opening it for writing would create a missing file.
        let before = try open(file).byteCount
        let archive = try faults(of: file, isWriting: true) {
            let writable = try ArchiveFile(URL(fileURLWithPath: file))
            try writable.compact()
            return try writable.archive
        }
        if console.isMachineReadable {
            try console.print(
                json: ["file": .string(file), "bytes": .number(JSONNumber(archive.byteCount)), "before": .number(JSONNumber(before))])
        } else {
            try console.print("\(Fault.shown(file)): \(Label.count(archive.byteCount, "byte")), before \(before)")
        }
        return .good
    }
}
