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
        var bytes = string(at: word).utf8.makeIterator()
        guard let first = bytes.next() else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        while let byte = bytes.next() {
            // `~0` and `~1` are the only escapes.
            if byte == UInt8(ascii: "~"), bytes.next().map({ $0 | 1 == UInt8(ascii: "1") }) != true { return false }
        }
        return true
    }
}
