import Foundation

extension UUID {
    /// Creates a UUID from its 36 characters. Foundation also reads longer texts whose rest follows a NUL.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        self.init(uuidString: text)
    }
}
