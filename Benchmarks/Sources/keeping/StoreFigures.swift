import Foundation
import JSONAPICodec
import JSONAPIStore

/// What a store with a file costs at one size: times in seconds, memory in bytes.
struct StoreFigures {
    let count: Int
    /// The size of the file.
    var file = 0
    /// Opens the file for an empty store.
    var open = 0.0
    /// What the process needs more after that, without the pages of the file that the system has mapped.
    var memoryAfterOpening = 0
    /// Reads one resource after that.
    var readOne = 0.0
    /// Lists the identifiers of all resources for the first time, and again.
    var firstList = 0.0
    var nextList = 0.0
    /// Reads all resources as models.
    var readAll = 0.0
    /// Changes one resource and saves: for the first time after opening, and again.
    var firstSave = 0.0
    var nextSave = 0.0
    /// The memory of each resource that a store without a file holds, beside its text.
    var memoryOfEach = 0

    /// Each size is measured once. Opening and the first calls happen only once for a store, so they are repeated with new stores.
    init(_ count: Int, in folder: URL) throws {
        self.count = count
        let url = folder.appendingPathComponent("store-\(count)")
        memoryOfEach = try Self.memory(of: count, savedTo: url)
        for round in 0..<5 {
            let store = ResourceStore()
            let before = Self.memoryInUse
            var opened: StoreFile?
            let time = try seconds { opened = try StoreFile(url, of: store) }
            guard let file = opened else { throw WrongResult() }
            defer { file.close() }
            if round == 0 { memoryAfterOpening = max(0, Self.memoryInUse - before) }
            let isFirst = round == 0
            func note(_ path: WritableKeyPath<Self, Double>, _ value: Double) {
                self[keyPath: path] = isFirst ? value : min(self[keyPath: path], value)
            }
            note(\.open, time)
            note(\.readOne, try seconds { if try store.resource(Note.self, id: "\(count / 2)") == nil { throw WrongResult() } })
            note(\.firstSave, try seconds { try Self.change(round, store, file) })
            note(\.nextSave, try shortest(5) { try Self.change(100 + $0 + round * 10, store, file) })
            note(\.firstList, try seconds { if store.identifiers(ofType: Note.type).count != count { throw WrongResult() } })
            note(\.nextList, try seconds { if store.identifiers(ofType: Note.type).count != count { throw WrongResult() } })
            self.file = file.byteCount
            if round == 0 { readAll = try seconds { if try store.resources(Note.self).count != count { throw WrongResult() } } }
        }
    }

    private static func change(_ number: Int, _ store: ResourceStore, _ file: StoreFile) throws {
        try store.apply(Patch<Note>(id: "\(number)").set("title", "Changed \(UUID().uuidString)"))
        try file.save()
    }

    /// Returns how much memory a store needs for each resource, beside its text, and saves the store.
    private static func memory(of count: Int, savedTo url: URL) throws -> Int {
        let store = ResourceStore()
        let before = memoryInUse
        for start in stride(from: 0, to: count, by: 10_000) {
            try store.ingest((start..<min(count, start + 10_000)).map { Note(number: $0) })
        }
        let used = memoryInUse - before
        let texts = try JSONAPIEncoder().encode(store.document).count - 20
        try store.save(to: url)
        return max(0, used - texts) / count
    }

    /// The memory of the process without mapped files, in bytes; 0 where the system does not tell.
    private static var memoryInUse: Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("RssAnon:") } ?? ""
        return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}

extension StoreFigures {
    /// Prints a line for each cost, with both sizes and how much more the larger one needs.
    static func print(_ small: StoreFigures, _ large: StoreFigures) {
        line("", ["\(small.count)", "\(large.count)", "ratio"])
        func row(_ name: String, _ path: KeyPath<StoreFigures, Double>) {
            let (first, second) = (small[keyPath: path], large[keyPath: path])
            line(name, [first, second].map { String(format: "%.3f ms", $0 * 1000) } + [String(format: "%.1f ×", second / first)])
        }
        row("open", \.open)
        row("read one", \.readOne)
        row("first change, saved", \.firstSave)
        row("next change, saved", \.nextSave)
        row("first list", \.firstList)
        row("next list", \.nextList)
        row("read all", \.readAll)
        line("file", ["\(small.file) B", "\(large.file) B"])
        line("memory, opened", ["\(small.memoryAfterOpening) B", "\(large.memoryAfterOpening) B"])
        line("memory of each", ["\(small.memoryOfEach) B", "\(large.memoryOfEach) B"])
    }
}
