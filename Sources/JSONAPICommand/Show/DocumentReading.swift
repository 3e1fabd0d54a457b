import Foundation
import JSONAPICodec
import JSONText

/// A document, read as tolerantly as possible.
struct DocumentReading {
    let document: DocumentObject
    let diagnostics: Diagnostics
    /// Whether it was read as a request, because its primary resource has no id.
    let isRequest: Bool
    private let file: String

    /// Reads a document. Throws `Fault` if the text is not JSON, or not a document even with all leniencies.
    init(_ text: Data, file: String) throws {
        self.file = file
        var decoder = JSONAPIDecoder(mode: .lenient)
        do {
            let answer = try decoder.decodeWithDiagnostics(DocumentObject.self, from: text)
            guard DocumentReading.lacksID(answer.document) else {
                (document, diagnostics, isRequest) = (answer.document, answer.diagnostics, false)
                return
            }
            decoder.source = .request
            let request = try? decoder.decodeWithDiagnostics(DocumentObject.self, from: text)
            document = request?.document ?? answer.document
            diagnostics = request?.diagnostics ?? answer.diagnostics
            isRequest = request != nil
        } catch {
            var fault = Fault(decoding: error, in: text, file: file) ?? Fault(file: file, kind: "other", message: "\(error)")
            if fault.pointer == .root, let members = try? JSON(parsing: text).object {
                fault.message += DocumentReading.advice(for: members)
            }
            throw fault
        }
    }

    /// One resource without an id: the body of a request that creates it.
    private static func lacksID(_ document: DocumentObject) -> Bool {
        guard case .one(let resource) = document.data else { return false }
        return !resource.members.contains(name: "id")
    }

    /// Returns the fault for an object that is not a JSON:API document, with what it may be instead.
    func noDocument(in text: Data) -> Fault {
        let members = document.members
        var message = "expected a JSON:API document with data, errors or meta, found "
        if members.isEmpty {
            message += "an empty object"
        } else {
            let names = members.names.prefix(5).map { "`\(ShortText.plain($0, limit: 40))`" }
            let rest = members.count > names.count ? " and \(members.count - names.count) more" : ""
            message += "an object with \(names.joined(separator: ", "))\(rest)"
        }
        message += DocumentReading.advice(for: members)
        let position = TextPlaces(text).positions(of: [.root]).first ?? nil
        return Fault(file: file, position: position, pointer: .root, kind: "documentStructure", message: message)
    }

    /// How to turn an object into a document, if that is obvious.
    private static func advice(for members: JSONObject) -> String {
        members["type"]?.string == nil ? "" : #"; this may be a resource object: write it as {"data": …}"#
    }
}
