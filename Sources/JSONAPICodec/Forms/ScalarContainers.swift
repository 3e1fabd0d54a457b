// `Codable` asks a keyed container for each scalar type by a method of its own. Here they are once, for all containers of resources and
// objects.

/// A keyed container that reads every scalar type in the same way.
protocol ScalarDecodingContainer: KeyedDecodingContainerProtocol {
    func scalar<Value: Scalar>(_ key: Key) throws -> Value
    func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value?
}

/// A keyed container that writes every scalar type in the same way.
protocol ScalarEncodingContainer: KeyedEncodingContainerProtocol {
    func scalar<Value: Scalar>(_ value: Value, _ key: Key) throws
    func scalarIfPresent<Value: Scalar>(_ value: Value?, _ key: Key) throws
}

extension ScalarDecodingContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try scalarIfPresent(key) }
}

extension ScalarEncodingContainer {
    /// Nil is left out.
    func scalarIfPresent<Value: Scalar>(_ value: Value?, _ key: Key) throws {
        if let value { try scalar(value, key) }
    }

    func encode(_ value: Bool, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: String, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Double, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try scalar(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try scalar(value, key) }

    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try scalarIfPresent(value, key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
}
