import JSONAPIArchive
import JSONAPICodec
import JSONText

/// Adds resources to a transaction, and counts them for the report.
struct Intake {
    private(set) var report = IngestReport()
    private let pending: PendingChanges
    /// The resources that the call has added.
    private var seen: Set<StoredIdentity> = []
    /// The resources that arrived several times, until `finish` writes them.
    private var repeated: [StoredIdentity: Repeated] = [:]

    private struct Repeated {
        /// The merged resource; nil if there was none below the changes of waiting requests.
        var object: ResourceObject?
        var layers: RequestLayers?
    }

    /// Whether there may be waiting requests, whose changes stay on top of the arriving resources.
    private let hasRequests: Bool
    private let isRead: Bool

    /// - Parameters:
    ///   - isBelowRequests: whether the changes of waiting requests stay on top of the resources.
    ///   - isRead: whether the server has sent the resources. Those of the program lack the fields that are as the store shows them, so one
    ///     without fields tells nothing about the server.
    init(_ pending: PendingChanges, isBelowRequests: Bool = true, isRead: Bool = true) {
        self.pending = pending
        self.isRead = isRead
        hasRequests = isBelowRequests && pending.mayHaveRequests
    }

    /// Adds the resources in members of one document. Skips values that are not resources. The policy gets each identity once.
    ///
    /// - Parameter whole: the resources of the document. If the decoder of the store reads whole resources in their relationships, these are
    ///   added as well. What is in the members counts more, and of several embedded ones the first.
    mutating func add(_ groups: [(data: JSON?, pointer: JSONPointer)], embeddedIn whole: [ResourceObject], _ policy: MergePolicy) throws {
        var resources = DocumentIntake()
        for (data, pointer) in groups {
            switch data {
            case nil, .null: continue
            case .array(let elements):
                for (index, element) in elements.enumerated() { gather(element, at: pointer.appending(index), &resources) }
            case let json?: gather(json, at: pointer, &resources)
            }
            resources.markReferences()
        }
        if pending.takesEmbedded {
            for object in ResourceObject.embedded(in: whole) { gather(.object(object.members), at: .root, &resources) }
        }
        for element in resources.elements {
            try add(ResourceObject(members: element.members), at: element.pointer, policy, acceptsLocal: true)
        }
    }

    private mutating func gather(_ json: JSON, at pointer: JSONPointer, _ resources: inout DocumentIntake) {
        guard case .object(let members) = json else { return report.skip(pointer) }
        var object = ResourceObject(members: members)
        // The lids of a document have a meaning only in that document.
        guard let identity = object.identifier.flatMap(StoredIdentity.init), !identity.isLocal else { return report.skip(pointer) }
        if pending.takesEmbedded { object = object.withoutEmbedded }
        if let conflicts = resources.add(object, identity, at: pointer) {
            report.repeated += 1
            note(conflicts, of: identity)
        }
    }

    /// - Parameters:
    ///   - acceptsLocal: whether a lid is enough as an identity. The lids of a document have a meaning only in that document.
    ///   - parts: the attributes and the meta of which the object has only some members. Unless the policy replaces the resource, the
    ///     other members stay.
    ///   - isBelowRequests: whether the changes of waiting requests stay on top. A new resource of the program replaces them.
    mutating func add(
        _ object: ResourceObject, at pointer: JSONPointer, _ policy: MergePolicy, acceptsLocal: Bool,
        _ parts: AttributeParts = AttributeParts(), isBelowRequests: Bool = true
    ) throws {
        guard let identity = object.identifier.flatMap(StoredIdentity.init), acceptsLocal || !identity.isLocal else {
            return report.skip(pointer)
        }
        let object = pending.takesEmbedded ? object.withoutEmbedded : object
        let text = try StoredText.text(object)
        let isRepeated = !seen.insert(identity).inserted
        if isRepeated { report.repeated += 1 }
        if isRepeated, isBelowRequests { return try addAgain(identity, object, parts, policy, at: pointer) }
        // What replaces the resource also replaces what has not been written yet.
        if isRepeated { repeated[identity] = nil }
        var layers = isBelowRequests && hasRequests ? try RequestLayers(identity, pending) : nil
        try noteArrival(of: object, parts, identity, policy, at: pointer, &layers)
        guard let storedText = try layers.map({ try $0.text }) ?? storedText(identity, policy) else {
            report.inserted += 1
            return try put(identity, text, &layers)
        }
        report.updated += 1
        var (newer, newerText) = (object, text)
        if !parts.isEmpty, !policy.isReplacing, let stored = StoredText.object(storedText) {
            newer = completed(object, parts, from: stored, policy)
            newerText = try StoredText.text(newer)
        }
        try put(identity, merged(identity, storedText, newerText, newer, policy, at: pointer), &layers)
    }

