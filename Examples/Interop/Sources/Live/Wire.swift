import Foundation
import JSONAPIHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The network code, which is all that a program needs in addition to the library.
struct Wire: Sendable {
    let origin: String

    /// Runs a step. Returns its result, and its requests and responses.
    func run(_ step: Step) async throws -> (line: String, recordings: [Recording]) {
        let tape = Tape()
        let talk = Talk(origin: origin) { request in
            let answer = try await send(request)
            await tape.append(Recording(request, answer, origin: origin))
            return answer
        }
        let line = try await step.run(talk)
        return (line, await tape.recordings)
    }

    private func send(_ sent: SentRequest) async throws -> JSONAPIResponse {
        var request = URLRequest(url: sent.url)
        request.httpMethod = sent.method
        for (name, value) in sent.headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpBody = sent.body
        let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        return JSONAPIResponse(data, response)
    }

    private actor Tape {
        private(set) var recordings: [Recording] = []
        func append(_ recording: Recording) { recordings.append(recording) }
    }
}

/// A redirect is a response like any other.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
