import JSONText
import Foundation
let data = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let n = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2])! : 1
var total = 0
data.withUnsafeBytes { b in
  for _ in 0..<n {
    do { let t = try Tape.borrowing(b.bindMemory(to: UInt8.self), options: .init()); total += t.wordCount } catch { print(error) }
  }
}
print(total)
