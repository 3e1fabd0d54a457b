extension JSON: Codable {
    /// Reads any value of any decoder: `null`, then a boolean, an integer, a `Double`, a string, an array, an object.
    ///
    /// A foreign decoder hands out converted values: the text of a number and the order of members may be lost.
    /// Throws what the decoder throws. Recurses once for each level, as the decoder does.
    public init(from decoder: any Decoder) throws {
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
        } else {
            self = .object(try JSONObject(from: decoder))
        }
    }

    /// Writes the value with any encoder.
    ///
    /// Numbers are handed over as `JSONNumber.encode(to:)` says. Throws what the encoder throws, and
    /// `EncodingError.invalidValue` for a number beyond the range of `Double`. Recurses once for each level, as the
    /// encoder does.
    public func encode(to encoder: any Encoder) throws {
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
}

extension JSONArray: Codable {
    /// Reads the elements of any decoder's array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var elements: ContiguousArray<JSON> = []
        while !container.isAtEnd {
            elements.append(try container.decode(JSON.self))
        }
        self.init(elements: elements)
    }

    /// Writes the elements with any encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension JSONObject: Codable {
    /// Reads the members of any decoder's object, in the order in which it tells its keys.
    ///
    /// The coders of Foundation know no order; from them the members come in the order of their names. The names are those of the
    /// text: a `keyDecodingStrategy` renames properties, and these are none.
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

    /// Writes the members with any encoder, in order; of a repeated name only the last one. A `keyEncodingStrategy` of Foundation
    /// leaves their names alone.
    public func encode(to encoder: any Encoder) throws {
        if Self.renamesKeys(type(of: encoder)) {
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }))
            return
        }
        var container = encoder.container(keyedBy: Name.self)
        for position in indices where isEffective(position) {
            let member = self[position]
            try container.encode(member.value, forKey: Name(stringValue: member.name))
        }
    }

    /// Whether a coder is one of Foundation's, whose key strategies rename every key except those of a dictionary. This module does
    /// without Foundation, so it knows them by their module's name.
    private static func renamesKeys(_ coder: Any.Type) -> Bool {
        String(reflecting: coder).utf8.starts(with: "Foundation".utf8)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

extension JSONNumber: Codable {
    /// Reads an integer or a `Double` of any decoder; its text is the shortest one.
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

    /// Writes the number with any encoder: as `Int64` or `UInt64` when it is whole and fits, else as `Double`.
    ///
    /// A number that no `Double` holds exactly is rounded, for a foreign encoder takes no digits. Minus zero is a
    /// `Double`, which keeps the sign. Throws `EncodingError.invalidValue` beyond the range of `Double`.
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
