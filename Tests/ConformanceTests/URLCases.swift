import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

/// Runs `Conformance/urls.json`: query strings, parameter names, media types, member names, and request lines. Also runs the files in
/// `CONFORMANCE_URLS`, and `urls.json` in the folders of `CONFORMANCE_CASES`.
@Suite struct URLCases {
    @Test func urlCasesPass() throws {
        var report = Report()
        for url in Self.files {
            let cases = try JSON(parsing: Data(contentsOf: url))
            for (group, name, check) in Self.groups {
                for entry in cases[group]?.array ?? [] {
                    let entry = URLCase(members: entry.object ?? JSONObject())
                    report.run("urls/\(group) \(entry[name])") { try check(entry, &$0) }
                }
            }
        }
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.cases > 0)
        print("urls: \(report.cases) cases, \(report.failures.count) failures")
    }

    typealias Check = @Sendable (URLCase, inout Report) throws -> Void

    private static let groups: [(group: String, name: String, check: Check)] = [
        ("queries", "query", query), ("parameter_names", "name", parameterName), ("media_types", "value", mediaType),
        ("member_names", "name", memberName), ("requests", "path", request),
    ]

    private static var files: [URL] {
        let environment = ProcessInfo.processInfo.environment
        func paths(_ name: String) -> [URL] {
            environment[name, default: ""].split(separator: ":").map { URL(fileURLWithPath: String($0)) }
        }
        let folders = paths("CONFORMANCE_CASES").flatMap { [$0, $0.deletingLastPathComponent()] }.map {
            $0.appendingPathComponent("urls.json")
        }
        let found = Set(folders.map(\.standardizedFileURL)).filter { FileManager.default.fileExists(atPath: $0.path) }
        return [CaseFolder.root.appendingPathComponent("urls.json")] + paths("CONFORMANCE_URLS") + found.sorted { $0.path < $1.path }
    }
}

/// One entry of a list in `urls.json`.
struct URLCase {
    let members: JSONObject

    subscript(name: String) -> String { members[name]?.string ?? "" }
    func strings(_ name: String) -> [String] { members[name]?.array?.compactMap(\.string) ?? [] }
}

extension Report {
    fileprivate mutating func expect<Value: Equatable>(_ entry: URLCase, _ name: String, _ what: String, _ found: Value, _ expected: Value)
    {
        if found != expected { fail("urls/\(entry[name])", "\(what): expected \(expected), found \(found)") }
    }
}

// MARK: - Queries

extension URLCases {
    private static func query(_ entry: URLCase, _ report: inout Report) throws {
        let rules = QueryRules(namespaces: entry.strings("namespaces"))
        for text in [entry["query"]] + entry.strings("equivalent") {
            let query = Query(parsing: text)
            let bad = rules.problems(of: query).filter(\.kind.isOfName)
            let names = bad.map(\.parameter)
            report.expect(entry, "query", "status", bad.first?.error.status, entry.members["status"]?.int.map(String.init))
            report.expect(entry, "query", "bad parameters", names.sorted(), entry.strings("bad_parameters").sorted())
            report.expect(entry, "query", "meaning", decoded(query, rules, besides: names), meaning(entry))
            for printed in [query.percentEncoded, query.description] {
                report.expect(entry, "query", "printed and parsed", Query(parsing: printed), query)
            }
        }
    }

    /// The decoded parts in the form of the file, with all lists.
    private static func meaning(_ entry: URLCase) -> JSON {
        var decoded = entry.members["decoded"]?.object ?? JSONObject()
        for name in ["custom", "extension"] where decoded[name] == nil { decoded[name] = [:] }
        return .object(decoded)
    }

    private static func decoded(_ query: Query, _ rules: QueryRules, besides bad: [String]) -> JSON {
        func values(_ isPart: (QueryParameter) -> Bool) -> JSON {
            let parameters = query.parameters.filter { isPart($0) && !bad.contains($0.name) }
            return .object(JSONObject(members: parameters.map { .init(name: $0.name, value: .string($0.value)) }))
        }
        let sort: [JSON]? = query.sort?.map {
            ["field": .string($0.field), "direction": .string($0.direction == .ascending ? "ascending" : "descending")]
        }
        let fields = query.fields.filter { !bad.contains("fields[\($0.type)]") }
        return [
            "include": query.include.map { list($0.map { list($0.split(separator: ".").map { .string(String($0)) }) }) } ?? .null,
            "fields": .object(JSONObject(members: fields.map { .init(name: $0.type, value: list($0.fields.map(JSON.string))) })),
            "sort": sort.map(list) ?? .null,
            "page": values { $0.role == .page },
            "filter": values { $0.role == .filter },
            "custom": .object(
                JSONObject(members: query.customParameters.map { .init(name: $0.name, value: .string($0.value)) })),
            "extension": .object(
                JSONObject(
                    members: rules.namespaces.flatMap { query.extensionParameters(namespace: $0) }.map {
                        .init(name: $0.name, value: .string($0.value))
                    })),
        ]
    }

