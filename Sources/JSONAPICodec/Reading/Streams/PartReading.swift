import JSONText

/// A resource of a document, and the member that it stands in.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public enum DocumentPart<Primary: PrimaryElement, Included: PrimaryElement>: Sendable {
    /// A resource of the primary data.
    case data(Primary)
    /// A resource of `included`.
    case included(Included)
}

/// Reads a document part by part. What is asked for is decoded, the rest is checked as text.
final class PartReading<Primary: PrimaryElement, Included: PrimaryElement> {
    enum Step {
        case part(DocumentPart<Primary, Included>)
        /// More bytes have to come first.
        case needsMore
        case end
    }

    var walk: DocumentWalk
    private let data: PortionDecoder<Primary>?
    private let included: PortionDecoder<Included>?
    private let options: JSONAPIDecoder
    private let file: DocumentFile?
    /// The parts of the present portion that were not handed out, the last one first: each is moved out, not copied.
    private var dataParts: [Result<Primary, any Error>] = []
    private var includedParts: [Result<Included, any Error>] = []
    /// What is wrong behind them. The document ends with it.
    private var fault: (any Error)?
    private(set) var resourceCount = 0
    /// How many portions with resources were read.
    private(set) var portionCount = 0

    /// - Parameter file: where embedded resources are found.
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
        return all
    }

    /// The next part. Throws for one that cannot be read, after which it goes on with the one behind it; and for a document
    /// that goes wrong, from then on always.
    func step() throws -> Step {
        while true {
            if let part = try nextPart() {
                resourceCount += 1
                return .part(part)
            }
            if let fault { throw fault }
            do {
                guard let portion = try DecodingFailure.edge({ try walk.next() }) else {
                    guard walk.isFinished else { return .needsMore }
                    if data != nil { try DecodingFailure.edge { try walk.requireData() } }
                    return .end
                }
                try read(portion)
            } catch {
                fault = error
            }
        }
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
        case (.data, let decoder?, _): dataParts = take(portion, decoder)
        case (.included, _, let decoder?): includedParts = take(portion, decoder)
        default:
            if options.mode == .strict || file?.isChecked != true { return try DecodingFailure.edge { try portion.check(options) } }
            skip(portion)
        }
    }

    /// Goes on behind what was found in order when the file was read for its directory. Behind the primary data nothing is left to
    /// read.
    private func skip(_ portion: DocumentPortion) {
        if portion.section == .included, walk.has(.data), let end = file?.checkedWalk { walk = end }
    }

    private func take<Element>(_ portion: DocumentPortion, _ decoder: PortionDecoder<Element>) -> [Result<Element, any Error>] {
        var (values, fault) = decoder.decode(portion)
        self.fault = fault.map { ($0 as? DecodingFailure)?.decodingError(codingPath: []) ?? $0 }
        values.reverse()
        return values
    }
}
