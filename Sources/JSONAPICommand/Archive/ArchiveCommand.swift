import Foundation
import JSONAPICodec
import JSONAPIArchive
import JSONText

/// `jsonapi archive`: reads and writes archives on disk.
struct ArchiveCommand: Subcommand {
    static let name = "archive"
    static let summary = "write, read, check and repair archives of documents"
    static let operands =
        "pack OUT FILE… | list ARCHIVE | get ARCHIVE [TYPE ID] | unpack ARCHIVE | verify ARCHIVE | recover ARCHIVE OUT | compact ARCHIVE"
    static let readsOperands = false
    static let operandChoices = ["pack", "list", "get", "unpack", "verify", "recover", "compact"]
    static let options = [
        Option(name: "key", value: "NAME", meaning: "get: print the value of this key; unpack: use its resources as primary data"),
        Option(name: "lid", meaning: "get: read the last operand as a local id"),
        Option(name: "compact", meaning: "get, unpack: write one line without spaces"),
        Option(name: "json", meaning: "list, verify, recover, compact: print a JSON object; always: print errors as JSON objects"),
    ]
    static let details = """
        pack    Writes the resources of documents to a new archive, each resource once. If two of the same identity differ,
                the one from the later file is kept, and within a file the first one; this is noted. An identifier never
                replaces a resource with fields. The name of each file becomes a key for its primary resources. Only data and included
                are stored. An existing archive OUT is replaced in one step; any other existing file is an error.
        list    Prints the keys, and the type and id of every resource. With --json the result is {"format","model","bytes",
                "keys":[{"key","form":"value|one|many","count"}],"resources":[{"type","id"}]}.
        get     Prints one resource object. With --key it prints what the key names: a value as JSON, or the type and id of
                its resources.
        unpack  Prints a document. Resources with a key are primary data, the others are included.
        verify  Checks every byte, up to the first problem of each part. Bytes left by an interrupted write are a note, any other
                damage is an error. With --json the result is {"file","sound","resources"}, also for a damaged archive.
        recover Writes the undamaged part of an archive to the new file OUT, and reports what is lost. With --json the result
                is {"file","resources","keys"}.
        compact Removes what is no longer used from an archive, and replaces the file in one step. A damaged archive is an error.
                With --json the result is {"file","bytes","before"}, with the sizes of the new and the old file.

        Errors are ARCHIVE: error: message on standard error. The exit status is 1 if an archive is damaged or does not
        contain what was asked for, and 2 if a file cannot be read or written.
        """
    static let examples = [
        Example("archive pack library.jsonarchive articles.json people.json", "store two documents"),
        Example("archive list library.jsonarchive", "the contents of an archive"),
        Example("archive get library.jsonarchive people 9", "one resource"),
        Example("archive get library.jsonarchive --key settings", "the value of a key"),
        Example("archive recover library.jsonarchive rescued.jsonarchive", "save the undamaged part of an archive"),
        Example("archive verify library.jsonarchive", "check every byte"),
    ]

    private let action: any ArchiveAction

    init(_ arguments: Arguments) throws {
        guard let verb = arguments.operands.first else {
            throw UsageError("archive needs an action: pack, list, get, unpack, verify, recover or compact", of: Self.name)
        }
        let operands = Array(arguments.operands.dropFirst())
        func take(_ count: Int, _ form: String) throws {
            guard operands.count == count else { throw UsageError("write it as: archive \(form)", of: Self.name) }
        }
        guard !operands.prefix(verb == "recover" ? 2 : 1).contains("-") else {
            throw UsageError("an archive is a file; only the documents of `archive pack` can come from standard input", of: Self.name)
        }
        let style: JSONWriter.Style = arguments.has("compact") ? .compact : .indented(spaces: 2)
        switch verb {
        case "pack":
            guard operands.count >= 2 else { throw UsageError("write it as: archive pack OUT FILE…", of: Self.name) }
            let files = Array(operands.dropFirst())
            guard files.filter({ $0 == "-" }).count < 2 else { throw UsageError("standard input can be read only once", of: Self.name) }
            action = PackAction(output: operands[0], files: files)
        case "list":
            try take(1, "list ARCHIVE")
            action = ListAction(file: operands[0], writesJSON: arguments.has("json"))
        case "get" where arguments.has("key"):
            try take(1, "get ARCHIVE --key NAME")
            action = GetValueAction(file: operands[0], key: arguments.values(of: "key").last ?? "", style: style)
        case "get":
            try take(3, "get ARCHIVE TYPE ID")
            let isLID = arguments.has("lid")
            let identifier =
                isLID ? ResourceIdentifier(type: operands[1], lid: operands[2]) : ResourceIdentifier(type: operands[1], id: operands[2])
            action = GetAction(file: operands[0], identifier: identifier, style: style)
        case "unpack":
            try take(1, "unpack ARCHIVE")
            action = UnpackAction(file: operands[0], key: arguments.values(of: "key").last, style: style)
        case "recover":
            try take(2, "recover ARCHIVE OUT")
            action = RecoverAction(file: operands[0], output: operands[1])
        case "compact":
            try take(1, "compact ARCHIVE")
            action = CompactAction(file: operands[0])
        case "verify":
            try take(1, "verify ARCHIVE")
            action = VerifyAction(file: operands[0])
        default:
            throw UsageError.unknown("action", verb, known: Self.operandChoices, of: Self.name)
        }
    }

    func run(in console: Console) throws -> ExitStatus { try action.run(in: console) }
}

/// An action of `jsonapi archive`.
protocol ArchiveAction: Sendable {
    func run(in console: Console) throws -> ExitStatus
}

// MARK: - Faults

extension ArchiveAction {
    /// Opens the archive of a file. Throws `Fault`.
    func open(_ file: String) throws -> Archive {
        try faults(of: file) { try Archive(contentsOf: URL(fileURLWithPath: file)) }
    }

    /// Returns the result of `body`, and turns its archive errors into faults of that file.
    func faults<Answer>(of file: String, isWriting: Bool = false, _ body: () throws -> Answer) throws -> Answer {
        do { return try body() } catch let error as ArchiveError { throw Fault(error, file: file, isWriting: isWriting) }
    }
}

extension Fault {
    /// Creates the fault for an archive error. The exit status is 2 if the file cannot be read or written, and 1 if it is damaged.
    init(_ error: ArchiveError, file: String, isWriting: Bool = false) {
        let place = error.section.map { " (\($0)" + (error.offset.map { " at byte \($0)" } ?? "") + ")" } ?? ""
        let isSalvageable = error.advice == ArchiveError.salvageAdvice
        let advice = (isSalvageable ? "recover what is intact with `jsonapi archive recover`" : error.advice).map { "; \($0)" } ?? ""
        self.init(file: file, kind: error.kind.description, message: error.reason + place + advice)
        guard error.kind.category == .storage || error.kind == .notARegularFile else { return }
        status = .unusable
        self.isWriting = isWriting
    }
}
