import Foundation
import JSONAPIHTTP
import JSONText

/// A request and the answer to it, as a file keeps them.
///
///     {"request": {"method": "GET", "url": "http://blog.example/articles/1/", "headers": {"Accept": "…"}, "body": null},
///      "answer": {"status": 200, "headers": {"Content-Type": "…"}, "body": "{\"data\":…"}}
///
/// Servers run at another port every time, so a recording calls all of them `http://blog.example`. Of the answer's headers it keeps those
/// that this library reads.
struct Recording: Sendable, Equatable {
    static let origin = "http://blog.example"
    private static let headers: Set<String> = ["content-type", "location"]

    let request: SentRequest
    let answer: JSONAPIResponse

    /// Creates a recording of a request to the server at the given origin, and of its response.
    init(_ request: SentRequest, _ answer: JSONAPIResponse, origin: String) {
        func moved(_ text: String) -> String { text.replacingOccurrences(of: origin, with: Self.origin) }
        func moved(_ body: Data?) -> Data? { body.map { Data(moved(String(decoding: $0, as: UTF8.self)).utf8) } }
        self.request = SentRequest(
            method: request.method, url: URL(string: moved(request.url.absoluteString)) ?? request.url, headers: request.headers,
            body: moved(request.body))
        let kept = answer.headers.filter { Self.headers.contains($0.key.lowercased()) }
        self.answer = JSONAPIResponse(
            status: answer.status, headers: Dictionary(kept.map { ($0.key.capitalized, moved($0.value)) }) { $1 },
            body: answer.body.flatMap { $0.isEmpty ? nil : moved($0) })
    }
}

// MARK: - As JSON

extension Recording {
    var json: JSON {
        [
            "request": [
                "method": .string(request.method), "url": .string(request.url.absoluteString), "headers": Self.json(request.headers),
                "body": Self.json(request.body),
            ],
            "answer": [
                "status": .number(JSONNumber(answer.status)), "headers": Self.json(answer.headers), "body": Self.json(answer.body),
            ],
        ]
    }

    init(_ json: JSON) throws {
        guard let method = json["request"]?["method"]?.string, let url = json["request"]?["url"]?.string.flatMap({ URL(string: $0) }),
            let status = json["answer"]?["status"]?.number.flatMap({ Int($0.text) })
        else { throw Mismatch(description: "no recording: \(json)") }
        request = SentRequest(
            method: method, url: url, headers: Self.headers(json["request"]?["headers"]), body: Self.body(json["request"]?["body"]))
        answer = JSONAPIResponse(
            status: status, headers: Self.headers(json["answer"]?["headers"]), body: Self.body(json["answer"]?["body"]))
    }

    private static func json(_ body: Data?) -> JSON { body.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null }

    private static func body(_ json: JSON?) -> Data? { json?.string.map { Data($0.utf8) } }

    private static func json(_ headers: [String: String]) -> JSON {
        var object = JSONObject()
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { object.append(name: name, value: .string(value)) }
        return .object(object)
    }

    private static func headers(_ json: JSON?) -> [String: String] {
        var headers: [String: String] = [:]
        for member in json?.object ?? JSONObject() { headers[member.name] = member.value.string }
        return headers
    }
}