    /// Merges a resource that the call has added before. The text is not written until `finish`, so a large resource that is repeated many
    /// times does not cost its size each time.
    private mutating func addAgain(
        _ identity: StoredIdentity, _ object: ResourceObject, _ parts: AttributeParts, _ policy: MergePolicy, at pointer: JSONPointer
    ) throws {
        var known = try repeated[identity] ?? present(identity, policy)
        try noteArrival(of: object, parts, identity, policy, at: pointer, &known.layers)
        if let stored = known.object {
            let whole = completed(object, parts, from: stored, policy)
            known.object = try merged(identity, stored, whole, policy, at: pointer)
        } else {
            known.object = object
        }
        repeated[identity] = known
    }

    /// Returns a resource below the changes of waiting requests.
    private func present(_ identity: StoredIdentity, _ policy: MergePolicy) throws -> Repeated {
        if hasRequests, let layers = try RequestLayers(identity, pending) { return Repeated(object: layers.object, layers: layers) }
        return Repeated(object: try storedText(identity, policy).flatMap(StoredText.object), layers: nil)
    }

    /// Writes the resources that arrived several times. To be called at the end, and before the resources are read.
    mutating func finish() throws {
        for (identity, known) in repeated {
            guard let object = known.object else { continue }
            var layers = known.layers
            try put(identity, StoredText.text(object), &layers)
        }
        repeated = [:]
    }

    /// Notes an arriving resource for a rollback of its creation.
    private func noteArrival(
        of object: ResourceObject, _ parts: AttributeParts, _ identity: StoredIdentity, _ policy: MergePolicy, at pointer: JSONPointer,
        _ layers: inout RequestLayers?
    ) throws {
        // What arrives first is completed by what the program has created.
        let first = layers?.object.map { completed(object, parts, from: $0, policy) } ?? object
        guard isRead || !first.isIdentifier else { return }
        try layers?.noteArrival(of: first) { known in
            try Self.combined(identity, known, completed(object, parts, from: known, policy), policy, at: pointer)
        }
    }

    /// Returns the object with the members of its attributes and meta that it lacks, unless the policy replaces the resource.
    private func completed(
        _ object: ResourceObject, _ parts: AttributeParts, from stored: ResourceObject, _ policy: MergePolicy
    ) -> ResourceObject {
        parts.isEmpty || policy.isReplacing ? object : parts.completed(object, from: stored)
    }

    /// Returns the text to merge with. A resource that is damaged in the file counts as missing if the policy replaces it.
    private func storedText(_ identity: StoredIdentity, _ policy: MergePolicy) throws -> [UInt8]? {
        do { return try pending.text(identity) } catch {
            guard policy.isReplacing else { throw error }
            return nil
        }
    }

    /// Stores an arriving text below the changes of waiting requests.
    private func put(_ identity: StoredIdentity, _ text: [UInt8], _ layers: inout RequestLayers?) throws {
        guard layers != nil else { return pending.set(identity, .put(text)) }
        layers?.object = StoredText.object(text)
        try layers?.finish()
    }

