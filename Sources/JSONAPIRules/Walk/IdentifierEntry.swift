import JSONText

/// The indices of the members of a resource identifier object on the tape. 0 stands for a missing member.
///
/// <https://jsonapi.org/format/1.1/#document-resource-identifier-objects>
package struct IdentifierEntry {
    package let word: Int
    package var type = 0
    package var id = 0
    package var lid = 0
    package var meta = 0
    package var hasOthers = false

    @inlinable @inline(__always)
    package init(_ view: TapeView, at word: Int) {
        self.word = word
        if view.isPlainIdentifier(word) {
            type = word + 3
            id = word + 5
            return
        }
        readMembers(view)
    }

    @usableFromInline package mutating func readMembers(_ view: TapeView) {
        var name = view.first(in: word)
        let end = view.end(of: word)
        while name < end {
            let value = view.next(after: name)
            if view.string(at: name, equals: "type") {
                type = value
            } else if view.string(at: name, equals: "id") {
                id = value
            } else if view.string(at: name, equals: "lid") {
                lid = value
            } else if view.string(at: name, equals: "meta") {
                meta = value
            } else {
                hasOthers = true
            }
            name = view.next(after: value)
        }
    }
}
