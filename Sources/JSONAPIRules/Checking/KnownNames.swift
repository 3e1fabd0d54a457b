import JSONText

/// Names that were looked at and found to be in order, so that a list of similar resources is looked at once.
///
/// An object with the names of a known one, in the same order, needs no look of its own. A few objects are remembered, each by its number
/// of members: enough for documents of a few resource types.
///
/// A class, so that calls do not copy it: 2 % of decoding a `Document`.
final class KnownNames {
    /// The words of the objects, and of the texts; 0 for none.
    private var attributes = SIMD8<Int>(repeating: 0)
    private var relationships = SIMD8<Int>(repeating: 0)
    private var types = SIMD8<Int>(repeating: 0)
    /// Known attributes and relationships that have no name in common.
    private var pairs = (attributes: SIMD8<Int>(repeating: 0), relationships: SIMD8<Int>(repeating: 0))

    init() {}

    // MARK: - Fields

    /// The word of known attributes with the same names, 0 for none.
    func attributes(like object: Int, _ view: TapeView) -> Int { Self.known(attributes, object, view) }

    /// The word of known relationships with the same names, 0 for none.
    func relationships(like object: Int, _ view: TapeView) -> Int { Self.known(relationships, object, view) }

    func rememberAttributes(_ object: Int, _ view: TapeView) { Self.remember(object, in: &attributes, view) }

    func rememberRelationships(_ object: Int, _ view: TapeView) { Self.remember(object, in: &relationships, view) }

    private static func known(_ objects: SIMD8<Int>, _ object: Int, _ view: TapeView) -> Int {
        let known = objects[slot(view.count(at: object))]
        return known != 0 && haveSameNames(known, object, view) ? known : 0
    }

    private static func remember(_ object: Int, in objects: inout SIMD8<Int>, _ view: TapeView) {
        objects[slot(view.count(at: object))] = object
    }

    private static func haveSameNames(_ first: Int, _ second: Int, _ view: TapeView) -> Bool {
        guard view.count(at: first) == view.count(at: second), !view.hasDuplicates(second) else { return false }
        var (position, other) = (view.first(in: first), view.first(in: second))
        let end = view.end(of: first)
        while position < end {
            guard view.string(at: position, equalsStringAt: other) else { return false }
            position = view.next(after: view.next(after: position))
            other = view.next(after: view.next(after: other))
        }
        return true
    }

    private static func slot(_ count: Int) -> Int { count & 7 }

    // MARK: - Attributes beside relationships

    /// Whether known attributes and known relationships, by their words, have no name in common.
    func isPair(_ attributes: Int, _ relationships: Int) -> Bool {
        let slot = Self.slot(attributes ^ relationships)
        return pairs.attributes[slot] == attributes && pairs.relationships[slot] == relationships
    }

    func rememberPair(_ attributes: Int, _ relationships: Int) {
        let slot = Self.slot(attributes ^ relationships)
        (pairs.attributes[slot], pairs.relationships[slot]) = (attributes, relationships)
    }

    // MARK: - Types

    func isKnownType(_ type: Int, _ view: TapeView) -> Bool {
        let known = types[Self.slot(view.length(at: type))]
        return known != 0 && view.string(at: known, equalsStringAt: type)
    }

    func rememberType(_ type: Int, _ view: TapeView) { types[Self.slot(view.length(at: type))] = type }
}
