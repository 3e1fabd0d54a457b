import Foundation
import JSONText

/// Messages for an alert: the server's own texts, without technical detail.
///
/// ```
/// {"errors": [{"status": "422", "title": "Invalid name", "detail": "The name is too short."}, {"title": "Invalid age"}]}
///
/// errorDescription    Invalid name: The name is too short. (and 1 more)
/// failureReason       The name is too short.
/// ```
///
/// Each text is cut after about 500 bytes, and its control characters become spaces. The words that the library adds are in English.
extension ErrorDocument: LocalizedError {
    /// The title and the detail of the first error that has one of them, and the number of further errors.
    public var errorDescription: String? {
        guard let first = errors.first(where: { $0.alertTitle != nil || $0.alertDetail != nil }) else {
            return "The server reported an error."
        }
        let texts = [first.alertTitle, first.alertDetail].compactMap { $0 }
        let text = texts.count == 2 && UTF8Bytes.areEqual(texts[0], texts[1]) ? texts[0] : texts.joined(separator: ": ")
        return errors.count > 1 ? "\(text) (and \(errors.count - 1) more)" : text
    }

    /// The detail of the first error that has one; nil when none has one.
    public var failureReason: String? { errors.lazy.compactMap(\.alertDetail).first }
}

extension ErrorObject {
    fileprivate var alertTitle: String? { title?.alertText }
    fileprivate var alertDetail: String? { detail?.alertText }
}

extension String {
    /// The text on one line, short enough for an alert; nil when nothing of it is visible.
    fileprivate var alertText: String? {
        var text = String.UnicodeScalarView()
        for scalar in shortened(to: 500).unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: if text.last != " " { text.append(" ") }
            default: text.append(scalar)
            }
        }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .spaceSeparator }
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) }) else { return nil }
        return String(text[start...end])
    }
}
