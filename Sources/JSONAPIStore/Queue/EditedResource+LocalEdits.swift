import JSONAPIArchive
import JSONAPICodec
import JSONText

// What the program changes on top of a request, without a request of its own.

extension EditedResource {
    /// Takes back the change of a request, and what the program has changed on top of it since then. Returns the latter; nil if there is
    /// nothing.
    mutating func takeBackWithLocalEdit(_ request: QueuedRequest) -> ResourceEdit? {
        guard exists else {
            takeBack(request)
            return nil
        }
        if request.operation == .create { return takeBackCreation(request) }
        if request.operation == .delete, case .resource(let earlier) = request.undo, let shown = object {
            // The resource has come back in another way.
            self = EditedResource(ResourceMerge.merged(earlier, with: shown))
            return nil
        }
        if case .linkage(let edit) = request.undo {
            let shown = localLinkage(above: request, edit)
            takeBack(request)
            return shown.flatMap { ResourceEdit(request.target, [$0]) }
        }
        let shown = assignments(of: request).map { (place: $0.place, value: value(at: $0.place)) }
        takeBack(request)
        let made = assignments(of: request)
        return ResourceEdit(request.target, zip(shown, made).filter { $0.value != $1.value }.map { $0.0 })
    }

    private mutating func takeBackCreation(_ request: QueuedRequest) -> ResourceEdit? {
        let shown = object
        takeBack(request)
        guard let made = request.document?.data.resources.first ?? object, let shown, made != shown else { return nil }
        return ResourceEdit(request.target, ResourceEdit(request.target, from: made, to: shown).values)
    }

    /// Returns the linkage if it is not as a request has left it.
    private mutating func localLinkage(above request: QueuedRequest, _ edit: LinkageEdit) -> (place: JSONPointer, value: JSON?)? {
        guard let relationship = request.relationship else { return nil }
        let isAsLeft = changeLinkage(of: relationship) { linkage in
            linkage.count == edit.count && edit.checksum.map { linkage.checksum == $0 } ?? true
                && (request.document?.linkage.identifiers ?? []).allSatisfy { linkage.contains($0) == (request.operation == .add) }
        }
        let place = JSONPointer("relationships", relationship, "data")
        return isAsLeft == true ? nil : (place, value(at: place))
    }
}
