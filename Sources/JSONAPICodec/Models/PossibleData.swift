/// Primary data that a document may omit, such as the response to a change.
package struct PossibleData<Primary: PrimaryValue>: PrimaryValue {
    /// The primary data; nil for a document without `data`.
    package let value: Primary?

    public static func _decode(_ source: PrimarySource) throws -> PossibleData {
        let isAbsent = source.session.document.layout.data == 0 && Primary.self != NoData.self
        return PossibleData(value: isAbsent ? nil : try Primary._decode(source))
    }

    public func _encode(_ target: PrimaryTarget) throws { try value?._encode(target) }
}

extension PossibleData: OptionalType {
    package static var wrappedType: Any.Type { Primary.self }
}

extension Document {
    /// Returns the document with other primary data. Everything else stays.
    package func replacingData<Other: PrimaryValue>(with other: Other) -> Document<Other> {
        Document<Other>(
            data: other, links: links, meta: meta, errors: errors, jsonapi: jsonapi, diagnostics: diagnostics, resolver: resolver,
            decoder: decoder)
    }

    /// The number of elements in `data` when the document was read, including those that were dropped; nil when the document was not read.
    package var sentCount: Int? { resolver?.document.index.primaryCount }
}
