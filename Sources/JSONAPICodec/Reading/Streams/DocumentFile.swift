import Foundation
import JSONMapping
import JSONText

/// A file with a document in it, read in pieces, and the resources in it by identity.
///
/// `@unchecked Sendable`: the descriptor never changes and is read from at given offsets only; `contents` are made and kept under
/// the lock.
final class DocumentFile: ResourceSource, @unchecked Sendable {
    let path: String
    let size: Int
    let options: JSONAPIDecoder
    let maximumResourceBytes: Int
    private let descriptor: Int32
    private let lock = Lock()
    private var contents: Contents?
    private let lines = FileLines()

    /// How much is read at once, unless less is asked for.
    static let chunkSize = 1 << 18

    init(_ path: String, _ options: JSONAPIDecoder, maximumResourceBytes: Int) throws(DocumentFileError) {
        self.path = path
        self.options = options
        // A directory keeps lengths in four bytes.
        self.maximumResourceBytes = min(maximumResourceBytes, Int(clamping: UInt32.max))
        // Not to wait for the other end of a pipe.
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

    /// The bytes from an offset on; fewer than asked for only at the end.
    func bytes(at offset: Int, count: Int = chunkSize) throws -> [UInt8] {
        do throws(StreamingFile.Fault) {
            return try StreamingFile.read(descriptor, at: Int64(offset), count: count)
        } catch {
            throw DocumentFileError(path, "read", error.code ?? EIO)
        }
    }

    /// A walk over the document from its beginning.
    var walk: DocumentWalk { DocumentWalk(options, maximumResourceBytes: maximumResourceBytes) }
}

// MARK: - By identity

extension DocumentFile {
    /// A resource that was found, as text, with its place.
    struct Found {
        let text: [UInt8]
        let place: ResourcePlace
        /// In the file.
        let offset: Int
    }

    /// What one reading of the whole file has found.
    private struct Contents {
        /// The resources in front of the fault, if there is one.
        let directory: ResourceDirectory
        /// The walk at the end of the document, or at the fault.
        let walk: DocumentWalk
        /// What is wrong with the document.
        let fault: (any Error)?
    }

    /// Whether all resources of the document were looked at, and found in order.
    var isChecked: Bool { checkedWalk != nil }

    /// The walk that looked at them, at its end; nil when they were not found in order.
    var checkedWalk: DocumentWalk? {
        lock.lock()
        defer { lock.unlock() }
        guard let contents, contents.fault == nil else { return nil }
        return contents.walk
    }

    /// What was found wrong when the resources were looked at: what is behind it is not known.
    var fault: (any Error)? {
        lock.lock()
        defer { lock.unlock() }
        return contents?.fault
    }

    /// The first resource with this identity; nil when the document does not have it. Throws what is wrong with the document when the
    /// resource is not in front of that.
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

    /// Where the resources are; where the document goes wrong, those in front of that.
    func currentDirectory() -> ResourceDirectory {
        lock.lock()
        defer { lock.unlock() }
        if let contents { return contents.directory }
        let read = readContents()
        contents = read
        return read.directory
    }

    private func readContents() -> Contents {
        var directory = ResourceDirectory()
        var unlocated = options
        // Lines are counted by those who read the resources; this pass gives offsets.
        unlocated.reportsPositions = false
        var walk = DocumentWalk(unlocated, maximumResourceBytes: maximumResourceBytes)
        var fault: (any Error)?
        do {
            while !walk.isFinished {
                while let portion = try walk.next() { try directory.add(portion, unlocated) }
                if !walk.isFinished { try read(into: &walk) }
            }
        } catch let failure as DecodingFailure {
            fault = located(failure).decodingError(codingPath: [])
        } catch {
            fault = error
        }
        directory.sort()
        walk.letGo()
        return Contents(directory: directory, walk: walk, fault: fault)
    }

    /// A failure with line and column, where these are asked for.
    private func located(_ failure: DecodingFailure) -> DecodingFailure {
        guard options.reportsPositions, failure.position == nil, let offset = failure.offset else { return failure }
        var failure = failure
        failure.position = position(of: offset)
        return failure
    }

    /// Line and column of a byte of the file; nil when it cannot be read.
    func position(of offset: Int) -> TextPosition? { lines.position(of: offset, in: self) }

    /// Hands the next chunk to a walk, or tells it that there is none.
    func read(into walk: inout DocumentWalk) throws {
        let chunk = try bytes(at: walk.byteCount)
        if chunk.isEmpty { walk.complete() } else { walk.append(chunk) }
    }

    /// Whether the text is that of a resource with this identity.
    private func isResource(_ text: [UInt8], _ identifier: ResourceIdentifier) -> Bool {
        let isFound = try? options.withPortionTape(text.span) { tape in
            withExtendedLifetime(tape) {
                let view = tape.view
                return view.isObject(view.root) && ResourceEntry(view, at: view.root).isResource(identifier, view)
            }
        }
        return isFound ?? false
    }

    /// The texts of resources as the options rewrite them, with commas between, and why some of them cannot be rewritten, by their
    /// numbers. Those stay as they are.
    ///
    /// - Parameter place: where the errors say that a resource stands.
    func rewritten(
        _ fetched: FetchedResources, place: (Int) -> JSONPointer
    ) throws -> (text: ArraySlice<UInt8>, failures: [Int: any Error]) {
        guard let rewriting = ResourceRewriting(options.rewriters) else { return (fetched.text, [:]) }
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
    /// Whether the resource has this identity.
    func isResource(_ identifier: ResourceIdentifier, _ view: TapeView) -> Bool {
        guard type != 0, view.isString(Int(type)), view.string(at: Int(type), equals: identifier.type) else { return false }
        guard let wanted = identifier.id else { return id == 0 && lid != 0 && view.string(at: Int(lid), equals: identifier.lid ?? "") }
        return id != 0 && view.string(at: Int(id), equals: wanted)
    }
}

extension JSONWriter {
    static var unlimited: JSONWriter {
        var writer = JSONWriter()
        writer.maximumDepth = .max
        return writer
    }
}
