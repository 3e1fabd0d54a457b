import Foundation
import JSONText

/// What all sample values of one place have in common: the kinds of values, and their contents.
///
/// Arrays and objects are followed to a fixed level. Deeper values count as JSON of any shape.
package struct ValueShape {
    /// The kinds of values that occurred, except null.
    struct Kinds: OptionSet {
        let rawValue: Int
        static let bool = Kinds(rawValue: 1 << 0)
        /// A whole number that every `Double` and every 64-bit `Int` can represent.
        static let integer = Kinds(rawValue: 1 << 1)
        /// A whole number that only a 64-bit `Int` can represent.
        static let wideInteger = Kinds(rawValue: 1 << 2)
        /// A number with a fraction or an exponent, without digits that a `Double` loses.
        static let fraction = Kinds(rawValue: 1 << 3)
        /// Any other number.
        static let hugeNumber = Kinds(rawValue: 1 << 4)
        static let string = Kinds(rawValue: 1 << 5)
        static let array = Kinds(rawValue: 1 << 6)
        static let object = Kinds(rawValue: 1 << 7)
        /// An array or object below the last level.
        static let tooDeep = Kinds(rawValue: 1 << 8)

        static let numbers: Kinds = [.integer, .wideInteger, .fraction, .hugeNumber]
    }

    /// How to read samples.
    package struct Reading {
        /// The number of distinguished levels of nested arrays and objects.
        package var levels = 12
        /// Whether only the first element of an array is read.
        package var firstElementDecides = false
        /// The index of the current document, from 0.
        var document = 0
        /// Whether the values belong to a resource that another sample also has, so that they repeat only for this reason.
        var isRepeated = false

        package init() {}
    }

    private(set) var kinds: Kinds = []
    private(set) var hasNull = false
    private(set) var texts = TextShape()
    private(set) var object: ObjectShape?
    /// The shape of the elements of arrays; empty if all arrays were empty.
    private var elements: [ValueShape] = []

    var element: ValueShape? { elements.first }

    /// Adds one value. Recursion ends at `reading.levels`.
    mutating func add(_ json: JSON, _ reading: Reading, level: Int = 0) {
        switch json {
        case .null: hasNull = true
        case .bool: kinds.insert(.bool)
        case .number(let number): kinds.insert(ValueShape.kind(of: number))
        case .string(let text):
            kinds.insert(.string)
            texts.add(text, isRepeated: reading.isRepeated)
        case .array, .object:
            guard level < reading.levels else {
                kinds.insert(.tooDeep)
                return
            }
            if let array = json.array { add(array, reading, level) }
            if let object = json.object { add(object, reading, level) }
        }
    }

    private mutating func add(_ array: JSONArray, _ reading: Reading, _ level: Int) {
        kinds.insert(.array)
        for element in reading.firstElementDecides ? array.prefix(1) : array[...] {
            if elements.isEmpty { elements.append(ValueShape()) }
            elements[0].add(element, reading, level: level + 1)
        }
    }

    private mutating func add(_ members: JSONObject, _ reading: Reading, _ level: Int) {
        kinds.insert(.object)
        if object == nil { object = ObjectShape() }
        object?.add(members, reading, level: level)
    }

    /// Adds all values of another place.
    ///
    /// Recursion ends at the last distinguished level.
    mutating func merge(_ other: ValueShape) {
        kinds.formUnion(other.kinds)
        hasNull = hasNull || other.hasNull
        texts.merge(other.texts)
        if let more = other.object {
            if object == nil { object = ObjectShape() }
            object?.merge(more)
        }
        if let more = other.element {
            if elements.isEmpty { elements.append(ValueShape()) }
            elements[0].merge(more)
        }
    }

    /// The same shape without empty strings, arrays, and objects that stand in place of values of another kind, as PHP writes them.
    var withoutEmpty: ValueShape {
        var shape = self
        if texts.areEmpty, kinds.subtracting(.string) != [] { shape.kinds.remove(.string) }
        let isEmptyObject = object?.members.isEmpty == true
        if shape.kinds.contains(.array), elements.isEmpty, !shape.kinds.subtracting(isEmptyObject ? [.array, .object] : .array).isEmpty {
            shape.kinds.remove(.array)
        }
        if shape.kinds.contains(.object), isEmptyObject, shape.kinds != .object { shape.kinds.remove(.object) }
        return shape
    }

    /// The empty values that stand in place of a value of `shape`, which is this one without them.
    func emptyForms(except shape: ValueShape, readAsTexts: Bool) -> [JSON] {
        let missing = kinds.subtracting(shape.kinds)
        return (texts.hasEmpty && !readAsTexts ? [""] : []) + (missing.contains(.array) ? [[]] : [])
            + (missing.contains(.object) ? [[:]] : [])
    }

    /// The whole numbers that a `Double` represents without gaps.
    private static let exactIntegers: ClosedRange<Int64> = -9_007_199_254_740_992...9_007_199_254_740_992

    private static func kind(of number: JSONNumber) -> Kinds {
        if let integer = Int64(number.text), number.text != "-0" { return exactIntegers.contains(integer) ? .integer : .wideInteger }
        guard number.text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) || number.text == "-0"
        else { return .hugeNumber }
        return isDouble(number) ? .fraction : .hugeNumber
    }

    /// Whether a number is the text of a `Double`: the shortest one, the exact one, or the one with 17 digits that some servers write.
    private static func isDouble(_ number: JSONNumber) -> Bool {
        if (try? number.exactDouble()) != nil { return true }
        guard let double = try? number.double() else { return false }
        return JSONNumber(text: String(format: "%.17g", double)) == number
    }
}

