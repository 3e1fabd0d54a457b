// Requests that contain new related resources.

extension EncodingSession {
    /// Notes a resource that a request creates, so that `included` does not repeat it. Returns the index with which to begin it.
    func keepCreated(_ identity: ResourceIdentifier) -> Int {
        guard identity.id != nil || identity.lid != nil else { return keep(identity) }
        let number = included.enter(identity, isPrimary: true).number
        created.insert(number)
        return number
    }

    /// Writes `included` with the noted resources that have only a lid, and with those that they refer to. Writes nothing when there are
    /// none.
    func writeNewResources() throws {
        guard included.hasResources else { return }
        isCreation = true
        defer { isCreation = false }
        var count = 0
        while included.isWaiting {
            guard let item = included.nextItem() else {
                try compareDoubtful()
                continue
            }
            guard !item.isWritten, case .value(let value) = item.content, isNew(item.number) else { continue }
            if count == 0 {
                output.name("included")
                output.beginArray()
            }
            omitted = included.values(of: value).restrictedFields(value.index)
            defer { omitted = [] }
            notePart(at: ObjectPlace("included", index: count))
            let mark = output.mark
            try write(value, as: item.number, at: ObjectPlace("included", index: count), node: IncludeTree.everything)
            included.set(output.range(from: mark), for: item.number)
            count += 1
        }
        if count > 0 { output.endArray() }
    }

    private func isNew(_ number: Int) -> Bool { included.identifier(number).id == nil && !created.contains(number) }
}
