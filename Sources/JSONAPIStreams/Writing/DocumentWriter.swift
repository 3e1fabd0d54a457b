import Foundation
import JSONAPICodec
import JSONText

/// Writes a document one resource at a time. Use it for documents that do not fit into memory.
///
/// ```swift
/// let writer = try DocumentWriter(url, include: ["author"])
/// for row in try database.articles() { try writer.append(Article(row)) }
/// try writer.finish(meta: ["total": 5_000_000])
/// ```
///
/// The document is the same as when `JSONAPIEncoder` writes all resources at once, with its options, include paths and fieldsets. It
/// contains each identity once, and `included` follows the primary data and repeats none of it. Reading it back gives equal values. A value
/// of the program replaces a resource that was read, whichever comes first. The order of `included` may differ: the resources that one
/// primary resource refers to come before those of the next. If such a replacement no longer refers to a resource that was written for the
/// earlier one, that resource stays in the document.
///
/// The writer keeps no values. With include paths, it therefore does not find a resource that only one of two values of one identity holds,
/// such as the primary one, if the path leads through the other value, or through a resource that was read. `included` then lacks it, or has
/// what the server sent. Pass such resources to `include(_:)`.
///
/// The writer compares values with the same identity as they are written, also those that are `Equatable`: two that `==` calls equal can still
/// be an error if their texts differ. If `conflictingResources` is `keepFirst`, the first value is the one that is met first, whereas the
/// encoder begins with all primary resources.
///
/// A resource that cannot be written leaves the document unchanged, and you can continue without it. The writer does not call the encoder's
/// `check`. Misspelled names in include paths and fieldsets are found by `finish`.
///
/// A document that is written to a URL has a temporary name until it is finished. An unfinished document is removed when the writer is
/// deallocated, or when the process ends with `exit`. A process that is killed leaves a file `.document-…` behind.
///
/// **Memory.** The writer needs memory for the largest resource with what it embeds, about 1 MiB more, and at most 75 bytes for each
/// resource that was written (twice that while the table grows). Included resources wait in an unnamed temporary file beside the document.
/// If the text goes to a pipe, a device or a closure, this file is in the temporary directory.
///
/// Use a writer from one thread at a time.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-compound-documents>
public final class DocumentWriter {
    /// How much was written.
    public struct Progress: Sendable, Hashable {
        /// The number of bytes that were passed on. Included resources are counted when the document is finished.
        public internal(set) var bytes = 0
        /// The number of primary resources.
        public internal(set) var resources = 0
        /// The number of included resources so far; at the end, the number of those that were written.
        public internal(set) var included = 0
    }

    /// How much was written.
    public private(set) var progress = Progress()

    private let encoder: JSONAPIEncoder
    private let include: IncludePaths
    /// Finds misspelled names in `include` and `fields`.
    private let names: NameCheck?
    private let fields: [String: [String]]
    private let jsonapi: JSONAPIObject?
    private let sink: (Span<UInt8>) throws -> Void
    private let file: DocumentOutputFile?

    /// The text that was not passed on yet.
    private let output: JSONOutput
    private let spool: IncludedSpool
    private var identities = WrittenIdentities()
    /// The session for the next resource; nil after an error.
    private var session: EncodingSession?
    private var state = State.open

    private enum State { case open, finished, failed(any Error) }

    private static let bufferSize = 1 << 16

    /// Creates a writer for the file at `url`. The file is created or replaced when the document is finished.
    ///
    /// For a symbolic link, the file that it refers to is created or replaced. A pipe or a device receives the text as it is written.
    ///
    /// Throws `DocumentFileError` when no file can be created in the directory, when a directory has this name, and when the URL is not a
    /// file URL.
    ///
    /// `include` selects the related resources for `included`, by default all that are available. `fields` are sparse fieldsets by type.
    public convenience init(
        _ url: URL, encoder: JSONAPIEncoder = JSONAPIEncoder(), include: IncludePaths = .all, fields: [String: [String]] = [:],
        jsonapi: JSONAPIObject? = nil
    ) throws {
        let file = try DocumentOutputFile(StreamingFile.path(of: url))
        // No file can be created beside a device.
        let folder = file.isWrittenDirectly ? Self.temporaryFolder : StreamingFile.folder(of: file.path)
        try self.init(encoder, include, fields, jsonapi, folder, file) { try file.write($0) }
    }

