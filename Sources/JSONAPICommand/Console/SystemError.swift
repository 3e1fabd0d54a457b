import Foundation

/// The error of the operating system inside the errors of Foundation.
struct SystemError {
    /// The number of the error; nil if there is none.
    let code: POSIXErrorCode?
    /// What went wrong, in words.
    let reason: String

    init(_ error: any Error) {
        var next: NSError? = error as NSError
        while let error = next, error.domain != NSPOSIXErrorDomain { next = error.userInfo[NSUnderlyingErrorKey] as? NSError }
        code = next.flatMap { POSIXErrorCode(rawValue: Int32(truncatingIfNeeded: $0.code)) }
        switch code {
        case .EISDIR?: reason = "it is a folder"
        case .ENOSPC?: reason = "no space left"
        case let code?: reason = code.text.lowercased()
        case nil: reason = error.localizedDescription
        }
    }
}
