import Foundation

extension FileManager {
    /// Whether the file at a path is a folder, following links; nil if there is no file.
    func isFolder(atPath path: String) -> Bool? {
        var isFolder: ObjCBool = false
        // In bounds: the call sets the one Boolean that it receives.
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
