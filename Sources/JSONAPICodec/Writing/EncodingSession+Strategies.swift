import Foundation
import JSONMapping

// Resources that were read are written as they are. If the encoder has other strategies than the decoder that read them, their names and
// values would differ from those of the other resources, so that no decoder could read the document: then their models are written instead.

extension EncodingSession {
    /// Whether resources that the resolver finds are in the form that the encoder writes, or are not written at all.
    func writesForm(of resolver: ReferenceResolver) -> Bool {
        if comparedResolver !== resolver {
            comparedResolver = resolver
            writesComparedForm = isLeftOut(resolver) || (resolver.options.map { options.writesForm(of: $0) } ?? true)
        }
        return writesComparedForm
    }

    func isLeftOut(_ resolver: ReferenceResolver, _ identifier: ResourceIdentifier? = nil) -> Bool {
        (resolver as? SourceResolver).map { leavesOut($0.source, identifier) } ?? false
    }
}

extension JSONAPIEncoder {
    /// Whether the strategies write what those of the decoder read. Two functions of the program count as equal.
    fileprivate func writesForm(of decoder: JSONAPIDecoder) -> Bool {
        writesNames(of: decoder.keyStrategy) && dateEncodingStrategy.writes(for: decoder.dateDecodingStrategy)
            && writesData(of: decoder.dataDecodingStrategy) && writesNumbers(of: decoder.nonConformingFloatDecodingStrategy)
    }

    private func writesNames(of strategy: KeyStrategy) -> Bool {
        switch (keyStrategy, strategy) {
        case (.useDefaultKeys, .useDefaultKeys), (.kebabCase, .kebabCase), (.snakeCase, .snakeCase), (.custom, .custom): true
        default: false
        }
    }

    private func writesData(of strategy: JSONAPIDecoder.DataDecodingStrategy) -> Bool {
        switch (dataEncodingStrategy, strategy) {
        case (.base64, .base64), (.deferredToData, .deferredToData), (.custom, .custom): true
        default: false
        }
    }

    private func writesNumbers(of strategy: JSONAPIDecoder.NonConformingFloatDecodingStrategy) -> Bool {
        switch (nonConformingFloatEncodingStrategy, strategy) {
        case (.throw, .throw): true
        case (
            .convertToString(let positive, let negative, let nan),
            .convertFromString(let readPositive, let readNegative, let readNaN)
        ):
            (positive, negative, nan) == (readPositive, readNegative, readNaN)
        default: false
        }
    }
}
