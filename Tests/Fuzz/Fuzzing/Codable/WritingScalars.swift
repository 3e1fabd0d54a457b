/// A type for which encoding containers have their own methods.
protocol WritingScalar: Encodable {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws
    func append(_ container: inout any UnkeyedEncodingContainer) throws
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws
    func write(_ container: inout any SingleValueEncodingContainer) throws
}

extension Bool: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension String: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Double: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Float: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Int: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Int8: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Int16: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Int32: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension Int64: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension UInt: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension UInt8: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension UInt16: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension UInt32: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}

extension UInt64: WritingScalar {
    func write(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws { try container.encode(self, forKey: key) }
    func writeIfPresent(_ container: inout WritingSample.Keyed, _ key: DrivenKey) throws {
        try container.encodeIfPresent(Optional(self), forKey: key)
    }
    func append(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(self) }
    func appendAll(_ container: inout any UnkeyedEncodingContainer) throws { try container.encode(contentsOf: [self, self]) }
    func write(_ container: inout any SingleValueEncodingContainer) throws { try container.encode(self) }
}
