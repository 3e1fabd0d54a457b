extension JSONPointer: Codable {
    /// Reads a pointer from its text. Throws `DecodingError.dataCorrupted` if the text is not a JSON Pointer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(JSONPointerError) {
            self = try JSONPointer(parsing: text)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    /// Writes the text of the pointer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
