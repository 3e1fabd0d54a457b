import JSONText

/// The place of a resource in the list of its type, in a store. A resource that was removed can have it again.
package struct ListPlace: Sendable, Hashable {
    /// What the number belongs to: an archive until it is compacted, or a store without a file.
    package let numbering: UInt64
    /// Lists are in ascending order of the numbers.
    package let number: Int

    package init(numbering: UInt64, number: Int) {
        self.numbering = numbering
        self.number = number
    }
}

extension ListPlace {
    /// The numbering is a text, because it can be too large for other readers of numbers.
    var json: JSON { ["numbering": .string(String(numbering)), "number": .number(JSONNumber(number))] }

    /// Reads what `json` has written. Returns nil for anything else.
    init?(_ json: JSON) {
        guard let numbering = json["numbering"]?.string.flatMap({ UInt64($0) }), let number = json["number"]?.int, number > 0 else {
            return nil
        }
        self.init(numbering: numbering, number: number)
    }
}