    /// Creates a writer that passes the text to `write`, in pieces of about 64 KiB.
    ///
    /// ```swift
    /// let writer = try DocumentWriter { try handle.write(contentsOf: $0) }
    /// ```
    ///
    /// Throws `EncodingError` when `jsonapi` is nested too deeply.
    public convenience init(
        encoder: JSONAPIEncoder = JSONAPIEncoder(), include: IncludePaths = .all, fields: [String: [String]] = [:],
        jsonapi: JSONAPIObject? = nil, write: @escaping (Data) throws -> Void
    ) throws {
        try self.init(encoder, include, fields, jsonapi, Self.temporaryFolder, nil) { try write(Data(copying: $0)) }
    }

    private static var temporaryFolder: String { FileManager.default.temporaryDirectory.path }

    private init(
        _ encoder: JSONAPIEncoder, _ include: IncludePaths, _ fields: [String: [String]], _ jsonapi: JSONAPIObject?, _ folder: String,
        _ file: DocumentOutputFile?, _ sink: @escaping (Span<UInt8>) throws -> Void
    ) throws {
        self.encoder = encoder
        self.include = include
        names = encoder.nameCheck(IncludeTree(include), fields)
        self.fields = fields
        self.jsonapi = jsonapi
        self.file = file
        self.sink = sink
        output = JSONOutput(encoder.style, escapesSlashes: encoder.escapesSlashes)
        spool = IncludedSpool(folder: folder)
        output.beginObject()
        if !encoder.sortsNames { try writeMember("jsonapi", jsonapi?.json) }
        output.name("data")
        output.beginArray()
    }

    deinit { file?.cancel() }
}

// MARK: - Resources

extension DocumentWriter {
    /// Writes a resource after the others. Resources that it embeds, holds or refers to are kept for `included`.
    ///
    /// Throws `EncodingError` when `JSONAPIEncoder` does, when a resource with the same identity was appended before, and when a value
    /// contradicts another one with the same Swift type and identity. Nothing of the resource is written then. When the text cannot be
    /// passed on, this throws that error, and so does every further call.
    ///
    /// - Complexity: O(bytes of the resource, and of what it embeds, holds and refers to).
    public func append<Element: ResourceRepresentable>(_ value: Element) throws {
        let place = ObjectPlace("data", index: progress.resources)
        let batch = try encode { session, batch in
            let writer = session.elementWriter(for: Element.self)
            guard let number = try writer.notePrimary(value, session, at: place), let identifier = value.identifier else { return }
            let isReplacing = identities[WrittenIdentities.Key(identifier)]?.isRaw == true
            // For a union, the type of the resource inside, so that it is compared with values of that type.
            let type = session.included.value(number).map { session.included.values(of: $0).type }
            try batch.write(identifier, of: type, isPrimary: true, in: session, identities) {
                try writer.writeObject(value, session, as: session.keep(identifier), at: place, node: session.tree.root)
            }
            if isReplacing { WrittenBatch.search(number, from: session.tree.root, session, identities) }
        }
        try handOn {
            try commit(batch)
            if let text = batch.texts.first { try write(text.bytes[...]) }
            progress.resources += 1
        }
    }

    /// Writes resources after the others, up to the first one that cannot be written. Throws as `append(_:)` does.
    public func append<Element: ResourceRepresentable>(contentsOf values: some Sequence<Element>) throws {
        for value in values { try append(value) }
    }

    /// Adds a resource to `included`, unless the document contains or will contain its identity. The caller ensures that some resource
    /// links to it. Throws `EncodingError` for a resource without an identity, and otherwise as `append(_:)` does.
    public func include<Element: ResourceRepresentable>(_ value: Element) throws {
        let batch = try encode { session, batch in
            guard let identifier = value.identifier else {
                throw session.failure(.missingIdentity, at: [], expected: "a resource with an id", found: "a resource without one")
            }
            session.elementWriter(for: Element.self).meet(value, identifier, session, session.tree.root, from: nil)
        }
        try handOn { try commit(batch) }
    }

