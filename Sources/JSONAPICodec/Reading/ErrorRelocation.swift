import JSONMapping
import JSONText

/// Puts errors into words, and moves them from the document that was made to read a resource to the document that the resource came from.
/// A description that is not that of the error's failure stays.
package struct ErrorRelocation {
    private let pointer: (JSONPointer) -> JSONPointer
    private let failure: (DecodingFailure) -> DecodingFailure
    private let codingPath: ([any CodingKey]) -> [any CodingKey]

    /// The functions say what becomes of the pointers, the failures and the coding paths of errors. By default, all of them stay.
    package init(
        pointer: @escaping (JSONPointer) -> JSONPointer = { $0 }, failure: @escaping (DecodingFailure) -> DecodingFailure = { $0 },
        codingPath: @escaping ([any CodingKey]) -> [any CodingKey] = { $0 }
    ) {
        (self.pointer, self.failure, self.codingPath) = (pointer, failure, codingPath)
    }

    /// Removes offsets, lines and columns, because the text that was read is not that of the document.
    static var withoutOffsets: ErrorRelocation { ErrorRelocation(failure: \.withoutOffset) }

    package func moved(_ error: any Error) -> any Error {
        if let error = error as? DecodingFailure { return failure(error.spelled).decodingError(codingPath: []) }
        if let error = error as? ValidationError { return error.moved(pointer) }
        guard let error = error as? DecodingError else { return error }
        return error.mapContext { old in
            let failure = old.underlyingError as? DecodingFailure
            let moved = failure.map { self.failure($0.spelled) }
            let isOurs = old.debugDescription == failure?.brief || old.debugDescription == failure?.description
            return DecodingError.Context(
                codingPath: codingPath(old.codingPath), debugDescription: isOurs ? moved?.description ?? "" : old.debugDescription,
                underlyingError: moved ?? old.underlyingError)
        }
    }
}
