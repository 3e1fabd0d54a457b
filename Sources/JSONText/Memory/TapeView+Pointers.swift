// Forms with pointers, for callers that have not moved to spans yet. They go when the last one has.

extension NumberParsing {
    /// The form with a pointer of `int64(_:)`.
    @inlinable package static func int64(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? { int64(bytes.span) }

    /// The form with a pointer of `integer(_:as:)`.
    @inlinable package static func integer<T: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, as type: T.Type
    ) throws(Failure) -> T { try integer(bytes.span, as: type) }

    /// The form with a pointer of `double(_:)`.
    package static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? { double(bytes.span) }

    /// The form with a pointer of `isNumber(_:)`.
    package static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isNumber(bytes.span) }
}