    /// Adds the compact text of a resource object. Returns whether the resource then has exactly that text.
    mutating func add(_ identifier: ResourceIdentifier, _ text: [UInt8], _ policy: MergePolicy) throws -> Bool {
        guard let identity = StoredIdentity(identifier) else { return false }
        // Arriving values go below the changes of waiting requests.
        let isBelow = hasRequests && !pending.requests(about: identity).isEmpty
        if isBelow || repeated[identity] != nil, let object = StoredText.object(text) {
            try add(object, at: .root, policy, acceptsLocal: false)
            return false
        }
        guard let stored = try storedText(identity, policy), policy.isCustom || !Bytes.areEqual(stored, text) else {
            pending.set(identity, .put(text))
            return true
        }
        guard let object = StoredText.object(text) else { return false }
        // The document may have the resource several times.
        if pending.hasChanged(identity) {
            try add(object, at: .root, policy, acceptsLocal: false)
            return false
        }
        let merged = try merged(identity, stored, text, object, policy, at: .root)
        pending.set(identity, .put(merged))
        return merged == text
    }

    /// Loads a resource from a file. The policy merges it with the stored resource.
    ///
    /// - Parameter isReadThrough: whether the store reads through that file. If so, a text from the file need not be stored.
    mutating func load(
        _ identity: StoredIdentity, _ fileText: [UInt8], over stored: [UInt8]?, _ policy: MergePolicy, isReadThrough: Bool
    ) throws {
        guard let members = try JSON(parsing: fileText).object else { return report.skip(.root) }
        let object = ResourceObject(members: members)
        var text = try StoredText.text(object)
        if let stored { text = try merged(identity, stored, text, object, policy, at: .root) }
        pending.set(identity, isReadThrough && text == fileText ? .load(text) : .put(text))
    }

    private mutating func merged(
        _ identity: StoredIdentity, _ storedText: [UInt8], _ text: [UInt8], _ object: ResourceObject, _ policy: MergePolicy,
        at pointer: JSONPointer
    ) throws -> [UInt8] {
        // Equal texts need no merge. Only a custom policy could return another result.
        if !policy.isCustom, Bytes.areEqual(storedText, text) { return text }
        guard let stored = StoredText.object(storedText) else { return text }
        let result = try merged(identity, stored, object, policy, at: pointer)
        return try policy.isReplacing ? text : StoredText.text(result)
    }

    /// Returns the resource that the policy makes of two, and notes the conflicts.
    private mutating func merged(
        _ identity: StoredIdentity, _ stored: ResourceObject, _ object: ResourceObject, _ policy: MergePolicy, at pointer: JSONPointer
    ) throws -> ResourceObject {
        let result = try Self.combined(identity, stored, object, policy, at: pointer)
        note(ResourceMerge.conflicts(stored, object, in: policy.isCustom ? object : result), of: identity)
        return result
    }

    private mutating func note(_ fields: [JSONPointer], of identity: StoredIdentity) {
        if !fields.isEmpty { report.note(IngestReport.Conflict(identifier: identity.identifier, fields: fields)) }
    }

    /// Returns the resource that the policy makes of two.
    static func combined(
        _ identity: StoredIdentity, _ stored: ResourceObject, _ object: ResourceObject, _ policy: MergePolicy, at pointer: JSONPointer
    ) throws -> ResourceObject {
        switch policy {
        case .replace: return object
        case .fields: return ResourceMerge.merged(stored, with: object)
        case .custom(let merge):
            let result = try merge(stored, object)
            guard result.identifier.flatMap(StoredIdentity.init) == identity else {
                throw StoreError(
                    .identityChanged, identity.identifier, at: pointer, expected: "a merged resource of the same type and id",
                    found: result.identifier == nil ? "one without identity" : "one of another identity")
            }
            return result
        }
    }
}
