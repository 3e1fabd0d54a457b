/// How much tests do that repeat trials, or take large inputs. A debug build takes about ten times as long for the same work, so it does less.
public enum TestEffort {
    /// Whether tests do everything. It is so in release builds that do not define `DEBUG`.
    public static var isFull: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }

    /// Returns `full` in a release build, and `debug` in a debug build.
    public static func count(_ full: Int, debug: Int) -> Int { isFull ? full : debug }
}
