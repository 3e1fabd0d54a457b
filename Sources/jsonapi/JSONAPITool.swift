import Foundation
import JSONAPICommand

@main
struct JSONAPITool {
    static func main() {
        exit(Command.run(arguments: Array(CommandLine.arguments.dropFirst())))
    }
}
