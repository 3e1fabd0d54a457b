import Foundation
import JSONAPICommand

@main
struct JSONAPITool {
    static func main() {
        exit(Command.runProcess())
    }
}
