/// Primary data that a document may leave out, as the answer to a change may.
package struct PossibleData<Primary: PrimaryValue>: PrimaryValue {
    /// The primary data; nil for a document without `data`.
    package let value: Primary?

    public static func _decode(_ source: PrimarySource) throws -> PossibleData {
        let isAbsent = source.session.document.layout.data == 0 && Primary.self != NoData.self
        return PossibleData(value: isAbsent ? nil : try Primary._decode(source))
    }

    public func _encode(_ target: PrimaryTarget) throws { try value?._encode(target) }
}

extension Document {
    /// The document with other primary data; everything else stays.
    package func replacingData<Other: PrimaryValue>(with other: Other) -> Document<Other> {
        Document<Other>(
            data: other, links: links, meta: meta, errors: errors, jsonapi: jsonapi, diagnostics: diagnostics, resolver: resolver)
    }

    /// How many elements `data` had when the document was read, those that were dropped included; nil for a document that was not.
    package var sentCount: Int? { resolver?.document.index.primaryCount }
}
