import Measuring

/// The options of the command line.
struct Options {
    static let usage = """
        usage: growth [--quick] [--only NAME]...

        Prints what works cost for each unit of their documents, over growing sizes. Exits 1 when a cost grows beyond its limit or a
        work fails, 2 for wrong usage.

          --only NAME   curves whose work or documents begin with NAME; may be given several times
          --quick       the two smaller sizes only, and times only
        """

    var names: [String] = []
    var isQuick = false
    var wantsHelp = false

    var countsInstructions: Bool { !isQuick }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--help", "-h": wantsHelp = true
            case "--only":
                guard let name = rest.popFirst() else { throw UsageError("--only needs a name") }
                names.append(name)
            default: throw UsageError("unknown argument `\(argument)`\n\n" + Self.usage)
            }
        }
    }

    func curves() throws -> [Curve] {
        var curves = Curve.all
        if !names.isEmpty {
            curves = curves.filter { curve in names.contains { curve.work.hasPrefix($0) || curve.inputs[0].hasPrefix($0) } }
        }
        guard !curves.isEmpty else {
            throw UsageError("no work or document begins with \(names.map { "`\($0)`" }.joined(separator: ", "))")
        }
        return isQuick ? curves.map { $0.shortened() } : curves
    }
}
