import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// A file that contains a document. It is read in pieces, and its resources can be found by identity.
///
/// `@unchecked Sendable`: the descriptor never changes, and all reads state their offset. `contents` is created and kept under the lock.
final class DocumentFile: ResourceSource, @unchecked Sendable {
    let path: String
    let size: Int
    let options: JSONAPIDecoder
    let maximumResourceBytes: Int
    private let descriptor: Int32
    private let lock = Lock()
    private var contents: Contents?
    private let lines = FileLines()

    /// In a document, identities are compared byte by byte.
    var findsLowercasedUUIDs: Bool { false }
    var isStorage: Bool { false }

    /// The number of bytes to read at once, by default.
    static let chunkSize = 1 << 18

    init(_ path: String, _ options: JSONAPIDecoder, maximumResourceBytes: Int) throws(DocumentFileError) {
        self.path = path
        self.options = options
        // A directory stores lengths in four bytes.
        self.maximumResourceBytes = min(maximumResourceBytes, Int(clamping: UInt32.max))
        // O_NONBLOCK, so that opening a pipe does not wait for its other end.
        descriptor = StreamingFile.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw DocumentFileError(path, "open") }
        guard let status = StreamingFile.status(descriptor) else {
            let error = DocumentFileError(path, "fstat")
            StreamingFile.close(descriptor)
            throw error
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            StreamingFile.close(descriptor)
            throw DocumentFileError(path, "open as a regular file", status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
        }
        guard let size = Int(exactly: status.st_size) else {
            StreamingFile.close(descriptor)
            throw DocumentFileError(path, "open", EFBIG)
        }
        self.size = size
    }

    deinit { StreamingFile.close(descriptor) }

    /// Returns the bytes at an offset. There are fewer than requested only at the end of the file.
    func bytes(at offset: Int, count: Int = chunkSize) throws -> [UInt8] {
        do throws(StreamingFile.Fault) {
            return try StreamingFile.read(descriptor, at: Int64(offset), count: count)
        } catch {
            throw DocumentFileError(path, "read", error.code ?? EIO)
        }
    }

    /// A walk from the beginning of the document.
    var walk: DocumentWalk { DocumentWalk(options, maximumResourceBytes: maximumResourceBytes) }
}

// MARK: - By identity

extension DocumentFile {
    /// The text and the place of a resource that was found.
    struct Found {
        let text: [UInt8]
        let place: ResourcePlace
        /// The offset in the file.
        let offset: Int
    }

    /// The result of reading the whole file once.
    private struct Contents {
        /// The resources before the fault, if there is one.
        let directory: ResourceDirectory
        /// The walk at the end of the document, or at the fault.
        let walk: DocumentWalk
        /// The problem with the document; nil when there is none.
        let fault: (any Error)?
    }

    /// The walk that read all resources, at its end; nil when it found a fault, and before the file was read.
    var checkedWalk: DocumentWalk? { lock.withLock { contents.flatMap { $0.fault == nil ? $0.walk : nil } } }

    /// The fault that was found while the resources were read; nil when there is none. What comes after it is unknown.
    var fault: (any Error)? { lock.withLock { contents?.fault } }

