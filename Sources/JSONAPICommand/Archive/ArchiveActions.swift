import Foundation
import JSONAPICodec
import JSONAPIArchive
import JSONText

/// Prints the contents of an archive.
struct ListAction: ArchiveAction {
    let file: String
    let writesJSON: Bool

    func run(in console: Console) throws -> ExitStatus {
        let archive = try open(file)
        try faults(of: file) {
            let identifiers = try archive.identifiers
            if writesJSON {
                try console.print(json: try report(archive, identifiers))
            } else {
                try show(archive, identifiers, console)
            }
        }
        return .good
    }

    private func show(_ archive: Archive, _ identifiers: [ResourceIdentifier], _ console: Console) throws {
        try console.print(
            "format \(archive.formatVersion), models of version \(archive.modelVersion), "
                + "\(Label.count(identifiers.count, "resource")), \(Label.count(archive.byteCount, "byte"))")
        for key in archive.keys {
            let meaning =
                switch try archive.json(forKey: key) {
                case .array(let list) where try archive.namesResources(key): Label.count(list.count, "resource")
                case .object(let object) where try archive.namesResources(key):
                    ResourceIdentifier(members: object).map { Label.of($0) } ?? ""
                default: "a value"
                }
            try console.print("key \(ShortText.plain(key, limit: 200)): \(meaning)")
        }
        for identifier in identifiers { try console.print(Label.of(identifier)) }
    }

    private func report(_ archive: Archive, _ identifiers: [ResourceIdentifier]) throws -> JSON {
        let keys: [JSON] = try archive.keys.map { key in
            let isResources = try archive.namesResources(key)
            let list = try archive.json(forKey: key)?.array
            let form = !isResources ? "value" : list == nil ? "one" : "many"
            return ["key": .string(key), "form": .string(form), "count": .number(JSONNumber(isResources ? list?.count ?? 1 : 0))]
        }
        return [
            "format": .number(JSONNumber(archive.formatVersion)), "model": .number(JSONNumber(archive.modelVersion)),
            "bytes": .number(JSONNumber(archive.byteCount)), "keys": .array(JSONArray(keys)),
            "resources": .array(JSONArray(identifiers.map(\.json))),
        ]
    }
}

/// Prints one resource object.
struct GetAction: ArchiveAction {
    let file: String
    let identifier: ResourceIdentifier
    let style: JSONWriter.Style

    func run(in console: Console) throws -> ExitStatus {
        let archive = try open(file)
        guard let resource = try faults(of: file, { try archive.resource(ResourceObject.self, identifier) }) else {
            throw Fault(
                file: file, kind: "missingResource",
                message: "the archive has no resource \(Label.of(identifier))")
        }
        try console.print(resource.json, style)
        return .good
    }
}

/// Prints the JSON value of a key, or the identifiers of the resources that it names.
struct GetValueAction: ArchiveAction {
    let file: String
    let key: String
    let style: JSONWriter.Style

    func run(in console: Console) throws -> ExitStatus {
        let archive = try open(file)
        try faults(of: file) {
            // Decoding a key that is missing throws the library's own error, which suggests the most similar key.
            let value = try archive.json(forKey: key) ?? archive.decode(JSON.self, forKey: key)
            try console.print(value, style)
        }
        return .good
    }
}

/// Prints an archive as a document.
struct UnpackAction: ArchiveAction {
    let file: String
    let key: String?
    let style: JSONWriter.Style

    func run(in console: Console) throws -> ExitStatus {
        let archive = try open(file)
        try console.print(try faults(of: file) { try document(of: archive).json }, style)
        return .good
    }

    private func document(of archive: Archive) throws -> DocumentObject {
        if let key, try !archive.namesResources(key) {
            // This throws the library's own error, which suggests the most similar key.
            _ = try archive.decode([ResourceObject].self, forKey: key)
        }
        let keys = try (key.map { [$0] } ?? archive.keys).filter { try archive.namesResources($0) }
        var primary: [ResourceObject] = []
        var known: Set<ResourceIdentifier> = []
        var isCollection = keys.count != 1
        for key in keys {
            let named = try archive.json(forKey: key)
            isCollection = isCollection || named?.array != nil
            for json in named?.array.map(Array.init) ?? named.map({ [$0] }) ?? [] {
                guard let identifier = ResourceIdentifier(json: json), known.insert(identifier).inserted,
                    let resource = try archive.resource(ResourceObject.self, identifier)
                else { continue }
                primary.append(resource)
            }
        }
        var others: [ResourceObject] = []
        for identifier in try archive.identifiers where !known.contains(identifier) {
            if let resource = try archive.resource(ResourceObject.self, identifier) { others.append(resource) }
        }
        // If no key names resources, all of them are primary data, except beside the null of a single document.
        if keys.isEmpty, try archive.keys.count == 1 && archive.json(forKey: archive.keys[0]) == .null {
            return DocumentObject(data: .null, included: others.isEmpty ? nil : others)
        }
        if keys.isEmpty { return DocumentObject(data: .many(others)) }
        let data: PrimaryData = isCollection ? .many(primary) : primary.first.map(PrimaryData.one) ?? .null
        return DocumentObject(data: data, included: others.isEmpty ? nil : others)
    }
}

/// Checks every byte of an archive.
struct VerifyAction: ArchiveAction {
    let file: String

    func run(in console: Console) throws -> ExitStatus {
        let archive = try open(file)
        var status = ExitStatus.good
        for problem in archive.verify() {
            let fault = Fault(problem, file: file)
            if problem.kind == .unfinishedCommit {
                console.note(ShortText.plain(fault.message, limit: 2000), on: file, kind: fault.kind)
            } else {
                status = .fallsShort
                console.complain(fault)
            }
        }
        if console.isMachineReadable {
            try console.print(
                json: ["file": .string(file), "sound": .bool(status == .good), "resources": .number(JSONNumber(archive.count))])
        } else if status == .good {
            try console.print("\(Fault.shown(file)): sound, \(Label.count(archive.count, "resource"))")
        }
        return status
    }
}

extension Console {
    /// Prints JSON and a line end.
    fileprivate func print(_ json: JSON, _ style: JSONWriter.Style) throws {
        var writer = JSONWriter(style: style)
        // A resource can be as deep as a whole text, and is some levels deeper here.
        writer.maximumDepth += 8
        try print(json: try writer.write(json) + [0x0A])
    }
}
