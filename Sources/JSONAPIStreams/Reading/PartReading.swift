import JSONAPICodec
import JSONText

/// A resource of a document, and the member that contains it.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public enum DocumentPart<Primary: PrimaryElement, Included: PrimaryElement>: Sendable {
    /// A resource of the primary data.
    case data(Primary)
    /// A resource of `included`.
    case included(Included)
}

/// Reads a document part by part. Requested parts are decoded; the rest is only checked.
final class PartReading<Primary: PrimaryElement, Included: PrimaryElement> {
    enum Step {
        case part(DocumentPart<Primary, Included>)
        /// More bytes are needed first.
        case needsMore
        case end
    }

    var walk: DocumentWalk
    private let data: PortionDecoder<Primary>?
    private let included: PortionDecoder<Included>?
    private let options: JSONAPIDecoder
    private let file: DocumentFile?
    /// The parts of the current portion that were not returned yet, in reverse order. Each is moved out, not copied.
    private var dataParts: [Result<Primary, any Error>] = []
    private var includedParts: [Result<Included, any Error>] = []
    /// The error after these parts. It ends the document.
    private var fault: (any Error)?
    private(set) var resourceCount = 0
    /// The number of portions with resources that were read.
    private var portionCount = 0
    /// The number of parts that can have added diagnostics: these portions and, at the end, the other members.
    var diagnosedCount: Int { portionCount + (walk.isFinished ? 1 : 0) }

    /// - Parameter file: The file in which embedded resources are looked up.
    init(_ walk: DocumentWalk, data: Primary.Type?, included: Included.Type?, file: DocumentFile?) {
        self.walk = walk
        self.file = file
        options = walk.options
        self.data = data.map { _ in PortionDecoder(walk.options, file) }
        self.included = included.map { _ in PortionDecoder(walk.options, file) }
    }

    var diagnostics: Diagnostics {
        var all = data?.diagnostics ?? Diagnostics(maximumBytes: options.maximumDiagnosticBytes)
        if let more = included?.diagnostics { all.append(more) }
        all.append(walk.diagnostics)
        return all
    }

    /// Returns the next part. When a part cannot be read, this throws, and the next call continues after it. When the document has a fault,
    /// every further call throws. The errors of a server that were read before are thrown in place of both.
    func step() throws -> Step {
        while true {
            do {
                if let part = try nextPart() {
                    resourceCount += 1
                    return .part(part)
                }
            } catch {
                guard walk.passesOver(error, endsEarly: false) else { throw error }
                continue
            }
            if let fault { throw fault }
            do {
                guard let portion = try DecodingFailure.converted({ try walk.next() }) else {
                    guard walk.isFinished else { return .needsMore }
                    if data != nil { try DecodingFailure.converted { try walk.requireData() } }
                    return .end
                }
                do { try read(portion) } catch { note(error) }
            } catch {
                fault = error
            }
        }
    }

    /// Notes an error that ends the document.
    private func note(_ error: any Error) {
        // A model may have met another fault meanwhile, and caught it.
        if fault == nil, !walk.passesOver(error, endsEarly: true) { fault = error }
    }

    private func nextPart() throws -> DocumentPart<Primary, Included>? {
        switch dataParts.popLast() {
        case .success(let value): return .data(value)
        case .failure(let error): throw error
        case nil: break
        }
        switch includedParts.popLast() {
        case .success(let value): return .included(value)
        case .failure(let error): throw error
        case nil: return nil
        }
    }

    private func read(_ portion: DocumentPortion) throws {
        portionCount += 1
        switch (portion.section, data, included) {
        // Meanwhile a model may have asked for the next resource. What is left of that portion follows this one, so it is below in the list.
        case (.data, let decoder?, _):
            let parts = take(portion, decoder)
            dataParts += parts
        case (.included, _, let decoder?):
            let parts = take(portion, decoder)
            includedParts += parts
        default:
            guard options.mode != .strict, let end = file?.checkedWalk else {
                return try DecodingFailure.converted { try portion.check(options) }
            }
            // The portion was checked when the file was read for its directory. After the primary data nothing remains to be read.
            if portion.section == .included, walk.has(.data) { walk = end }
        }
    }

    private func take<Element>(_ portion: DocumentPortion, _ decoder: PortionDecoder<Element>) -> [Result<Element, any Error>] {
        var (values, fault) = decoder.decode(portion)
        if let fault { note((fault as? DecodingFailure)?.decodingError(codingPath: []) ?? fault) }
        values.reverse()
        return values
    }
}
