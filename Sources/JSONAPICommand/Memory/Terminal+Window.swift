import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

extension Terminal {
    /// The columns of the window that standard output is shown in.
    static var windowWidth: Int? {
        var size = winsize()
        // In bounds: the call fills one `winsize`, which is what it is given.
        let answer = unsafe ioctl(FileHandle.standardOutput.fileDescriptor, UInt(TIOCGWINSZ), &size)
        return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }
}
