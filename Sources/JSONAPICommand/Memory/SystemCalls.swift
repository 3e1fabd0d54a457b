import Foundation

extension FileManager {
    /// Whether there is a folder at a path, or at what a link there leads to; nil if there is nothing.
    func isFolder(atPath path: String) -> Bool? {
        var isFolder: ObjCBool = false
        // In bounds: the call sets one Boolean, which is what it is given.
        return unsafe fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}

extension POSIXErrorCode {
    /// What the system calls the error.
    var text: String {
        // In bounds: `strerror` always returns a text that ends with NUL, which is copied at once.
        unsafe String(cString: strerror(rawValue))
    }
}
