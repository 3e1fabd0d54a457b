import JSONText

/// Reads a resource object or a value of one type by the decoder. Returns what was asked for, and whether it was accepted.
typealias SchemaTrial = (JSON) -> (requests: [DecodingRecord.Request], isAccepted: Bool)

/// Values that a type accepts, found by trying.
struct SchemaSamples {
    let node = SchemaNode()
    /// The accepted values: the smallest first, then one with everything, then those that made the type ask for something else.
    private(set) var bases: [JSON] = []
    /// Those for which the type asks for different things. Another value at a place is tried in these.
    private var differentBases: [JSON] = []
    /// The last place that was asked for in vain.
    private(set) var failure: DecodingRecord.Request?
    /// Whether the type asks for more places than were tried, or for deeper ones.
    private(set) var exceedsLimit = false

    private let trial: SchemaTrial
    /// Returns values to try at a place.
    private let options: ([String], SchemaNode) -> [JSON]

    /// Each place costs an attempt to read a value with all places before it.
    static let maximumPlaces = 2000
    /// A type that contains itself asks for ever deeper places.
    static let maximumDepth = 100
    private static let maximumBases = 40
    /// How often other values are tried in an accepted one, over all places. An enumeration can have many cases.
    private static let maximumVariations = 4000

    init(_ trial: @escaping SchemaTrial, from start: JSON, options: @escaping ([String], SchemaNode) -> [JSON]) {
        self.trial = trial
        self.options = options
        guard let base = completed(start) else { return }
        bases = [base]
        fill(base)
        vary(base)
        var known: Set<Set<[String]>> = []
        differentBases = bases.filter { known.insert(requests(of: $0)).inserted }
    }

    /// Returns the value with what the type asks for; nil when no value was found that it accepts.
    private mutating func completed(_ start: JSON) -> JSON? {
        var candidate = start
        var tries: [[String]: Int] = [:]
        while true {
            let (requests, isAccepted) = trial(candidate)
            node.add(requests)
            if isAccepted { return candidate }
            guard let last = requests.last, let place = node.node(at: last.path) else { return nil }
            guard last.path.count <= SchemaSamples.maximumDepth, tries.count < SchemaSamples.maximumPlaces || tries[last.path] != nil else {
                failure = last
                exceedsLimit = true
                return nil
            }
            let options = options(last.path, place)
            let number = tries[last.path, default: 0]
            guard number < options.count else {
                failure = last
                return nil
            }
            tries[last.path] = number + 1
            candidate = candidate.setting(options[number], at: last.path[...])
        }
    }

    /// Adds a value with as many members as possible.
    private mutating func fill(_ base: JSON) {
        var full = base
        var known = -1
        // A type that contains itself has ever more places.
        let limit = max(400, 10 * node.count)
        while known < node.count, known < limit {
            known = node.count
            for path in node.leaves() where full.value(at: path)?.isNull ?? true {
                for option in self.options(at: path) where !option.isNull {
                    guard let done = completed(full.setting(option, at: path[...])) else { continue }
                    full = done
                    break
                }
            }
        }
        if full != base { bases.append(full) }
    }

    /// Tries other values at each place, and keeps those that make the type ask for something else.
    private mutating func vary(_ base: JSON) {
        var known = Set(bases.map(requests))
        // First some values at each place, so that an enumeration with many cases leaves the others something.
        var rest = SchemaSamples.maximumVariations
        let places = node.leaves()
        let share = min(12, max(1, rest / max(1, places.count)))
        for path in places { vary(base, path, variations(of: base, at: path).prefix(share), &known, &rest) }
        let varied = Set(places)
        for path in node.leaves() {
            let options = variations(of: base, at: path).dropFirst(varied.contains(path) ? share : 0)
            vary(base, path, options, &known, &rest)
        }
        failure = nil
        exceedsLimit = false
    }

    /// Returns the other values to try at a place. Any text is as good as another: only values of other types decide what is asked for.
    private func variations(of base: JSON, at path: [String]) -> [JSON] {
        options(at: path).filter { !SchemaLeaf.texts.dropFirst().contains($0) && $0 != base.value(at: path) }
    }

    private mutating func vary(
        _ base: JSON, _ path: [String], _ options: ArraySlice<JSON>, _ known: inout Set<Set<[String]>>, _ rest: inout Int
    ) {
        for option in options.prefix(rest) where bases.count < SchemaSamples.maximumBases {
            rest -= 1
            guard let done = completed(base.setting(option, at: path[...])) else { continue }
            if known.insert(requests(of: done)).inserted { bases.append(done) }
        }
    }

    private func requests(of value: JSON) -> Set<[String]> { Set(trial(value).requests.map(\.path)) }

    private func options(at path: [String]) -> [JSON] { node.node(at: path).map { options(path, $0) } ?? [] }

    /// Whether the type accepts one of the found values with another value at a place.
    func accepts(_ value: JSON, at path: [String]) -> Bool {
        differentBases.contains { trial($0.setting(value, at: path[...])).isAccepted }
    }

    /// Whether the type accepts one of the found values without a value at a place.
    func acceptsNothing(at path: [String]) -> Bool {
        bases.contains { trial($0.removing(path[...])).isAccepted }
    }
}
