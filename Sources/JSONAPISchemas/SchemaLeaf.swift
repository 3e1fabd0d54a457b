import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// The schemas of types that are a single value, and values to try.
enum SchemaLeaf {
    /// A text that only a type for every text accepts.
    static let strangeText: JSON = "\u{2026} \u{1F47B}"

    /// Values of each kind, to find out what a type accepts.
    static let probes: [JSON] = [
        .null, true, 7, 7.5, strangeText, "", "7", "7.5", "true", "2026-11-21T09:30:00Z", [], [[["\u{2026}": .null]]], [:],
        ["\u{2026}": [["\u{2026}"]]],
    ]

    /// Texts for types that accept only some.
    static let texts: [JSON] = [
        "text", "1", "https://example.com/1", "2026-11-21T09:30:00Z", "2026-11-21", "ada@example.com", "en",
        "00000000-0000-4000-8000-000000000001", "true", "09:30", "#336699", "1.5", "+4722334455", "USD", "TEXT", "127.0.0.1",
    ]

    static func description(of type: Any.Type, _ decoder: JSONAPIDecoder) -> SchemaBuilder.Description? {
        switch type {
        case is String.Type: string(samples: texts)
        case is Bool.Type: .init(parts: SchemaParts(.boolean), samples: [true, false])
        case is JSON.Type: .init(parts: .anything, samples: ["text", [:]])
        case is JSONObject.Type: .init(parts: SchemaParts(.object), samples: [[:]])
        case is RemainingMembers.Type: .init(parts: SchemaParts(.object).nullable, samples: [[:]])
        case is LocalID.Type: string(samples: ["local-1"])
        case is ResourceLinks.Type: .init(parts: SchemaParts(.object), samples: [[:]])
        case let integer as any FixedWidthInteger.Type: self.integer(integer)
        case is any BinaryFloatingPoint.Type: floating(decoder.nonConformingFloatDecodingStrategy)
        case is URL.Type: string(["format": "uri-reference"], samples: ["https://example.com/1"])
        case is UUID.Type: string(["format": "uuid"], samples: ["00000000-0000-4000-8000-000000000001"])
        case is Decimal.Type, is JSONNumber.Type: .init(parts: SchemaParts(.number), samples: [1, 0.5])
        case is Date.Type: date(decoder)
        case is Data.Type: data(decoder)
        default: nil
        }
    }

    private static func string(_ keywords: JSONObject = [:], samples: [JSON]) -> SchemaBuilder.Description {
        .init(parts: SchemaParts(.string, keywords), samples: samples)
    }

    private static func integer<Number: FixedWidthInteger>(_: Number.Type) -> SchemaBuilder.Description {
        let schema: JSONObject = [
            "type": "integer", "minimum": .number(JSONNumber(Number.min)), "maximum": .number(JSONNumber(Number.max)),
        ]
        return .init(parts: SchemaParts(.number, schema), samples: [1, 0, 2])
    }

    private static func floating(_ strategy: JSONAPIDecoder.NonConformingFloatDecodingStrategy) -> SchemaBuilder.Description {
        var parts = SchemaParts(.number)
        if case .convertFromString(let positive, let negative, let nan) = strategy {
            parts.add(SchemaParts(.string, ["type": "string", "enum": [.string(positive), .string(negative), .string(nan)]]))
        }
        return .init(parts: parts, samples: [1, 0.5])
    }

    private static func date(_ decoder: JSONAPIDecoder) -> SchemaBuilder.Description {
        let date = Date(timeIntervalSince1970: 1_795_253_400)
        return switch decoder.dateDecodingStrategy {
        case .iso8601: string(["format": "date-time"], samples: ["2026-11-21T09:30:00Z"])
        case .layout(let layout): string(samples: layout.text(date).map { [.string($0)] } ?? [])
        case .text(let form): string(samples: [.string(form.write(date))])
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970: .init(parts: SchemaParts(.number), samples: [1_795_253_400])
        case .custom: custom(Date.self, decoder)
        }
    }

    private static func data(_ decoder: JSONAPIDecoder) -> SchemaBuilder.Description {
        switch decoder.dataDecodingStrategy {
        case .base64: string(["contentEncoding": "base64"], samples: ["AQ=="])
        case .deferredToData:
            .init(parts: SchemaParts(.array, ["items": ["type": "integer", "minimum": 0, "maximum": 255]]), samples: [[], [1]])
        case .custom: custom(Data.self, decoder)
        }
    }

    private static func custom<Value: Decodable>(_ type: Value.Type, _ decoder: JSONAPIDecoder) -> SchemaBuilder.Description {
        // A closure decides. The samples are values of every form that it accepts.
        let samples = (texts + probes).filter { json in
            (try? JSONWriter().write(json)).flatMap { try? decoder.value(type, from: $0) } != nil
        }
        return .init(parts: .anything, samples: samples)
    }
}
