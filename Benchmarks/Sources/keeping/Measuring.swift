import Foundation

/// The shortest time of several rounds, in seconds.
func shortest(_ rounds: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for round in 0..<rounds { best = min(best, try seconds { try body(round) }) }
    return best
}

/// The time of a call, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(body)
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
}

struct WrongResult: Error {}

func column(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

func line(_ name: String, _ values: [String]) {
    print(name.padding(toLength: 20, withPad: " ", startingAt: 0) + values.map { column($0, 14) }.joined())
    fflush(nil)
}
