import JSONText

/// A type that is one string or number in JSON, and never a relationship. The file of its form in `Forms/` has the conformance.
package protocol LeafType: Decodable {
    /// Returns one of two values, for the number 0 or 1. They stand for values of the type when a model is run to find its keys.
    static func placeholder(_ number: Int) -> Self?
    /// Returns what the decoder reads as values of the type; nil when a function of the program decides that.
    static func leafForm(_ decoder: JSONAPIDecoder) -> LeafForm?
}

/// The JSON of a `LeafType`.
package struct LeafForm {
    /// The type and other keywords of JSON Schema.
    package let schema: JSONObject
    /// Values that the decoder accepts.
    package let samples: [JSON]

    init(_ schema: JSONObject, _ samples: [JSON]) { (self.schema, self.samples) = (schema, samples) }

    /// Creates the form of strings with further keywords.
    package static func string(_ sample: String?, _ keywords: JSONObject = [:]) -> LeafForm {
        LeafForm(JSONObject(members: [.init(name: "type", value: "string")] + keywords), sample.map { [.string($0)] } ?? [])
    }
}
