import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// A sequence of requests to a server.
///
/// The steps are the same for a real server and for a recording.
struct Talk: Sendable {
    /// The scheme, host, and port of the server.
    let origin: String
    /// Sends a request to the server, and returns the response.
    let carry: @Sendable (SentRequest) async throws -> JSONAPIResponse

    func send<Answer>(_ request: JSONAPIRequest<Answer>) async throws -> JSONAPIResponse {
        try await carry(
            SentRequest(method: request.method.rawValue, url: request.url, headers: request.headers, body: request.body))
    }

    /// Sends a request, and decodes the response.
    func ask<Answer>(_ request: JSONAPIRequest<Answer>) async throws -> Answer {
        try request.answer(try await send(request))
    }

    /// Sends a request that the server must reject with an error document.
    func refusal<Answer>(of request: JSONAPIRequest<Answer>) async throws -> ErrorDocument {
        do {
            _ = try await ask(request)
        } catch let document as ErrorDocument {
            return document
        }
        throw Mismatch(description: "\(request) was not refused")
    }

    /// Sends a request whose response is not a JSON:API document.
    func unexpectedAnswer<Answer>(to request: JSONAPIRequest<Answer>) async throws -> UnexpectedAnswer {
        do {
            _ = try await ask(request)
        } catch let answer as UnexpectedAnswer {
            return answer
        }
        throw Mismatch(description: "\(request) has an answer that can be read")
    }

    func endpoint<Model>(_ path: String, of model: Model.Type) -> Endpoint<Model> { Endpoint(origin + path) }
}

/// A request in the form that a server receives.
struct SentRequest: Sendable, Equatable {
    let method: String
    let url: URL
    let headers: [String: String]
    let body: Data?
}

/// A step of the sequence. It throws if a response differs from the expected one, and returns a short description.
struct Step: Sendable, CustomStringConvertible {
    let name: String
    let run: @Sendable (Talk) async throws -> String
    var description: String { name }

    init(_ name: String, _ run: @escaping @Sendable (Talk) async throws -> String) {
        self.name = name
        self.run = run
    }
}

/// A response that differs from the expected one.
struct Mismatch: Error, CustomStringConvertible {
    let description: String
}

/// Throws unless both values are equal.
func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
    guard found == expected else { throw Mismatch(description: "line \(line): \(found) instead of \(expected)") }
}

extension ResourceIdentifier {
    static func person(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "people", id: id) }
    static func tag(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "tags", id: id) }
}
