import JSONAPIArchive
import JSONAPICodec
import JSONText

// The rewriters of the store's encoder. A store has resources, and waiting requests their documents, as the models write them. A document is
// rewritten when the program gets its request.

extension QueuedRequest {
    /// Returns the request with the document that is sent. Throws `ValidationError` if a rewriter refuses it.
    func rewritten(by encoder: JSONAPIEncoder) throws -> QueuedRequest {
        guard relationship == nil, let data = document?.members["data"],
            let rewriting = ResourceRewriting(encoder.rewriters, primary: .resources(nil))
        else { return self }
        let place = JSONPointer("data")
        let part: ResourceRewriting.Part = operation == .create ? .without(leftOut) : .changes
        var result = self
        result.document?.members["data"] = try rewriting.resources(data, at: place, [place: part]) { throw $1 }
        return result
    }
}

extension ResourceStore {
    /// Returns a request as the program gets it, whose document is rewritten when it is first used. If it cannot be rewritten, for example
    /// because the store has another encoder since the request was queued, the document is as the store has it. `RequestQueue.next` does not
    /// send the request then.
    ///
    /// - Complexity: O(1).
    func handedOut(_ request: QueuedRequest) -> QueuedRequest {
        guard !encoder.rewriters.isEmpty, request.relationship == nil, let document = request.document else { return request }
        var result = request
        result.presented = LazyDocument { [encoder] in (try? request.rewritten(by: encoder))?.document ?? document }
        return result
    }

    /// Returns requests as the program gets them.
    func handedOut(_ requests: [QueuedRequest]) -> [QueuedRequest] {
        encoder.rewriters.isEmpty ? requests : requests.map { handedOut($0) }
    }
}

extension JSONAPIEncoder {
    /// The encoder that writes resources as the store has them.
    var withoutRewriters: JSONAPIEncoder {
        var encoder = self
        encoder.rewriters = [:]
        encoder.check = nil
        return encoder
    }
}
