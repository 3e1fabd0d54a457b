import JSONText

/// What happens to unknown elements of a list: raw values that match no case, and words that are not in a table.
public enum UnknownElements<Element>: Sendable {
    /// Reports an issue.
    case refuse
    /// Leaves out the element.
    case drop
    /// Replaces the element with the closure's result. `replace` is the short form.
    case standIn(@Sendable () -> Element)

    /// Replaces the element with the given value.
    public static func replace(_ element: @autoclosure @escaping @Sendable () -> Element) -> UnknownElements { .standIn(element) }
}

extension Conversion where Input == JSON {
    /// An array whose elements are converted. Each element that fails is an issue with its position. Null is a type mismatch.
    ///
    /// `unknown` applies to elements that fail with `invalidValue`, and to words that are not in a `.table`. Elements of the wrong type
    /// always fail.
    public static func list<Element>(
        _ element: Conversion<JSON, Element>, unknown: UnknownElements<Element> = .refuse
    ) -> Self where Output == [Element] {
        Self(
            archiving: .list(element),
            decoding: { json, context in
                guard let json else { return nil }
                guard case .array(let array) = json else { throw MappingIssue.mismatch("an array", json) }
                return try decodeElements(array, element, unknown, context)
            },
            encoding: { values, context in .array(JSONArray(try encodeElements(values, element, context))) })
    }

    /// An object whose values are converted, as a dictionary. If a name is repeated, the last value is used.
    ///
    /// A Swift dictionary treats composed and decomposed é as the same key. Two names that differ only in this way are the issue
    /// `nameConflict`, so that no value is lost silently. `.object` keeps both.
    public static func dictionary<Element>(
        _ element: Conversion<JSON, Element>
    ) -> Self where Output == [String: Element] {
        Self(
            archiving: .dictionary(element),
            decoding: { json, context in
                guard let json else { return nil }
                guard case .object(let object) = json else { throw MappingIssue.mismatch("an object", json) }
                return try decodeMembers(object, element, context)
            },
            encoding: { values, context in .object(try encodeMembers(values, element, context)) })
    }

    /// An array as a dictionary that stores each element under its key. If several elements have the same key, the last one is used. The
    /// elements are written in the order of their keys.
    ///
    /// A Swift dictionary treats composed and decomposed é as the same key. Two keys that differ only in this way are the issue
    /// `nameConflict`, so that no value is lost silently. `.list` keeps both. When writing, two elements that have the same key, although
    /// they are stored under different ones, are this issue, too.
    public static func keyed<Name: Hashable & Comparable & SendableMetatype, Element>(
        by key: @escaping @Sendable (Element) -> Name, _ element: Conversion<JSON, Element>
    ) -> Self where Output == [Name: Element] {
        Conversion<JSON, [Element]>.list(element).then(
            decode: { try elementsByKey($0, key) },
            encode: { try sortedElements($0, key) })
    }

    /// Reads null as nil, and converts every other value: `.list(.nullable(.int))` keeps the nulls of a list.
    public static func nullable<Wrapped>(_ wrapped: Conversion<JSON, Wrapped>) -> Self where Output == Wrapped? {
        Self(
            archiving: .nullable(wrapped),
            decoding: { json, context in
                guard let json, !json.isNull else { return .some(nil) }
                return .some(try wrapped.decode(json, context))
            },
            encoding: { value, context in try value.map { try wrapped.encoding($0, context) } ?? .null })
    }

    /// An array as a set. The elements are written in the order of their JSON text.
    ///
    /// A Swift set treats composed and decomposed é as the same string. Two elements whose text differs only in this way are the issue
    /// `conversionFailed`, so that no value is lost silently. `.list` keeps both.
    public static func set<Element: Hashable & SendableMetatype>(_ element: Conversion<JSON, Element>) -> Self
    where Output == Set<Element> {
        let list = Conversion<JSON, [Element]>.list(element)
        let elements = Conversion<[Element], Set<Element>>(decode: { try distinct($0) }, encode: { Array($0) })
        return Self(
            archiving: list.archiving?.then(elements),
            decoding: { json, context in try list.decode(json, context).map { try distinct($0) } },
            encoding: { values, context in
                let texts = try encodeElements(values, element, context).map { (text: $0.description, json: $0) }
                return .array(JSONArray(texts.sorted { UTF8Bytes.isLess($0.text, $1.text) }.map(\.json)))
            })
    }
}

// MARK: - Elements

/// Returns the elements as a set. Throws when the set would merge two elements whose text has different bytes.
private func distinct<Element: Hashable>(_ elements: [Element]) throws -> Set<Element> {
    var issues = IssueCollector()
    var values: Set<Element> = []
    for (position, element) in elements.enumerated() {
        let (isNew, present) = values.insert(element)
        if isNew || ExactValue.areEqual(present, element) { continue }
        let issue = MappingIssue.unconvertible(
            "texts that are different elements of a Swift set", "two equal elements", advice: "use `.list` to read all of them")
        issues.add(issue, in: String(position))
    }
    try issues.throwIfAny(name: "set")
    return values
}

