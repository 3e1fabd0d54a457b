import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText

/// `jsonapi archive`: archives on disk.
struct ArchiveCommand: Subcommand {
    static let name = "archive"
    static let summary = "keep documents in an archive, look into it, check it"
    static let operands = "pack OUT FILE… | list ARCHIVE | get ARCHIVE TYPE ID | unpack ARCHIVE | verify ARCHIVE | recover ARCHIVE OUT"
    static let operandChoices = ["pack", "list", "get", "unpack", "verify", "recover"]
    static let options = [
        Option(name: "key", value: "NAME", meaning: "unpack: the resources of this key are the primary data"),
        Option(name: "lid", meaning: "get: the last operand is a local id"),
        Option(name: "compact", meaning: "get, unpack: one line without spaces"),
        Option(name: "json", meaning: "list: print an object; everywhere: print errors as JSON objects, one a line"),
    ]
    static let details = """
        pack    Puts the resources of documents into a new archive, each identity once; of two that differ, the one of the
                later file, or the first one within a file, which is noted. The primary resources of each file get its name
                as a key. Members of a document beside data and included are not kept. An older archive OUT is replaced, in
                one step; a file that is no archive is not.
        list    Prints the keys and the type and id of every resource. With --json the result is {"format","model","bytes",
                "keys":[{"key","form":"value|one|many","count"}],"resources":[{"type","id"}]}.
        get     Prints one resource object.
        unpack  Prints a document: the resources that keys name are primary data, the others included.
        recover Writes everything that is sound of a damaged archive to OUT, a new file, and names what is lost.
        verify  Looks at every byte. Bytes that a stopped writer has left behind are a note, everything else an error.

        Errors are ARCHIVE: error: message on standard error. The exit status is 1 when an archive is damaged or something
        is not in it, and 2 when a file cannot be read or written.
        """
    static let examples = [
        Example("archive pack library.jsonarchive articles.json people.json", "keep two documents"),
        Example("archive list library.jsonarchive", "what is in there"),
        Example("archive get library.jsonarchive people 9", "one resource"),
        Example("archive recover library.jsonarchive rescued.jsonarchive", "what damage has left"),
        Example("archive verify library.jsonarchive", "whether every byte is right"),
    ]

    private let action: any ArchiveAction

    init(_ arguments: Arguments) throws {
        guard let verb = arguments.operands.first else {
            throw UsageError("archive needs an action: pack, list, get, unpack, verify or recover", of: Self.name)
        }
        let operands = Array(arguments.operands.dropFirst())
        func take(_ count: Int, _ form: String) throws {
            guard operands.count == count else { throw UsageError("write it as: archive \(form)", of: Self.name) }
        }
        let style: JSONWriter.Style = arguments.has("compact") ? .compact : .indented(spaces: 2)
        switch verb {
        case "pack":
            guard operands.count >= 2 else { throw UsageError("write it as: archive pack OUT FILE…", of: Self.name) }
            action = PackAction(output: operands[0], files: Array(operands.dropFirst()))
        case "list":
            try take(1, "list ARCHIVE")
            action = ListAction(file: operands[0], writesJSON: arguments.has("json"))
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
        case "verify":
            try take(1, "verify ARCHIVE")
            action = VerifyAction(file: operands[0])
        default:
            throw UsageError.unknown("action", verb, known: Self.operandChoices, of: Self.name)
        }
    }

    func run(in console: Console) throws -> ExitStatus { try action.run(in: console) }
}

/// One of the things that `jsonapi archive` does.
protocol ArchiveAction: Sendable {
    func run(in console: Console) throws -> ExitStatus
}

// MARK: - Faults

extension ArchiveAction {
    /// The archive of a file. Throws `Fault`.
    func open(_ file: String) throws -> Archive {
        try faults(of: file) { try Archive(contentsOf: URL(fileURLWithPath: file)) }
    }

    /// What `body` answers, its archive errors as faults of that file.
    func faults<Answer>(of file: String, _ body: () throws -> Answer) throws -> Answer {
        do { return try body() } catch let error as ArchiveError { throw Fault(error, file: file) }
    }
}

extension Fault {
    /// What is wrong with an archive. Files that cannot be read or written are unusable, damaged ones fall short.
    init(_ error: ArchiveError, file: String, isWriting: Bool = false) {
        let place = error.section.map { " (\($0)" + (error.offset.map { " at byte \($0)" } ?? "") + ")" } ?? ""
        let advice = error.advice.map { "; \($0)" } ?? ""
        self.init(file: file, kind: error.kind.description, message: error.reason + place + advice)
        guard error.kind.category == .storage || error.kind == .notARegularFile else { return }
        status = .unusable
        self.isWriting = isWriting
    }
}
