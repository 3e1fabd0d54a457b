import Foundation
import JSONText

// Foundation's JSON coders round numbers to `Double`. Only a `Decimal` passes through them with all its digits, up to 38.

extension JSON {
    /// Returns the value at a decoder's place. A number has all its digits if the decoder has them. Numbers inside an array or an object
    /// are those of `read(from:)`.
    static func readDigits(from decoder: any Decoder) throws -> JSON {
        if let decoder = decoder as? any ShadowedDecoder, Shadow(in: decoder.userInfo) != nil { return decoder.shadowed }
        let json = try read(from: decoder)
        guard case .number(let number) = json, roundsNumbers(type(of: decoder)),
            let value = try? decoder.singleValueContainer().decode(Decimal.self), value.isFinite,
            let digits = JSONNumber(text: value.description), digits != number, (try? digits.double()) == (try? number.double())
        else { return json }
        return .number(digits)
    }

    /// Writes the value at an encoder's place. A number keeps all its digits if `Decimal` can represent it.
    func writeDigits(to encoder: any Encoder) throws {
        guard case .number(let number) = self, !number.isIntOrDouble, Self.roundsNumbers(type(of: encoder)),
            let value = Decimal(representing: number)
        else { return try write(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Returns whether a coder is one of Foundation's for JSON. Its coder for property lists has another form for `Decimal`.
    private static func roundsNumbers(_ coder: Any.Type) -> Bool {
        JSONObject.renamesKeys(coder) && String(reflecting: coder).contains("JSON")
    }
}

extension JSONNumber {
    /// Whether the number is an `Int`, or the shortest text of a `Double`. Every coder writes these with all their digits.
    fileprivate var isIntOrDouble: Bool { (try? integer(as: Int.self)) != nil || (try? JSONNumber(double())) == self }
}
