import Foundation
import JSONAPICodec
import JSONAPIArchive
import JSONText

/// Writes the resources of documents to a new archive.
struct PackAction: ArchiveAction {
    let output: String
    let files: [String]

    func run(in console: Console) throws -> ExitStatus {
        try checkOutput()
        return try faults(of: output, isWriting: true) {
            var packing = Packing()
            for file in files { try packing.add(file, in: console) }
            try packing.writer.write(to: URL(fileURLWithPath: output))
            return .good
        }
    }

    /// Throws `UsageError` if the output is a file that is not an archive, as it is when the operands are in the wrong order.
    private func checkOutput() throws {
        do {
            _ = try Archive(contentsOf: URL(fileURLWithPath: output))
        } catch let error as ArchiveError where error.kind == .notAnArchive {
            throw UsageError("\(ShortText.plain(output, limit: 200)) exists and is not an archive; the archive comes first", of: "archive")
        } catch {
            // The file does not exist, or it is a damaged archive, which is replaced. Writing reports any other problem.
        }
    }
}

/// An archive that is being written.
private struct Packing {
    var writer = Archive.Writer()
    private var keys: Set<String> = []
    /// The next number for each name that several files have.
    private var numbers: [String: Int] = [:]
    private var packed: [ResourceIdentifier: Packed] = [:]

    mutating func add(_ file: String, in console: Console) throws {
        let key = unusedKey(file == "-" ? "stdin" : URL(fileURLWithPath: file).lastPathComponent)
        let text = try console.contents(of: file)
        let document = try DocumentReading(text, file: file).document
        var added: Set<ResourceIdentifier> = []
        let data = document.data
        let isCollection = if case .many = data { true } else { false }
        let primary = data.resources
        for (index, resource) in primary.enumerated() {
            try add(resource, at: isCollection ? "/data/\(index)" : "/data", file, &added, console)
        }
        for (index, resource) in (document.included ?? []).enumerated() {
            try add(resource, at: "/included/\(index)", file, &added, console)
        }
        switch data {
        case .absent:
            throw Fault(file: file, pointer: .root, kind: "documentStructure", message: "expected a document with data, found one without")
        case .null: try writer.encode(JSON.null, forKey: key)
        case .one, .many: try writer.setRoot(key, primary.compactMap(\.identifier), isMany: isCollection)
        }
    }

    /// The name of a file as its key; of several files with that name the second one gets the key `name (2)`.
    private mutating func unusedKey(_ name: String) -> String {
        var key = name
        while !keys.insert(key).inserted {
            let number = numbers[name, default: 2]
            key = "\(name) (\(number))"
            numbers[name] = number + 1
        }
        return key
    }

    private mutating func add(
        _ resource: ResourceObject, at pointer: String, _ file: String, _ added: inout Set<ResourceIdentifier>, _ console: Console
    ) throws {
        guard let identifier = resource.identifier else {
            throw Fault(
                file: file, pointer: try? JSONPointer(parsing: pointer), kind: "missingMember",
                message: "expected a resource with type and id, found one without")
        }
        let new = Packed(resource)
        // The archive has one resource for an id, whatever its lid is.
        let key = identifier.bare
        let known = packed[key]
        let isFirst = !added.contains(key)
        let saysMore = known.map { new.content > $0.content } ?? true
        let saysLess = known.map { new.content < $0.content } ?? false
        let isKept = saysMore || isFirst && !saysLess
        // A bare identifier says nothing about its resource, so it is no other version of it.
        if let known, min(known.content, new.content) != .nothing || !saysMore && !saysLess, !known.json.isIdentical(to: new.json) {
            let which = isKept ? "this one is kept" : saysLess ? "the one with fields is kept" : "the first one is kept"
            let message = "another resource \(Label.of(identifier)), and they differ; \(which)"
            console.note(message, on: file, kind: "duplicateResource", pointer: pointer)
        }
        guard isKept else { return }
        added.insert(key)
        packed[key] = new
        try writer.insert(resource)
    }
}

/// A resource in the archive.
private struct Packed {
    /// What a resource object says about its resource. One that says more replaces one that says less, and never the other way round.
    enum Content: Comparable {
        case nothing, meta, fields
    }

    let json: JSON
    let content: Content

    init(_ resource: ResourceObject) {
        json = resource.json
        let isBare = resource.members.allSatisfy { ["type", "id", "lid"].contains($0.name) }
        let hasFields = !resource.isIdentifier
        content = isBare ? .nothing : hasFields ? .fields : .meta
    }
}
