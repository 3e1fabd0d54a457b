import Foundation
import JSONAPICodec
import JSONAPIArchive

// Writes archives until it is killed, and prints the number of each state once it is confirmed: for tests of what is left then.
//
//     ArchiveKillHelper FILE commit|compact|replace
//
// State n: the value n under "state", and forty notes, of which those with numbers near n have the text n.

struct Note: Resource {
    static let type = "notes"
    var id: String
    var text: String
}

func change(_ changes: inout Archive.Writer, _ number: Int) throws {
    try changes.encode(number, forKey: "state")
    try changes.insert((0..<40).map { Note(id: "\($0)", text: "\(number - (number + $0) % 7) " + String(repeating: "x", count: 200)) })
}

let url = URL(fileURLWithPath: CommandLine.arguments[1])
let mode = CommandLine.arguments[2]
var number = (try? Archive(contentsOf: url).decodeIfPresent(Int.self, forKey: "state")) ?? 0
let file = mode == "replace" ? nil : try ArchiveFile(url)
FileHandle.standardOutput.write(Data("ready\n".utf8))
while true {
    number += 1
    if let file {
        try file.commit { try change(&$0, number) }
        if mode == "compact", number % 3 == 0 { try file.compact() }
    } else {
        var writer = Archive.Writer()
        try change(&writer, number)
        try writer.write(to: url)
    }
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
}
