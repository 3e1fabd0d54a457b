import Foundation
import JSONMapping

// Resources that were read are written as they are. If the encoder has other strategies than the decoder that read them, their names and
// values would differ from those of the other resources, so that no decoder could read the document: then their models are written instead.

extension EncodingSession {
    /// Whether resources that the resolver finds are in the form that the encoder writes, or are not written at all.
    ///
    /// Archives and stores, and the document of a model to which a request was applied, also have the fields that schemas do not represent.
    func writesForm(of resolver: ReferenceResolver) -> Bool {
        if comparedResolver !== resolver {
            comparedResolver = resolver
            let isSame = resolver.options.map { options.writesForm(of: $0) } ?? true
            if isSame { noteCuts(of: resolver) }
            writesComparedForm = isSame && !hasHiddenFields(resolver) || isLeftOut(resolver)
        }
        return writesComparedForm
    }

    /// Whether resources of the resolver can have fields that the encoder writes in another place, or not at all.
    func hasHiddenFields(_ resolver: ReferenceResolver) -> Bool {
        if let decoder = resolver.options, Shadow(in: decoder.userInfo) != nil { return true }
        return !writesAll && (resolver as? SourceResolver)?.source.isStorage == true
    }

    func isLeftOut(_ resolver: ReferenceResolver, _ identifier: ResourceIdentifier? = nil) -> Bool {
        (resolver as? SourceResolver).map { leavesOut($0.source, identifier) } ?? false
    }
}

extension JSONAPIEncoder {
    /// Creates an encoder that writes what a decoder reads: with its strategies, `schemas`, `userInfo` and maximum depth.
    ///
    /// ```swift
    /// var decoder = JSONAPIDecoder()
    /// decoder.keyStrategy = .snakeCase
    /// let encoder = JSONAPIEncoder(matching: decoder)    // also writes published_at
    /// ```
    ///
    /// Strategies that are functions of the program cannot be reversed, and neither can rewriters: set those of the encoder. All other
    /// options have their defaults.
    public init(matching decoder: JSONAPIDecoder) {
        self.init()
        maximumDepth = max(maximumDepth, decoder.reading.maximumDepth)
        keyStrategy = decoder.keyStrategy
        userInfo = decoder.userInfo
        dateEncodingStrategy = decoder.dateDecodingStrategy.writing ?? .iso8601
        if case .deferredToData = decoder.dataDecodingStrategy { dataEncodingStrategy = .deferredToData }
        if case .convertFromString(let positive, let negative, let nan) = decoder.nonConformingFloatDecodingStrategy {
            nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        }
    }

    /// A decoder that reads what this encoder writes; nil when a strategy is a function of the program.
    var mirror: JSONAPIDecoder? {
        guard let dates = dateEncodingStrategy.reading else { return nil }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = keyStrategy
        decoder.missingResources = .omit
        decoder.dateDecodingStrategy = dates
        switch dataEncodingStrategy {
        case .base64: break
        case .deferredToData: decoder.dataDecodingStrategy = .deferredToData
        case .custom: return nil
        }
        if case .convertToString(let positive, let negative, let nan) = nonConformingFloatEncodingStrategy {
            decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        }
        decoder.userInfo = userInfo
        return decoder
    }

    /// Whether a strategy is a function of the program.
    var hasFunctions: Bool {
        if case .custom = keyStrategy { return true }
        if case .text = dateEncodingStrategy { return true }
        return mirror == nil
    }

    /// Whether the strategies are those of another encoder. Two functions of the program count as equal.
    func writesForm(of other: JSONAPIEncoder) -> Bool {
        var (one, other) = (self, other)
        if case (.custom, .custom) = (one.dateEncodingStrategy, other.dateEncodingStrategy) {
            (one.dateEncodingStrategy, other.dateEncodingStrategy) = (.iso8601, .iso8601)
        }
        if case (.custom, .custom) = (one.dataEncodingStrategy, other.dataEncodingStrategy) {
            (one.dataEncodingStrategy, other.dataEncodingStrategy) = (.base64, .base64)
        }
        return other.mirror.map { one.writesForm(of: $0) } ?? false
    }

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

extension JSONAPIDecoder.DateDecodingStrategy {
    /// The strategy that writes what this one reads; nil for a function of the program.
    var writing: JSONAPIEncoder.DateEncodingStrategy? {
        switch self {
        case .iso8601: .iso8601
        case .layout(let layout): .layout(layout)
        case .deferredToDate: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .text(let form): .text(form)
        case .custom: nil
        }
    }
}

extension JSONAPIEncoder.DateEncodingStrategy {
    /// The strategy that reads what this one writes; nil for a function of the program.
    var reading: JSONAPIDecoder.DateDecodingStrategy? {
        switch self {
        case .iso8601: .iso8601
        case .layout(let layout): .layout(layout)
        case .deferredToDate: .deferredToDate
        case .secondsSince1970: .secondsSince1970
        case .millisecondsSince1970: .millisecondsSince1970
        case .text(let form): .text(form)
        case .custom: nil
        }
    }

    /// Whether it writes what the other strategy reads. Two functions of the program count as equal.
    func writes(for strategy: JSONAPIDecoder.DateDecodingStrategy) -> Bool {
        switch (self, strategy) {
        case (.layout(let written), .layout(let read)): written == read
        case (.iso8601, .iso8601), (.deferredToDate, .deferredToDate), (.secondsSince1970, .secondsSince1970),
            (.millisecondsSince1970, .millisecondsSince1970), (.text, .text), (.custom, .custom):
            true
        default: false
        }
    }
}
