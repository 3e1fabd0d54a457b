import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

/// Random changes of both sides.
extension StoreFileReopeningTests {
    /// A store and another program take turns with a file. If both change a resource, the store takes precedence.
    @Test("Random changes of both sides agree with a model", arguments: 0..<16)
    func random(seed: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var random = SystemRandomNumberGenerator()
            let store = ResourceStore(limit: [nil, 1, 4][seed % 3])
            // The names by id, in the file and in the store, and the ids that the store has changed since the last save.
            var (filed, own, changed): ([String: String], [String: String], Set<String>) = ([:], [:], [])
            func id() -> String { "\(Int.random(in: 0..<8, using: &random))" }
            func changeStore(_ step: String) throws {
                for _ in 0..<Int.random(in: 0...5, using: &random) {
                    let id = id()
                    changed.insert(id)
                    own[id] = Bool.random(using: &random) ? step : nil
                    guard let name = own[id] else {
                        store.remove(identifier(id))
                        continue
                    }
                    try store.ingest(Person(id: id, name: name, city: nil))
                }
            }
            /// The ids that the other program may change.
            func changeFile(_ step: String, _ isAllowed: (String) -> Bool) throws {
                try change(url, compacts: Int.random(in: 0..<3, using: &random) == 0) { changes in
                    for _ in 0..<Int.random(in: 0...5, using: &random) {
                        let id = id()
                        guard isAllowed(id) else { continue }
                        filed[id] = Bool.random(using: &random) ? "other \(step)" : nil
                        if let name = filed[id] {
                            try changes.insert([Person(id: id, name: name, city: nil)])
                        } else {
                            try changes.remove(identifier(id))
                        }
                    }
                }
            }
            func check(_ step: String) throws {
                let people = try store.resources(Person.self)
                #expect(Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.name) }) == own, "\(step)")
                #expect(store.count == own.count && Set(ids(store)) == Set(own.keys), "\(step)")
            }
            for round in 0..<25 {
                let files = FaultyFiles()
                let file = try StoreFile(url, of: store, merging: .custom { mine, _ in mine }, files: files)
                try check("round \(round), opened")
                filed = try Dictionary(uniqueKeysWithValues: file.archive.resources(Person.self).map { ($0.id, $0.name) })
                var isUncertain = false
                for step in 0..<Int.random(in: 0...3, using: &random) where !isUncertain {
                    try changeStore("\(round).\(step)")
                    let fault = ["", "", "", "write", "fsync", "mmap"].randomElement(using: &random) ?? ""
                    files.fail(fault, number: (files.calls[fault] ?? 0) + Int.random(in: 1...2, using: &random), .error(EIO))
                    guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
                    do {
                        try file.save()
                        (filed, changed) = (own, [])
                    } catch {
                        isUncertain = true
                    }
                }
                try check("round \(round), saved")
                file.close()
                let base = filed
                try changeStore("\(round).closed")
                try check("round \(round), closed")
                // After a failed save, the file may have either state of what the store has changed.
                try changeFile("\(round)") { !isUncertain || !changed.contains($0) }
                for id in (0..<8).map({ "\($0)" }) {
                    let isUnchanged = isUncertain ? !changed.contains(id) : own[id] == base[id]
                    if isUnchanged { own[id] = filed[id] }
                }
            }
            let file = try StoreFile(url, of: store)
            try check("last")
            try file.save()
            file.close()
            let last = try Archive(contentsOf: url)
            #expect(try Dictionary(uniqueKeysWithValues: last.resources(Person.self).map { ($0.id, $0.name) }) == own)
            #expect(last.verify().isEmpty)
        }
    }
}
