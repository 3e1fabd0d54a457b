import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif os(Windows)
    import WinSDK
    import ucrt
#endif

/// What this module asks the system for without Foundation. Every other file compiles unchanged on all platforms.
enum Platform {
    /// Whether a file descriptor, 0 to 2, belongs to a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        #if os(Windows)
            _isatty(descriptor) != 0
        #else
            isatty(descriptor) == 1
        #endif
    }

    /// The width in columns of the window that shows standard output; nil if the system does not know it.
    static var windowWidth: Int? {
        #if os(Windows)
            var information = CONSOLE_SCREEN_BUFFER_INFO()
            // In bounds: the call fills the one structure that it receives.
            guard unsafe GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &information) else { return nil }
            return Int(information.srWindow.Right) - Int(information.srWindow.Left) + 1
        #elseif os(WASI)
            return nil
        #else
            var size = winsize()
            // In bounds: the call fills the one `winsize` that it receives.
            let result = unsafe ioctl(1, numericCast(TIOCGWINSZ), &size)
            return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
        #endif
    }

    /// Makes writing to a pipe that its reader has closed an error. By default, the system ends the process.
    static func ignoreClosedPipes() {
        #if !os(Windows) && !os(WASI)
            signal(SIGPIPE, SIG_IGN)
        #endif
    }

    /// The arguments of the process without the program's name, byte for byte; nil on Windows, where they are UTF-16.
    static var arguments: [[UInt8]]? {
        #if os(Windows)
            return nil
        #else
            // In bounds: the system passes `argc` pointers, each to bytes that end with NUL and live as long as the process.
            return (1..<max(Int(CommandLine.argc), 1)).compactMap { position in
                unsafe CommandLine.unsafeArgv[position].map { text in
                    unsafe Array(UnsafeBufferPointer(start: text, count: strlen(text))).map { UInt8(bitPattern: $0) }
                }
            }
        #endif
    }

    /// Opens a file for reading by the bytes of its path. Throws `POSIXError`.
    static func open(_ path: [UInt8]) throws -> FileHandle {
        #if os(Windows)
            throw POSIXError(.ENOENT)
        #else
            let terminated = path.map { CChar(bitPattern: $0) } + [0]
            // In bounds: the path ends with NUL, and the call only reads it.
            let descriptor = unsafe terminated.withUnsafeBufferPointer { buffer in
                unsafe buffer.baseAddress.map { unsafe openForReading($0) } ?? -1
            }
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        #endif
    }

    #if !os(Windows)
        private static func openForReading(_ path: UnsafePointer<CChar>) -> Int32 {
            // In bounds: the caller passes a path that ends with NUL.
            #if canImport(Darwin)
                unsafe Darwin.open(path, O_RDONLY)
            #elseif canImport(Glibc)
                unsafe Glibc.open(path, O_RDONLY)
            #elseif canImport(Musl)
                unsafe Musl.open(path, O_RDONLY)
            #elseif canImport(Android)
                unsafe Android.open(path, O_RDONLY)
            #elseif canImport(WASILibc)
                unsafe WASILibc.open(path, O_RDONLY)
            #endif
        }
    #endif
}
