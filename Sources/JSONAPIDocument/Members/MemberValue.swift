import JSONAPIRules
import JSONText

/// A Swift value that a member can hold.
package protocol MemberValue {
    /// Creates the value from JSON; nil when the JSON has another shape.
    init?(json: JSON)

    /// The value as JSON.
    var json: JSON { get }
}

extension String: MemberValue {
    package init?(json: JSON) {
        guard case .string(let text) = json else { return nil }
        self = text
    }

    package var json: JSON { .string(self) }

    /// The text of a string, or the digits of an integer. Some servers send ids as integers.
    init?(textOrInteger json: JSON) {
        if case .number(let number) = json, !number.isInteger { return nil }
        self.init(textOrNumber: json)
    }

    /// The text of a string, or a number as it was written. Some servers send a status as a number.
    init?(textOrNumber json: JSON) {
        switch json {
        case .string(let text): self = text
        case .number(let number): self = number.text
        default: return nil
        }
    }
}

extension String {
    /// The text of a string, a number as it was written, or an array of these as lines. Some servers send messages as arrays.
    init?(readable json: JSON) {
        if case .array(let array) = json, !array.isEmpty {
            let lines = array.compactMap { String(textOrNumber: $0) }
            guard lines.count == array.count else { return nil }
            self = lines.joined(separator: "\n")
        } else {
            self.init(textOrNumber: json)
        }
    }
}

extension JSONObject: MemberValue {
    /// The object. An empty array is read as an empty object, because PHP writes empty maps that way.
    package init?(json: JSON) {
        switch json {
        case .object(let object): self = object
        case .array(let array) where array.isEmpty: self = [:]
        default: return nil
        }
    }

    package var json: JSON { .object(self) }
}

extension Array: MemberValue where Element: MemberValue {
    /// The elements; nil when one of them has another shape. Leaving it out would shift the others.
    package init?(json: JSON) {
        guard case .array(let array) = json else { return nil }
        self.init()
        reserveCapacity(array.count)
        for json in array {
            guard let element = Element(json: json) else { return nil }
            append(element)
        }
    }

    package var json: JSON { .array(JSONArray(lazy.map(\.json))) }
}

extension JSONPointer: MemberValue {
    package init?(json: JSON) {
        guard case .string(let text) = json, let pointer = try? JSONPointer(parsing: text) else { return nil }
        self = pointer
    }

    package var json: JSON { .string(description) }
}

extension ErrorObject: MemberValue {}
extension ErrorSource: MemberValue {}
extension JSONAPIObject: MemberValue {}
extension DocumentLink: MemberValue {}
extension Links: MemberValue {}
extension RelationshipObject: MemberValue {}
extension Relationships: MemberValue {}
extension ResourceIdentifier: MemberValue {}
extension ResourceObject: MemberValue {}

extension JSONObject {
    /// Returns the first plain member from `position` on that can be read, and moves the position behind it; nil at the end.
    func nextPlain<Value: MemberValue>(_ type: Value.Type, _ position: inout Int) -> (name: String, value: Value)? {
        while position < count {
            let member = self[position]
            position += 1
            if MemberName(member.name).isPlain, let value = Value(json: member.value) { return (member.name, value) }
        }
        return nil
    }

    /// The member with the given name as a Swift value; nil when it is absent or cannot be read.
    ///
    /// Setting replaces the member in place, or adds it at the end. Setting nil removes it. A change in place takes the value out of the
    /// tree, so that nothing is copied. A member that cannot be read stays when the value remains nil: an optional chain over it must not
    /// remove it.
    package subscript<Value: MemberValue>(
        value name: String,
        reading read: (JSON) -> Value? = Value.init(json:),
        writing write: (Value) -> JSON = { $0.json }
    ) -> Value? {
        get { self[name].flatMap(read) }
        set { self[name] = newValue.map(write) }
        _modify {
            var value = self[name].flatMap(read)
            let wasReadable = value != nil
            if wasReadable { self[name] = .null }
            defer { if wasReadable || value != nil { self[name] = value.map(write) } }
            yield &value
        }
    }
}

extension JSONObject {
    /// The object in the member with the given name; empty when there is none.
    ///
    /// A change adds the member when it is needed. A member that is not an object is replaced, unless the change sets nothing.
    package subscript(fields name: String) -> JSONObject {
        get { self[value: name] ?? JSONObject() }
        _modify {
            let wasReadable = self[value: name] as JSONObject? != nil
            var fields = self[fields: name]
            if wasReadable { self[name] = .null }
            defer { if wasReadable || !fields.isEmpty { self[name] = .object(fields) } }
            yield &fields
        }
    }
}
