/// A type that is one string or number in JSON, and never a relationship. The file of its form in `Forms/` has the conformance.
protocol LeafType: Decodable {
    /// Returns one of two values, for the number 0 or 1. They stand for values of the type when a model is run to find its keys.
    static func placeholder(_ number: Int) -> Self?
}
