import CStackBounds

/// A flag that one thread sets once, and that any thread reads. Whoever sees it set also sees what the thread wrote before.
///
/// The flag has its own memory, because access to a property of a class would be a race. The atomic values of the standard library need
/// newer systems than this library.
@safe final class SharedFlag: @unchecked Sendable {
    // In bounds: there is one byte, and each call reads or writes that one.
    private let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

    init() { unsafe byte.initialize(to: 0) }

    deinit { unsafe byte.deallocate() }

    var isSet: Bool { unsafe jsonapi_flag_is_set(byte) }

    func set() { unsafe jsonapi_set_flag(byte) }
}