    /// Returns the first resource with the given identity; nil when the document does not contain it. Throws the fault of the document when
    /// the resource is not before it.
    ///
    /// The first call reads the whole file.
    func find(_ identifier: ResourceIdentifier) throws -> Found? {
        let found = try currentDirectory().first(for: identifier) { entry in
            let text = try bytes(at: entry.offset, count: Int(entry.length))
            return isResource(text, identifier) ? Found(text: text, place: entry.place, offset: entry.offset) : nil
        }
        if found == nil, let fault { throw fault }
        return found
    }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        guard let found = try find(identifier) else { return nil }
        var fetched = FetchedResources()
        fetched.append(found.text[...], found.place, offset: found.offset)
        let rewritten = try rewritten(fetched) { _ in found.place.pointer }
        if let failure = rewritten.failures[0] { throw failure }
        return Array(rewritten.text)
    }

    func place(of identifier: ResourceIdentifier) -> SourcePlace? {
        guard let found = try? find(identifier) else { return nil }
        let position = { (offset: Int) in self.options.reportsPositions ? self.position(of: offset) : nil }
        // A rewritten text has other offsets.
        return SourcePlace(
            pointer: found.place.pointer, offset: options.rewriters.isEmpty ? found.offset : nil, position: position)
    }

    /// Returns the directory of all resources, or of those before a fault in the document.
    func currentDirectory() -> ResourceDirectory {
        lock.withLock {
            let read = contents ?? readContents()
            contents = read
            return read.directory
        }
    }

    private func readContents() -> Contents {
        var directory = ResourceDirectory()
        var unlocated = options
        // Lines are counted when a resource is read. This pass needs only offsets.
        unlocated.reportsPositions = false
        var walk = DocumentWalk(unlocated, maximumResourceBytes: maximumResourceBytes)
        var fault: (any Error)?
        do {
            while !walk.isFinished {
                while let portion = try walk.next() {
                    do {
                        try add(portion, to: &directory, unlocated)
                    } catch {
                        guard walk.passesOver(error, endsEarly: true) else { throw error }
                    }
                }
                if !walk.isFinished { try read(into: &walk) }
            }
        } catch let failure as DecodingFailure {
            fault = located(failure).decodingError(codingPath: [])
        } catch is ErrorDocument where options.leniencies.contains(.dataWithErrors) && !walk.endsEarly {
            // All resources were read. Cursors throw the errors at the end.
        } catch {
            fault = error
        }
        directory.sort()
        walk.letGo()
        return Contents(directory: directory, walk: walk, fault: fault)
    }

    /// Adds the resources of a portion, or those before its first fault, which is then thrown.
    private func add(_ portion: DocumentPortion, to directory: inout ResourceDirectory, _ options: JSONAPIDecoder) throws {
        do {
            try directory.add(portion, options)
        } catch {
            guard let failure = (error as? DecodingError)?.failure ?? error as? DecodingFailure else { throw error }
            if let index = portion.element(of: failure), index > 0 {
                try add(portion.prefix(index), to: &directory, options)
            }
            throw failure
        }
    }

    /// Returns a failure with line and column, if these are wanted.
    private func located(_ failure: DecodingFailure) -> DecodingFailure {
        guard options.reportsPositions, failure.position == nil, let offset = failure.offset else { return failure }
        var failure = failure
        failure.position = position(of: offset)
        return failure
    }

    /// Returns the line and column of a byte of the file; nil when the file cannot be read.
    func position(of offset: Int) -> TextPosition? { lines.position(of: offset, in: self) }

    /// Passes the next chunk to a walk, or tells it that there are no more.
    func read(into walk: inout DocumentWalk) throws {
        let chunk = try bytes(at: walk.byteCount)
        if chunk.isEmpty { walk.complete() } else { walk.append(chunk) }
    }

    /// Whether the text is that of the resource with the given identity.
    private func isResource(_ text: [UInt8], _ identifier: ResourceIdentifier) -> Bool {
        let isFound = try? options.withPortionTape(text.span) { tape in
            withExtendedLifetime(tape) {
                let view = tape.view
                return view.isObject(view.root) && ResourceEntry(view, at: view.root).isResource(identifier, view)
            }
        }
        return isFound ?? false
    }

    /// Returns the texts of resources, rewritten as the options ask and separated by commas. Also returns the errors of those that cannot
    /// be rewritten, by their index; their texts stay as they are.
    ///
    /// - Parameter place: Returns the place of a resource for its errors.
    func rewritten(
        _ fetched: FetchedResources, place: (Int) -> JSONPointer
    ) throws -> (text: ArraySlice<UInt8>, failures: [Int: any Error]) {
        guard let rewriting = ResourceRewriting(options.rewriters, primary: .resources(nil), leniencies: options.leniencies) else {
            return (fetched.text, [:])
        }
        let array = [UInt8(ascii: "[")] + fetched.text + [UInt8(ascii: "]")]
        var failures: [Int: any Error] = [:]
        let json = rewriting.resources(try JSON(parsing: array, options: options.portionReading), at: JSONPointer()) { number, error in
            let moved = (error as? ValidationError)?.moved { JSONPointer(tokens: place(number).tokens + $0.tokens.dropFirst()) }
            failures[number] = moved ?? error
        }
        return (try JSONWriter.unlimited.write(json).dropFirst().dropLast(), failures)
    }
}

extension ResourceEntry {
    /// Whether the resource has the given identity.
    func isResource(_ identifier: ResourceIdentifier, _ view: TapeView) -> Bool {
        guard type != 0, view.isString(Int(type)), view.string(at: Int(type), equals: identifier.type) else { return false }
        guard let wanted = identifier.id else { return id == 0 && lid != 0 && view.string(at: Int(lid), equals: identifier.lid ?? "") }
        return id != 0 && view.string(at: Int(id), equals: wanted)
    }
}
