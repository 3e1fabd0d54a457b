import Foundation
import JSONAPICodec
import JSONText

extension JSONAPIEncoder {
    /// The document as a JSON value.
    package func tree(_ body: some DocumentBody) throws -> JSON { try JSON(parsing: encode(body)) }

    /// The document as text.
    package func text(_ body: some DocumentBody) throws -> String { String(decoding: try encode(body), as: UTF8.self) }

    /// The document as text.
    package func text<Primary: PrimaryValue>(
        _ value: Primary, include: IncludePaths = .all, fields: [String: [String]] = [:]
    ) throws -> String {
        String(decoding: try encode(value, include: include, fields: fields), as: UTF8.self)
    }
}

/// The failure in the error that `body` throws.
package func encodingFailure(_ body: () throws -> Void) -> EncodingFailure? {
    do {
        try body()
        return nil
    } catch { return (error as? EncodingError)?.failure }
}

/// The failure in the error that `body` throws.
package func decodingFailure(_ body: () throws -> Void) -> DecodingFailure? {
    do {
        try body()
        return nil
    } catch { return (error as? DecodingError)?.failure }
}
