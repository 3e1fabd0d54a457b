import Foundation
import JSONAPIArchive

/// Writes the undamaged part of an archive to another file.
struct RecoverAction: ArchiveAction {
    let file: String
    let output: String

    func run(in console: Console) throws -> ExitStatus {
        guard !FileManager.default.fileExists(atPath: output) else {
            throw UsageError("\(ShortText.plain(output, limit: 200)) exists; name a new file", of: "archive")
        }
        let salvage = try faults(of: file) { try ArchiveFile.salvage(URL(fileURLWithPath: file)) }
        for loss in salvage.losses { console.complain(Fault(loss, file: file)) }
        do {
            try Archive.Writer(salvage.archive).write(to: URL(fileURLWithPath: output))
        } catch let error as ArchiveError {
            throw Fault(error, file: output, isWriting: true)
        }
        if !console.isMachineReadable {
            let keys = Label.count(salvage.archive.keys.count, "key")
            try console.print("\(Fault.shown(output)): \(Label.count(salvage.archive.count, "resource")), \(keys)")
        }
        return salvage.losses.isEmpty ? .good : .fallsShort
    }
}