/// Returns the elements as a dictionary, with the last element of each key. Throws when the dictionary would merge two keys that have
/// different bytes.
private func elementsByKey<Name: Hashable, Element>(_ elements: [Element], _ key: (Element) -> Name) throws -> [Name: Element] {
    var issues = IssueCollector()
    var values: [Name: Element] = [:]
    for (position, element) in elements.enumerated() {
        let name = key(element)
        if let index = values.index(forKey: name), !ExactValue.areEqual(values[index].key, name) {
            let issue = MappingIssue(
                .nameConflict, expected: "keys that are different keys of a Swift dictionary", found: "two equal keys",
                advice: "use `.list` to read all of them")
            issues.add(issue, in: String(position))
        } else {
            values[name] = element
        }
    }
    try issues.throwIfAny(name: "list")
    return values
}

/// Returns the elements in the order of their keys in the dictionary. Throws when two elements have the same key, because only one of them
/// could be read back.
private func sortedElements<Name: Hashable & Comparable, Element>(
    _ values: [Name: Element], _ key: (Element) -> Name
) throws -> [Element] {
    var issues = IssueCollector()
    var names: Set<Name> = []
    let elements = values.keys.sorted().compactMap { values[$0] }
    for (position, element) in elements.enumerated() where !names.insert(key(element)).inserted {
        let issue = MappingIssue(
            .nameConflict, expected: "values with different keys", found: "two values with the same key",
            advice: "store each value under its own key")
        issues.add(issue, in: String(position))
    }
    try issues.throwIfAny(name: "list")
    return elements
}

private func decodeElements<Element>(
    _ array: JSONArray, _ element: Conversion<JSON, Element>, _ unknown: UnknownElements<Element>, _ context: MappingContext
) throws -> [Element] {
    var issues = IssueCollector()
    var values: [Element] = []
    values.reserveCapacity(array.count)
    for (position, json) in array.enumerated() {
        do {
            let value = try context.undoingFailure { try element.decode(json, context) }
            guard let value else { throw MappingIssue.mismatch("a value", json) }
            values.append(value)
        } catch let issue as MappingIssue where issue.isUnknownWord {
            switch unknown {
            case .refuse: issues.add(issue, in: String(position))
            case .drop: break
            case .standIn(let value): values.append(value())
            }
        } catch {
            issues.add(error, in: String(position), found: json.kindName)
        }
    }
    try issues.throwIfAny(name: "list")
    return values
}

private func decodeMembers<Element>(
    _ object: JSONObject, _ element: Conversion<JSON, Element>, _ context: MappingContext
) throws -> [String: Element] {
    var issues = IssueCollector()
    var values: [String: Element] = [:]
    for member in object.effectiveMembers {
        let value = decodeElement(member.value, element, member.name, context, &issues)
        if values.keys.contains(member.name) {
            let issue = MappingIssue(
                .nameConflict, expected: "names that are different keys in a Swift dictionary", found: "two equal keys",
                advice: "use `.object` to read the members one by one")
            issues.add(issue, in: member.name)
        } else {
            values[member.name] = value
        }
    }
    try issues.throwIfAny(name: "dictionary")
    return values
}

private func decodeElement<Element>(
    _ json: JSON, _ element: Conversion<JSON, Element>, _ label: String, _ context: MappingContext, _ issues: inout IssueCollector
) -> Element? {
    do {
        guard let value = try element.decode(json, context) else { throw MappingIssue.mismatch("a value", json) }
        return value
    } catch {
        issues.add(error, in: label, found: json.kindName)
        return nil
    }
}

private func encodeElements<Values: Collection>(
    _ values: Values, _ element: Conversion<JSON, Values.Element>, _ context: MappingContext
) throws -> [JSON] {
    var issues = IssueCollector()
    var array: [JSON] = []
    array.reserveCapacity(values.count)
    for (position, value) in values.enumerated() {
        array.append(try encodeElement(value, element, String(position), at: nil, context, &issues))
    }
    try issues.throwIfAny(name: "list")
    return array
}

private func encodeMembers<Element>(
    _ values: [String: Element], _ element: Conversion<JSON, Element>, _ context: MappingContext
) throws -> JSONObject {
    var issues = IssueCollector()
    var object = JSONObject()
    object.reserveCapacity(values.count)
    for name in values.keys.sorted(by: UTF8Bytes.isLess) {
        guard let value = values[name] else { continue }
        object.append(name: name, value: try encodeElement(value, element, name, at: [name], context, &issues))
    }
    try issues.throwIfAny(name: "dictionary")
    return object
}

private func encodeElement<Element>(
    _ value: Element, _ element: Conversion<JSON, Element>, _ label: String, at path: [String]?, _ context: MappingContext,
    _ issues: inout IssueCollector
) throws -> JSON {
    do {
        return try context.run.writing(at: path) { try element.encoding(value, context) }
    } catch {
        if !context.isRepresenting { try issues.addUnlessTooDeep(error, at: JSONPointer(label), property: [label]) }
        return .null
    }
}

extension Set: JSONConvertible where Element: JSONConvertible {
    /// A conversion to and from an array of converted elements.
    public static var conversion: Conversion<JSON, Set<Element>> { .set(Element.conversion) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    /// A conversion that reads null as nil, for elements of lists and dictionaries. A field of an optional property does not need it.
    public static var conversion: Conversion<JSON, Wrapped?> { .nullable(Wrapped.conversion) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// A conversion to and from an array of converted elements.
    public static var conversion: Conversion<JSON, [Element]> { .list(Element.conversion) }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
    /// A conversion to and from an object of converted values.
    public static var conversion: Conversion<JSON, [String: Value]> { .dictionary(Value.conversion) }
}
