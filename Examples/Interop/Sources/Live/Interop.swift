import Foundation
import JSONAPIHTTP
import JSONText

/// Sends requests to real servers, and prints a line for each step: `interop django PORT FOLDER`.
///
/// With a folder, it records the requests and responses of each step in a file. `interop.py` starts the servers and this program.
@main
struct Interop {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 1, let steps = steps[arguments[0]], UInt16(arguments[1]) != nil else {
            print("usage: interop django|fastapi PORT [FOLDER]")
            exit(2)
        }
        let folder = arguments.count > 2 ? URL(fileURLWithPath: arguments[2], isDirectory: true) : nil
        let wire = Wire(origin: "http://127.0.0.1:\(arguments[1])")
        var failureCount = 0
        for step in steps {
            do {
                let (line, recordings) = try await wire.run(step)
                print("\(arguments[0]) \(step): \(line)")
                if let folder { try write(recordings, of: step, to: folder) }
            } catch {
                failureCount += 1
                print("\(arguments[0]) \(step): FAILED: \(error)")
            }
        }
        exit(failureCount == 0 ? 0 : 1)
    }

    private static let steps = ["django": DjangoTalk.steps, "fastapi": FastAPITalk.steps]

    private static func write(_ recordings: [Recording], of step: Step, to folder: URL) throws {
        let writer = JSONWriter(style: .indented(spaces: 2))
        let text = try writer.write(.array(JSONArray(recordings.map(\.json))))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text + [UInt8(ascii: "\n")]).write(to: folder.appendingPathComponent("\(step).json"))
    }
}
