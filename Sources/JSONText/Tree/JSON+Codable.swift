extension JSON: Codable {
    /// Reads any value from any decoder. It tries null, a boolean, an integer, a `Double`, a string, an array and an object, in this order.
    ///
    /// Other decoders return converted values, so the text of a number and the order of members can be lost. Throws the errors of the
    /// decoder, and `DecodingError.dataCorrupted` for a number outside the range of `Double` and for values that are nested too deeply for
    /// the thread's stack.
    ///
    /// Each try that fails makes Foundation's `JSONDecoder` describe the place, which takes time with the square of its depth: an array inside
    /// 100 others takes 20 ms in all, and one inside 500 others more than a second. Use `JSON(parsing:)` for texts that can be so deep.
    public init(from decoder: any Decoder) throws {
        guard StackRoom.isLeftForAllLevels(Self.stackReserve) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: Self.tooDeep))
        }
        if let container = try? decoder.singleValueContainer() {
            if container.decodeNil() {
                self = .null
                return
            }
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
                return
            }
            if let value = JSONNumber(container) {
                self = .number(value)
                return
            }
            if let value = try? container.decode(String.self) {
                self = .string(value)
                return
            }
        }
        if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try JSONArray(from: decoder))
            return
        }
        do {
            self = .object(try JSONObject(from: decoder))
        } catch DecodingError.typeMismatch(let type, let context) {
            try Self.checkNumber(decoder)
            throw DecodingError.typeMismatch(type, context)
        }
    }

    /// Throws if there is a number that the decoder cannot represent. The error for a value that is not a number is a type mismatch.
    private static func checkNumber(_ decoder: any Decoder) throws {
        do {
            _ = try decoder.singleValueContainer().decode(Double.self)
        } catch DecodingError.typeMismatch {
            return
        } catch DecodingError.dataCorrupted(let context) {
            throw DecodingError.dataCorrupted(context)
        } catch {
            let message = "Expected a number in the range of Double."
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message, underlyingError: error))
        }
    }

    /// Writes the value to any encoder.
    ///
    /// For numbers, see `JSONNumber.encode(to:)`. Throws the errors of the encoder, and `EncodingError.invalidValue` for a number outside
    /// the range of `Double` and for values that are nested too deeply for the thread's stack.
    public func encode(to encoder: any Encoder) throws {
        guard StackRoom.isLeftForAllLevels(Self.stackReserve) else {
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: Self.tooDeep))
        }
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .number(let number): try number.encode(to: encoder)
        case .array(let array): try array.encode(to: encoder)
        case .object(let object): try object.encode(to: encoder)
        }
    }

    /// The number of bytes that must be left for one level of this code and of the coder. A level of Foundation's encoder takes 2 KB.
    private static let stackReserve: UInt = 48 * 1024

    private static var tooDeep: String {
        "Expected a value that is not nested too deeply for the thread's stack. Use a thread with a larger stack, or JSON(parsing:) and "
            + "JSONWriter, which do not recurse."
    }
}

extension JSON {
    /// Returns the value at a decoder's place. A decoder of this package keeps the text of numbers, which `init(from:)` cannot ask for.
    package static func read(from decoder: any Decoder) throws -> JSON {
        guard let container = try? decoder.singleValueContainer() else { return try JSON(from: decoder) }
        return try container.decode(JSON.self)
    }

    /// Writes the value at an encoder's place. An encoder of this package keeps the text of numbers, which `encode(to:)` cannot pass on.
    package func write(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

extension JSONArray: Codable {
    /// Reads an array from any decoder.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: ContiguousArray<JSON> = []
        while !container.isAtEnd {
            elements.append(try container.decode(JSON.self))
        }
        self.init(elements: elements)
    }

    /// Writes the elements to any encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension JSONObject: Codable {
    /// Reads an object from any decoder. The members have the order of the decoder's `allKeys`.
    ///
    /// Foundation's decoders do not keep the order, so their members are sorted by name. The names are those of the text, because a
    /// `keyDecodingStrategy` applies only to properties. Of two names that are equal in Swift, such as composed and decomposed é,
    /// Foundation keeps only one. To keep both, use `JSON(parsing:)`.
    public init(from decoder: any Decoder) throws {
        if Self.renamesKeys(type(of: decoder)) {
            let members = try decoder.singleValueContainer().decode([String: JSON].self)
            let sorted = members.sorted { UTF8Bytes.isLess($0.key, $1.key) }
            self.init(members: sorted.lazy.map { Member(name: $0.key, value: $0.value) })
            return
        }
        let container = try decoder.container(keyedBy: Name.self)
        var members: ContiguousArray<Member> = []
        for name in container.allKeys {
            members.append(Member(name: name.stringValue, value: try container.decode(JSON.self, forKey: name)))
        }
        self.init(members: members)
    }

    /// Writes the members to any encoder, in order. If a name is repeated, only its last member is written. Foundation's
    /// `keyEncodingStrategy` does not change the names.
    ///
    /// Foundation's encoders cannot write two names that are equal in Swift, such as composed and decomposed é. Throws
    /// `EncodingError.invalidValue` for them.
    public func encode(to encoder: any Encoder) throws {
        if Self.renamesKeys(type(of: encoder)) {
            let members = Dictionary(map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            guard members.count == distinctNameCount else {
                let message = "Two names of the object are equal in Swift but have different bytes. Write the object with JSONWriter."
                throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: message))
            }
            var container = encoder.singleValueContainer()
            try container.encode(members)
            return
        }
        var container = encoder.container(keyedBy: Name.self)
        for position in indices where isEffective(position) {
            let member = self[position]
            try container.encode(member.value, forKey: Name(stringValue: member.name))
        }
    }

    /// Returns whether a coder is one of Foundation's, whose key strategies rename all keys except those of a dictionary. This module does
    /// not import Foundation, so it checks the name of the coder's module.
    package static func renamesKeys(_ coder: Any.Type) -> Bool {
        String(reflecting: coder).utf8.starts(with: "Foundation".utf8)
    }

    /// The key of a member.
    package struct Name: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(stringValue: String) { self.stringValue = stringValue }

        package init?(intValue: Int) { nil }
    }
}

extension JSONNumber: Codable {
    /// Reads an integer or a `Double` from any decoder. The text is the shortest one for the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = JSONNumber(container) {
            self = number
        } else {
            let value = try container.decode(Double.self)
            do throws(JSONNumberError) {
                try self.init(value)
            } catch {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: container.codingPath, debugDescription: error.description, underlyingError: error)
                )
            }
        }
    }

    fileprivate init?(_ container: any SingleValueDecodingContainer) {
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self), value.isFinite {
            self.init(floatLiteral: value)
        } else {
            return nil
        }
    }

    /// Writes the number to any encoder, as `Int64` or `UInt64` if it is a whole number in their range, and otherwise as `Double`.
    ///
    /// A number that `Double` cannot represent exactly is rounded, because other encoders do not accept digits. Minus zero is written as
    /// `Double` to keep the sign. Throws `EncodingError.invalidValue` outside the range of `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = try? integer(as: Int64.self), value != 0 || !text.utf8.starts(with: "-".utf8) {
            try container.encode(value)
        } else if let value = try? integer(as: UInt64.self), value != 0 {
            try container.encode(value)
        } else {
            let value: Double
            do throws(JSONNumberError) {
                value = try double()
            } catch {
                throw EncodingError.invalidValue(
                    self,
                    .init(codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error))
            }
            try container.encode(value)
        }
    }
}
