// Archives beside other ways to keep models in a file: times as multiples of the archive's, in one run.
//
//     swift run -c release --package-path Benchmarks keeping
//
// It exits with 1 if an archive misses what it must reach. `keeping store` measures a store with a file instead, with 10,000 and with a
// million resources.
import Foundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keeping-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

/// Ends the program without leaving its files behind.
func leave(_ status: Int32) -> Never {
    try? FileManager.default.removeItem(at: folder)
    exit(status)
}

if CommandLine.arguments.dropFirst().first == "store" {
    // Fills caches and the allocator, which would otherwise count as memory of the smaller store.
    _ = try StoreFigures(1000, in: folder)
    StoreFigures.print(try StoreFigures(10_000, in: folder), try StoreFigures(1_000_000, in: folder))
    leave(0)
}

/// The notes of a comparison: a file that is written, read and changed, and a larger one of which one note is read.
struct Sizes {
    let some: [Note]
    let many: [Note]

    init(_ some: Int, _ many: Int) {
        self.some = (0..<some).map { Note(number: $0) }
        self.many = (0..<many).map { Note(number: $0) }
    }
}

let sizes = Sizes(10_000, 100_000)
/// `NSKeyedArchiver` of Foundation on Linux needs time in proportion to the square of the number of notes: half a minute for 300.
let smallSizes = Sizes(100, 200)

/// What a keeper needs, in seconds, and its file in bytes.
struct Figures {
    var write = 0.0
    var readAll = 0.0
    var readOne = 0.0
    var replace = 0.0
    var size = 0.0
}

func figures(_ keeper: any Keeper, _ sizes: Sizes = sizes) throws -> Figures {
    let (some, many) = (sizes.some, sizes.many)
    let url = folder.appendingPathComponent("\(keeper.name) \(some.count)")
    let large = folder.appendingPathComponent("\(keeper.name) \(some.count), large")
    var figures = Figures()
    figures.write = try shortest(5) { round in
        try? FileManager.default.removeItem(at: url)
        try keeper.write(some, to: url)
    }
    figures.size = Double(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0)
    figures.readAll = try shortest(5) { _ in if try keeper.readAll(url) != some.count { throw WrongResult() } }
    try keeper.write(many, to: large)
    // A file that is read as a whole takes seconds.
    figures.readOne = try shortest(keeper is WholeFileKeeper ? 3 : 20) { round in
        let number = round * 4999 % many.count
        if try keeper.readOne("\(number)", large) != many[number].title { throw WrongResult() }
    }
    figures.replace = try shortest(10) { round in
        var note = some[round * 777 % some.count]
        note.title = "Changed in round \(round)"
        try keeper.replace(note, url)
        if try keeper.readOne(note.id, url) != note.title { throw WrongResult() }
    }
    return figures
}

func ratios(_ figures: Figures, to own: Figures) -> [Double] {
    [
        figures.write / own.write, figures.readAll / own.readAll, figures.readOne / own.readOne, figures.replace / own.replace,
        figures.size / own.size,
    ]
}

let own = try figures(ArchiveKeeper())
line("", ["write 10k", "read 10k", "one of 100k", "replace one", "size"])
line(
    "archive",
    [own.write, own.readAll, own.readOne, own.replace].map { String(format: "%.3f ms", $0 * 1000) } + ["\(Int(own.size)) B"])
#if SQLITE
    line(SQLiteKeeper.typed.name, ratios(try figures(SQLiteKeeper.typed), to: own).map { String(format: "%.2f ×", $0) })
    let found = ratios(try figures(SQLiteKeeper.json), to: own)
    line(SQLiteKeeper.json.name, found.map { String(format: "%.2f ×", $0) })
#endif
for keeper in [WholeFileKeeper.json, .propertyList] {
    line(keeper.name, ratios(try figures(keeper), to: own).map { String(format: "%.2f ×", $0) })
}
let smallOwn = try figures(ArchiveKeeper(), smallSizes)
line("", ["write 100", "read 100", "one of 200", "replace one", "size"])
line(
    "archive",
    [smallOwn.write, smallOwn.readAll, smallOwn.readOne, smallOwn.replace].map { String(format: "%.3f ms", $0 * 1000) }
        + ["\(Int(smallOwn.size)) B"])
let keyed = try figures(WholeFileKeeper.keyedArchiver, smallSizes)
line(WholeFileKeeper.keyedArchiver.name, ratios(keyed, to: smallOwn).map { String(format: "%.2f ×", $0) })
#if SQLITE
    // An archive is nowhere slower than JSON in SQLite; one resource may take half as long again, and the file a fifth more.
    let musts = [1, 1, 1 / 1.5, 1, 1 / 1.2]
    let short = zip(["write", "read", "one of 100k", "replace", "size"], zip(found, musts)).filter { $0.1.0 < $0.1.1 }.map(\.0)
    if !short.isEmpty { print("short of what must be reached: \(short.joined(separator: ", "))") }
    leave(short.isEmpty ? 0 : 1)
#else
    print("SQLite was left out: its header, /usr/include/sqlite3.h, is not installed (libsqlite3-dev)")
    leave(0)
#endif
