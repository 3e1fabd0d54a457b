/// A type for which containers have their own methods.
protocol DrivenScalar: DrivenValue {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Self
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Self?
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Self
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Self?
    static func single(_ container: any SingleValueDecodingContainer) throws -> Self
}

extension Bool: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Bool { try container.decode(Bool.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Bool? {
        try container.decodeIfPresent(Bool.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Bool { try container.decode(Bool.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Bool? { try container.decodeIfPresent(Bool.self) }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Bool { try container.decode(Bool.self) }
}

extension String: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> String { try container.decode(String.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> String? {
        try container.decodeIfPresent(String.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> String { try container.decode(String.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> String? {
        try container.decodeIfPresent(String.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> String { try container.decode(String.self) }
}

extension Double: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Double { try container.decode(Double.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Double? {
        try container.decodeIfPresent(Double.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Double { try container.decode(Double.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Double? {
        try container.decodeIfPresent(Double.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Double { try container.decode(Double.self) }
}

extension Float: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Float { try container.decode(Float.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Float? {
        try container.decodeIfPresent(Float.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Float { try container.decode(Float.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Float? {
        try container.decodeIfPresent(Float.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Float { try container.decode(Float.self) }
}

extension Int: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int { try container.decode(Int.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int? {
        try container.decodeIfPresent(Int.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Int { try container.decode(Int.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Int? { try container.decodeIfPresent(Int.self) }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Int { try container.decode(Int.self) }
}

extension Int8: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int8 { try container.decode(Int8.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int8? {
        try container.decodeIfPresent(Int8.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Int8 { try container.decode(Int8.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Int8? { try container.decodeIfPresent(Int8.self) }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Int8 { try container.decode(Int8.self) }
}

extension Int16: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int16 { try container.decode(Int16.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int16? {
        try container.decodeIfPresent(Int16.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Int16 { try container.decode(Int16.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Int16? {
        try container.decodeIfPresent(Int16.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Int16 { try container.decode(Int16.self) }
}

extension Int32: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int32 { try container.decode(Int32.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int32? {
        try container.decodeIfPresent(Int32.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Int32 { try container.decode(Int32.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Int32? {
        try container.decodeIfPresent(Int32.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Int32 { try container.decode(Int32.self) }
}

extension Int64: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int64 { try container.decode(Int64.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> Int64? {
        try container.decodeIfPresent(Int64.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> Int64 { try container.decode(Int64.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> Int64? {
        try container.decodeIfPresent(Int64.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> Int64 { try container.decode(Int64.self) }
}

extension UInt: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt { try container.decode(UInt.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt? {
        try container.decodeIfPresent(UInt.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> UInt { try container.decode(UInt.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> UInt? { try container.decodeIfPresent(UInt.self) }
    static func single(_ container: any SingleValueDecodingContainer) throws -> UInt { try container.decode(UInt.self) }
}

extension UInt8: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt8 { try container.decode(UInt8.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt8? {
        try container.decodeIfPresent(UInt8.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> UInt8 { try container.decode(UInt8.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> UInt8? {
        try container.decodeIfPresent(UInt8.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> UInt8 { try container.decode(UInt8.self) }
}

extension UInt16: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt16 { try container.decode(UInt16.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt16? {
        try container.decodeIfPresent(UInt16.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> UInt16 { try container.decode(UInt16.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> UInt16? {
        try container.decodeIfPresent(UInt16.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> UInt16 { try container.decode(UInt16.self) }
}

extension UInt32: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt32 { try container.decode(UInt32.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt32? {
        try container.decodeIfPresent(UInt32.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> UInt32 { try container.decode(UInt32.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> UInt32? {
        try container.decodeIfPresent(UInt32.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> UInt32 { try container.decode(UInt32.self) }
}

extension UInt64: DrivenScalar {
    static func keyed(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt64 { try container.decode(UInt64.self, forKey: key) }
    static func keyedIfPresent(_ container: DrivenProbe.Keyed, _ key: DrivenKey) throws -> UInt64? {
        try container.decodeIfPresent(UInt64.self, forKey: key)
    }
    static func next(_ container: inout any UnkeyedDecodingContainer) throws -> UInt64 { try container.decode(UInt64.self) }
    static func nextIfPresent(_ container: inout any UnkeyedDecodingContainer) throws -> UInt64? {
        try container.decodeIfPresent(UInt64.self)
    }
    static func single(_ container: any SingleValueDecodingContainer) throws -> UInt64 { try container.decode(UInt64.self) }
}
