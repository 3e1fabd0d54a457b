import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

@testable import JSONAPICommand

/// Runs the examples in the specification's own repository through decoding, encoding, and validation.
///
/// Every example in the pages of version 1.1, of the extensions, the profiles, the examples and the recommendations is decoded, encoded
/// again and compared, and validated as its kind of document. The output is a table by page and section, followed by the blocks that
/// cannot be checked, each with the reason, and by the failures.
///
/// Two kinds of examples must be invalid: a request to which the page responds with an error, and an error whose link `type` is an array,
/// as in drafts of version 1.1. The status is that of a failure if there is one.
struct StandardRun {
    /// A clone of https://github.com/json-api/json-api.
    let root: String

    func run(in console: Console) throws -> ExitStatus {
        let paths = StandardPage.paths(in: root)
        guard !paths.isEmpty else { throw Fault.unreadable(root, "there are no pages of the specification in it") }
        var rows: [StandardRow] = []
        var (unchecked, failures): ([String], [String]) = ([], [])
        for path in paths {
            let file = URL(fileURLWithPath: root).appendingPathComponent(path).path
            let page = StandardPage(path: path, text: String(decoding: try console.contents(of: file), as: UTF8.self))
            let examples = Self.examples(of: page) { line, reason in
                unchecked.append("not checked: \(path):\(line): \(ShortText.plain(reason, limit: 200))")
            }
            for (position, example) in examples.enumerated() {
                guard let example else { continue }
                let answer = examples[(position + 1)...].lazy.compactMap { $0 }.first
                let check = StandardCheck(example, isRefused: example.isRequest && answer?.isError == true || example.isOutdated)
                if rows.last?.page != path || rows.last?.section != example.section { rows.append(StandardRow(path, example.section)) }
                rows[rows.count - 1].add(check)
                failures += check.failures.map { "\(path):\(example.line): \(ShortText.plain($0, limit: 500))" }
            }
        }
        try print(rows, in: console)
        for line in unchecked + failures { try console.print(line) }
        return failures.isEmpty ? .good : .fallsShort
    }

    /// The examples of the blocks of a page, nil for a block that is not an example. Calls `unusable` with the line and the reason for
    /// blocks with JSON that are not examples.
    private static func examples(of page: StandardPage, unusable: (Int, String) -> Void) -> [StandardExample?] {
        var query: String?
        return page.blocks.map { block -> StandardExample? in
            defer { query = StandardExample.query(of: block) }
            do throws(StandardExample.Unusable) { return try StandardExample(block, query: query) } catch {
                unusable(block.line, error.reason)
                return nil
            }
        }
    }

    private func print(_ rows: [StandardRow], in console: Console) throws {
        var total = StandardRow("total", "")
        for row in rows { total.add(row) }
        func column(_ name: String, _ count: (StandardRow) -> Int) -> TextTable.Column {
            TextTable.Column(name: name, cells: (rows + [total]).map { TextTable.Cell(text: "\(count($0))") }, isNumeric: true)
        }
        let table = TextTable(columns: [
            TextTable.Column(name: "page", cells: (rows + [total]).map { TextTable.Cell(text: ShortText.plain($0.page, limit: 100)) }),
            TextTable.Column(name: "section", cells: (rows + [total]).map { TextTable.Cell(text: $0.section) }),
            column("examples", \.examples), column("decoded", \.decoded), column("encoded", \.encoded), column("validated", \.validated),
        ])
        try table.print(table.widths(fitting: nil), cutsCells: false, .plain, in: console)
    }
}

extension StandardExample {
    /// Whether it is a response that reports an error.
    fileprivate var isError: Bool {
        if case .response(let status) = head { status >= 400 } else { false }
    }
}

/// How many examples of a section passed each step.
private struct StandardRow {
    let page: String
    let section: String
    private(set) var examples = 0
    private(set) var decoded = 0
    private(set) var encoded = 0
    private(set) var validated = 0

    init(_ page: String, _ section: String) {
        self.page = page
        self.section = section
    }

    mutating func add(_ check: StandardCheck) {
        examples += 1
        decoded += check.isDecoded ? 1 : 0
        encoded += check.isEncoded ? 1 : 0
        validated += check.isValidated ? 1 : 0
    }

    mutating func add(_ row: StandardRow) {
        examples += row.examples
        decoded += row.decoded
        encoded += row.encoded
        validated += row.validated
    }
}

/// One example in the three steps.
private struct StandardCheck {
    private(set) var isDecoded = false
    private(set) var isEncoded = false
    private(set) var isValidated = false
    private(set) var failures: [String] = []

    init(_ example: StandardExample, isRefused: Bool) {
        let text = Data(example.document.description.utf8)
        var decoder = JSONAPIDecoder()
        if example.isRequest { decoder.source = .request }
        do {
            let document = try decoder.decode(DocumentObject.self, from: text)
            isDecoded = true
            isEncoded = try JSON(parsing: JSONAPIEncoder().encode(document)).isIdentical(to: example.document)
            if !isEncoded { failures.append("it is another document after decoding and encoding") }
        } catch {
            // A request that the page itself calls wrong may be refused.
            (isDecoded, isEncoded) = (isRefused, isRefused)
            if !isRefused { failures.append("\(error)") }
        }
        let report = Validator(example.context).validate(text)
        isValidated = report.isValid != isRefused
        guard !isValidated else { return }
        if isRefused { failures.append("the page responds to it with an error, but the validator finds none") }
        failures += report.issues.filter { $0.severity == .error }.map { "\($0.message) [\($0.rule.id)] \($0.pointer)" }
    }
}
