import Foundation
import JSONAPICodec
import JSONAPIArchive

/// A way to keep notes in a file. Each function closes the file, with its changes on the disk.
protocol Keeper: Sendable {
    var name: String { get }
    func write(_ notes: [Note], to url: URL) throws
    /// Reads all notes as models, and returns their number.
    func readAll(_ url: URL) throws -> Int
    func readOne(_ id: String, _ url: URL) throws -> String?
    func replace(_ note: Note, _ url: URL) throws
}

struct ArchiveKeeper: Keeper {
    let name = "archive"

    func write(_ notes: [Note], to url: URL) throws {
        var writer = Archive.Writer()
        try writer.insert(notes)
        try writer.write(to: url)
    }

    func readAll(_ url: URL) throws -> Int { try Archive(contentsOf: url).resources(Note.self).count }

    func readOne(_ id: String, _ url: URL) throws -> String? { try Archive(contentsOf: url).resource(Note.self, id: id)?.title }

    func replace(_ note: Note, _ url: URL) throws {
        let file = try ArchiveFile(url)
        defer { file.close() }
        try file.commit { try $0.insert([note]) }
    }
}

/// One text or property list, which is written as a whole.
struct WholeFileKeeper: Keeper {
    let name: String
    let encode: @Sendable ([PlainNote]) throws -> Data
    let decode: @Sendable (Data) throws -> [PlainNote]

    static let json = WholeFileKeeper(
        name: "JSONEncoder", encode: { try JSONEncoder().encode($0) }, decode: { try JSONDecoder().decode([PlainNote].self, from: $0) })

    static let propertyList = WholeFileKeeper(
        name: "property list",
        encode: {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode($0)
        }, decode: { try PropertyListDecoder().decode([PlainNote].self, from: $0) })

    static let keyedArchiver = WholeFileKeeper(
        name: "NSKeyedArchiver",
        encode: { notes in
            let objects = notes.map { note -> NSDictionary in
                var object: [String: Any] = [
                    "id": note.id, "title": note.title, "body": note.body, "author": note.author, "views": note.views,
                    "rating": note.rating, "isPublished": note.isPublished,
                ]
                if let tag = note.tag { object["tag"] = tag }
                return object as NSDictionary
            }
            return try NSKeyedArchiver.archivedData(withRootObject: objects as NSArray, requiringSecureCoding: false)
        },
        decode: { data in
            let classes = [NSArray.self, NSDictionary.self, NSString.self, NSNumber.self] as [AnyClass]
            let objects = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [[String: Any]] ?? []
            return objects.map { object in
                PlainNote(
                    Note(
                        id: object["id"] as? String ?? "", title: object["title"] as? String ?? "", body: object["body"] as? String ?? "",
                        author: object["author"] as? String ?? "", views: object["views"] as? Int ?? 0,
                        rating: object["rating"] as? Double ?? 0, isPublished: object["isPublished"] as? Bool ?? false,
                        tag: object["tag"] as? String))
            }
        })

    func write(_ notes: [Note], to url: URL) throws { try encode(notes.map(PlainNote.init)).write(to: url, options: .atomic) }

    func readAll(_ url: URL) throws -> Int { try decode(Data(contentsOf: url)).count }

    func readOne(_ id: String, _ url: URL) throws -> String? { try decode(Data(contentsOf: url)).first { $0.id == id }?.title }

    func replace(_ note: Note, _ url: URL) throws {
        var notes = try decode(Data(contentsOf: url))
        if let index = notes.firstIndex(where: { $0.id == note.id }) { notes[index] = PlainNote(note) }
        try encode(notes).write(to: url, options: .atomic)
    }
}