/// What objects of one place have in common: their members, in the order of their first appearance.
struct ObjectShape {
    struct Member {
        let name: String
        var value = ValueShape()
        /// The number of objects that have it.
        fileprivate(set) var count = 0
        /// The number of documents that have it.
        fileprivate(set) var documents = 0
        fileprivate var lastObject = -1
        fileprivate var lastDocument = -1
    }

    private(set) var members: [Member] = []
    /// The number of objects.
    private(set) var count = 0
    private var positions: [ByteText: Int] = [:]

    /// Adds one object, without the members for which `isKept` is false.
    mutating func add(_ object: JSONObject, _ reading: ValueShape.Reading, level: Int, isKept: (String) -> Bool = { _ in true }) {
        for member in object where isKept(member.name) {
            let position = self.position(of: member.name)
            members[position].value.add(member.value, reading, level: level + 1)
            // A name can be repeated in one object.
            if members[position].lastObject != count {
                members[position].lastObject = count
                members[position].count += 1
            }
            if members[position].lastDocument != reading.document {
                members[position].lastDocument = reading.document
                members[position].documents += 1
            }
        }
        count += 1
    }

    private mutating func position(of name: String) -> Int {
        let key = ByteText(name)
        if let position = positions[key] { return position }
        positions[key] = members.count
        members.append(Member(name: name))
        return members.count - 1
    }

    /// Whether an object lacks the member or has null there.
    func isOptional(_ member: Member) -> Bool { member.count < count || member.value.hasNull }

    /// Whether all objects have the same members. If not, the server omits members, and the next object can lack others.
    var isUniform: Bool { members.allSatisfy { $0.count == count } }

    /// Whether enough samples have the member to expect it in the next one: ten objects in three documents.
    func isCertain(_ member: Member) -> Bool {
        !isOptional(member) && member.count >= ObjectShape.enoughObjects && member.documents >= ObjectShape.enoughDocuments
    }

    /// Whether the members have enough values together, in enough documents, to expect no null if there is none.
    var hasEnoughValues: Bool {
        members.reduce(0) { $0 + $1.count } >= ObjectShape.enoughObjects
            && members.contains { $0.documents >= ObjectShape.enoughDocuments }
    }

    static let enoughObjects = 10
    static let enoughDocuments = 3

    /// Adds all objects of another place.
    fileprivate mutating func merge(_ other: ObjectShape) {
        for member in other.members {
            let position = self.position(of: member.name)
            members[position].value.merge(member.value)
            members[position].count += member.count
            members[position].documents = max(members[position].documents, member.documents)
        }
        count += other.count
    }

    /// The shape of all members' values together.
    var mergedValue: ValueShape { members.reduce(into: ValueShape()) { $0.merge($1.value) } }
}
