import JSONText

// Strings in error objects: <https://jsonapi.org/format/1.1/#error-objects>

extension TapeView {
    /// Returns whether the string at `word` is an HTTP status code: three digits, from 100 to 599.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9110#section-15>
    package func isStatusCode(_ word: Int) -> Bool {
        let text = string(at: word).utf8
        guard text.count == 3, let first = text.first else { return false }
        return first &- UInt8(ascii: "1") < 5 && text.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
    }

    /// Returns whether the string at `word` is a JSON Pointer (RFC 6901). It is not resolved, because it points into the request.
    package func isPointer(_ word: Int) -> Bool {
        do throws(JSONPointerError) {
            _ = try JSONPointer(parsing: string(at: word))
            return true
        } catch {
            return false
        }
    }
}
