import Foundation
import JSONAPIHTTP
import JSONText
import Testing

/// Replays the recordings of real servers. The library must create the same requests, byte for byte, and decode the same values.
@Suite struct ReplayTests {
    @Test(arguments: DjangoTalk.steps)
    func `Django REST framework JSON API is understood`(_ step: Step) async throws { try await replay(step, "django") }

    @Test(arguments: FastAPITalk.steps)
    func `FastAPI-JSONAPI is understood`(_ step: Step) async throws { try await replay(step, "fastapi") }

    @Test(arguments: ["django": DjangoTalk.steps, "fastapi": FastAPITalk.steps])
    func `Every recording belongs to a step`(_ server: String, _ steps: [Step]) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent(server).path)
        #expect(files.sorted() == steps.map { "\($0).json" }.sorted())
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Recorded").standardizedFileURL

    /// Runs a step with its recording. The step throws if a value differs.
    private func replay(_ step: Step, _ server: String) async throws {
        let text = try Data(contentsOf: Self.folder.appendingPathComponent("\(server)/\(step).json"))
        let recordings = try JSON(parsing: text).array.map { try $0.map { try Recording($0) } } ?? []
        let tape = Tape(recordings)
        _ = try await step.run(Talk(origin: Recording.origin) { try await tape.answer($0) })
        #expect(await tape.isAtEnd, "the step sends fewer requests than were recorded")
    }
}

/// Responds to requests in the order of the recording.
private actor Tape {
    private var recordings: ArraySlice<Recording>

    init(_ recordings: [Recording]) { self.recordings = recordings[...] }

    var isAtEnd: Bool { recordings.isEmpty }

    func answer(_ request: SentRequest) throws -> JSONAPIResponse {
        guard let recording = recordings.popFirst() else { throw Mismatch(description: "a request that was not recorded: \(request)") }
        #expect(request.method == recording.request.method)
        #expect(request.url.absoluteString == recording.request.url.absoluteString)
        #expect(request.headers == recording.request.headers)
        #expect(
            request.body.map { String(decoding: $0, as: UTF8.self) } == recording.request.body.map { String(decoding: $0, as: UTF8.self) })
        return recording.answer
    }
}

extension SentRequest {
    fileprivate var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
}