    private static func list(_ elements: [JSON]) -> JSON { .array(JSONArray(elements)) }

    private static func parameterName(_ entry: URLCase, _ report: inout Report) throws {
        let query = Query(parameters: [QueryParameter(name: entry["name"], value: "")])
        let problems = QueryRules(namespaces: entry.strings("namespaces")).problems(of: query)
        report.expect(entry, "name", "acceptable", problems.allSatisfy { !$0.kind.isOfName }, entry.members["acceptable"]?.bool)
        report.expect(entry, "name", "name", Query(parsing: query.percentEncoded).parameters.first?.name, entry["name"])
    }
}

// MARK: - Names

extension URLCases {
    private static func memberName(_ entry: URLCase, _ report: inout Report) throws {
        let fault = MemberNameFault(in: entry["name"])
        report.expect(entry, "name", "legal", fault == nil, entry.members["legal"]?.bool)
        let rule: String? =
            switch fault {
            case nil: nil
            case .empty: "document-structure/member-names/non-empty"
            case .reservedCharacter: "document-structure/member-names/reserved-characters"
            case .start, .end: "document-structure/member-names/start-and-end"
            }
        report.expect(entry, "name", "rule", rule, entry.members["rule"]?.string)
    }
}

// MARK: - Media types

extension URLCases {
    private static func mediaType(_ entry: URLCase, _ report: inout Report) throws {
        let isAccept = entry["header"] == "Accept"
        let value = entry["value"]
        let parsed = try? isAccept ? MediaType.list(parsing: value) : [MediaType(parsing: value)]
        report.expect(entry, "value", "parsed", parsed.map(shown) ?? .null, entry.members["parsed"])
        if let parsed {
            let printed = parsed.map(\.description).joined(separator: ", ")
            report.expect(entry, "value", "printed and parsed", try MediaType.list(parsing: printed), parsed)
        }

        if entry["direction"] == "request" {
            let negotiation = ContentNegotiation(extensions: entry.strings("supported_extensions"))
            let verdict = try? isAccept ? negotiation.verdict(onAccept: value) : negotiation.verdict(onContentType: value)
            report.expect(entry, "value", "status", verdict?.status, entry.members["status"]?.int)
            if case .refused(let refusal) = verdict {
                report.expect(entry, "value", "header", refusal.error.source?.header, entry["header"])
            }
        }
        guard let meaning = entry.members["meaning"]?.object else { return }
        report.expect(entry, "value", "ext", parsed?.first?.ext, meaning["ext"]?.array?.compactMap(\.string))
        report.expect(entry, "value", "profile", parsed?.first?.profile, meaning["profile"]?.array?.compactMap(\.string))
    }

    private static func shown(_ list: [MediaType]) -> JSON {
        Self.list(
            list.map { mediaType in
                [.string(mediaType.essence), Self.list(mediaType.parameters.map { [.string($0.name), .string($0.value)] })]
            })
    }
}

// MARK: - Requests

extension URLCases {
    /// Each request line is one that a client can send: no parameter name requires status 400, and a server that supports the extensions
    /// accepts the headers.
    private static func request(_ entry: URLCase, _ report: inout Report) throws {
        let query = Query(parsing: entry["query"])
        let problems = QueryRules(namespaces: entry.strings("namespaces")).problems(of: query).filter(\.kind.isOfName)
        report.expect(entry, "path", "problems", problems, [])
        let base = try #require(URL(string: "https://example.org" + entry["path"]))
        report.expect(entry, "path", "query of the URL", Query(of: query.appending(to: base)), query)
        report.expect(entry, "path", "readable query", Query(parsing: query.description), query)

        let headers = entry.members["headers"]?.object ?? JSONObject()
        let contentType = headers["Content-Type"]?.string
        let sent = try contentType.map { try MediaType(parsing: $0) }
        let accepted = try MediaType.list(parsing: headers["Accept"]?.string ?? "")
        let server = ContentNegotiation(extensions: accepted.flatMap(\.ext) + (sent?.ext ?? []))
        report.expect(entry, "path", "Accept", try server.verdict(onAccept: headers["Accept"]?.string).status, nil)
        if let contentType { report.expect(entry, "path", "Content-Type", try server.verdict(onContentType: contentType).status, nil) }

        guard accepted.count == 1, let wanted = accepted.first else { return }
        let made = (sent ?? wanted).requestHeaders(hasDocument: sent != nil, accepting: wanted)
        report.expect(entry, "path", "made Content-Type", made["Content-Type"], contentType.map(compact))
        report.expect(entry, "path", "made Accept", made["Accept"], headers["Accept"]?.string.map(compact))
    }

    /// A header in the form that the library writes, without a space after a semicolon.
    private static func compact(_ header: String) -> String { header.replacingOccurrences(of: "; ", with: ";") }
}
