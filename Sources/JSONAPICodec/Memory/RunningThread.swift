import CStackBounds

/// The thread that runs this code.
enum RunningThread {
    /// A number that no other running thread has.
    static var number: UInt { UInt(jsonapi_thread_number()) }
}
