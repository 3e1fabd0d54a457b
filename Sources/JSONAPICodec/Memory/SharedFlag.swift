import CStackBounds

/// A flag that one thread sets once, and that any thread reads. Whoever sees it set also sees what the thread wrote before.
///
/// It belongs in a stored property of a class, whose address is that of the flag itself. The platforms' own atomic values are newer than
/// the oldest of them.
@safe struct SharedFlag {
    private var byte: UInt8 = 0

    var isSet: Bool { mutating get { unsafe withUnsafeMutablePointer(to: &byte) { unsafe jsonapi_flag_is_set($0) } } }

    mutating func set() { unsafe withUnsafeMutablePointer(to: &byte) { unsafe jsonapi_set_flag($0) } }
}