    /// Runs `body` in a session without resources, then writes the resources that were noted.
    private func encode(_ body: (EncodingSession, inout WrittenBatch) throws -> Void) throws -> WrittenBatch {
        try checkState()
        let session = session ?? EncodingSession(encoder, include: include, fields: fields)
        session.nameCheck = names
        self.session = nil
        // The last call may have been on another thread.
        session.forgetResources()
        var batch = WrittenBatch(ResourceRewriting(encoder.rewriters, fields: ByteText.keys(of: fields), primary: .resources(nil)))
        do {
            if session.output.count == 0 {
                // As in the document, so that the depth is counted in the same way.
                session.output.beginObject()
                session.output.name("data")
                session.output.beginArray()
            }
            try session.watch.during {
                try body(session, &batch)
                try batch.writeIncluded(session, identities)
            }
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
        session.forgetResources()
        self.session = session
        return batch
    }

    /// Records the resources that were written, and keeps those for `included`.
    private func commit(_ batch: WrittenBatch) throws {
        for text in batch.texts {
            identities.note(text.key, text.trace, by: text.models)
            guard !text.isPrimary else { continue }
            try spool.append(text.key, text.bytes[...], version: text.trace.version)
            progress.included += 1
        }
        for (identifier, node) in batch.visits { identities.visit(identifier, node) }
    }
}

// MARK: - The end

extension DocumentWriter {
    /// Writes `included`, links and meta, and ends the document. A file gets its final name now.
    ///
    /// Throws `EncodingError` when links or meta are nested too deeply. Nothing is written then, and you can finish with other ones. Also
    /// throws it for a name in the include paths or fieldsets that no resource has; the document cannot be finished then. Call this once.
    /// Nothing can be written afterwards.
    public func finish(links: Links? = nil, meta: JSONObject? = nil) throws {
        try checkState()
        do { try names?.finish(IncludeTree(include)) } catch let failure as EncodingFailure { throw failure.encodingError }
        // Throws when a member is nested too deeply.
        for case (let name, let value?) in [("links", links?.json), ("meta", meta.map(JSON.object))] {
            try write(value, called: name, into: JSONOutput())
        }
        try handOn {
            output.endArray()
            try writeIncluded()
            if encoder.sortsNames { try writeMember("jsonapi", jsonapi?.json) }
            try writeMember("links", links?.json)
            try writeMember("meta", meta.map(JSON.object))
            output.endObject()
            try drain(atLeast: 1)
            try file?.finish()
            spool.close()
            state = .finished
        }
    }

    private func write(_ value: JSON, called name: String, into output: JSONOutput) throws {
        if output.value(value, sortsNames: encoder.sortsNames, maximumDepth: max(encoder.maximumDepth - 1, 0)) != nil {
            throw EncodingFailure(
                .nestingLimit, at: JSONPointer(name), expected: "arrays and objects nested at most \(encoder.maximumDepth) deep",
                found: "more", advice: "raise maximumDepth"
            ).encodingError
        }
    }

    private func writeIncluded() throws {
        let isRequired = IncludeTree(include).root >= 0
        progress.included = 0
        var hasBegun = false
        func begin() {
            guard !hasBegun else { return }
            hasBegun = true
            output.name("included")
            output.beginArray()
        }
        if isRequired { begin() }
        try spool.forEach { key, version, text in
            guard let trace = identities[key], !trace.isPrimary, trace.version == version else { return }
            begin()
            try write(text)
            progress.included += 1
        }
        if hasBegun { output.endArray() }
    }

    private func writeMember(_ name: String, _ value: JSON?) throws {
        guard let value else { return }
        output.name(name)
        try write(value, called: name, into: output)
    }
}

// MARK: - Passing on

extension DocumentWriter {
    private func checkState() throws {
        switch state {
        case .open: return
        case .failed(let error): throw error
        case .finished:
            throw EncodingFailure(
                .misuse, at: .root, expected: "a document that is not finished", found: "one that is finished",
                advice: "create another writer"
            ).encodingError
        }
    }

    /// Runs `body`. An error that it throws ends the document.
    private func handOn(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            state = .failed(error)
            file?.cancel()
            spool.close()
            throw error
        }
    }

    /// Writes a compact text in the requested style.
    private func write(_ text: ArraySlice<UInt8>) throws {
        if encoder.style == .compact, !encoder.sortsNames, !encoder.escapesSlashes {
            output.raw(text.span)
        } else {
            try Tape.with(text.span, options: .unlimited) { tape in
                tape.view.write(tape.view.root, into: output, sortsNames: encoder.sortsNames)
            }
        }
        try drain(atLeast: Self.bufferSize)
    }

    private func drain(atLeast count: Int) throws {
        guard output.count >= count else { return }
        progress.bytes += output.count
        try output.drain(sink)
    }
}
