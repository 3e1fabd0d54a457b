import Foundation

/// The first bytes of a file as read-only memory. The memory is unmapped when the object is released.
///
/// Bounds: `count` bytes from the start. The file must not be truncated in place, because reading beyond its new end stops the process.
///
/// `@unchecked Sendable`: the memory never changes, and is valid as long as the object exists.
@safe
package final class MappedMemory: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    /// Maps the first `count` bytes of an open file. Throws the fault of `mmap` with the system's error code.
    init(_ descriptor: Int32, count: Int) throws(SystemFault) {
        let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else { throw SystemFault("mmap", errno) }
        unsafe bytes = UnsafeRawBufferPointer(start: address, count: count)
    }

    deinit {
        // SAFETY: the mapping was created in `init`, and nothing refers to it anymore.
        unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    /// All bytes. They are valid as long as this object exists.
    @unsafe var raw: UnsafeRawBufferPointer { unsafe bytes }
}
