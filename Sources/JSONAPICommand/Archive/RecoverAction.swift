import Foundation
import JSONAPIArchive
import JSONText

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
        try faults(of: output, isWriting: true) { try Archive.Writer(salvage.archive).write(to: URL(fileURLWithPath: output)) }
        let (resources, keys) = (salvage.archive.count, salvage.archive.keys.count)
        if console.isMachineReadable {
            try console.print(
                json: ["file": .string(output), "resources": .number(JSONNumber(resources)), "keys": .number(JSONNumber(keys))])
        } else {
            try console.print("\(Fault.shown(output)): \(Label.count(resources, "resource")), \(Label.count(keys, "key"))")
        }
        return salvage.losses.isEmpty ? .good : .fallsShort
    }
}
