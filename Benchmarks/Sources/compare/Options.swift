import Measuring

/// The options of the command line.
struct Options {
    static let usage = """
        usage: compare [--quick] [--only NAME]... [--check | --list]

        Measures the library against hand-written Foundation code and prints for each row, separated by tabs:
        name, ratio, must, aim, ok or short. Exits 1 when a must is missed, 2 for wrong usage or a wrong result.
        What falls short is timed once more at the end; the shorter times count, those of Foundation too.

          --only NAME   this row, or the rows whose names begin with NAME; may be given several times
          --quick       shorter races, and growth to 10,000 resources instead of 100,000
          --check       times nothing; looks whether every work gives the right result
          --list        the names of the rows
        """

    var names: [String] = []
    var isQuick = false
    var lists = false
    var checksOnly = false
    var wantsHelp = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--list": lists = true
            case "--check": checksOnly = true
            case "--help", "-h": wantsHelp = true
            case "--only":
                guard let name = rest.popFirst() else { throw UsageError("--only needs a name") }
                names.append(name)
            default: throw UsageError("unknown argument `\(argument)`\n\n" + Self.usage)
            }
        }
    }

    /// The requested rows, in the order of the table.
    func rows() throws -> [Row] {
        let all = Row.all(isQuick: isQuick)
        for name in names where !all.contains(where: { $0.name.hasPrefix(name) }) {
            throw UsageError("no row is called `\(name)`; --list names them")
        }
        return names.isEmpty ? all : all.filter { row in names.contains { row.name.hasPrefix($0) } }
    }
}
