import Foundation

/// The folder for the files of this test process. It is removed when the process exits.
public enum TestFolder {
    public static let url: URL = {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("jsonapi-tests-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: TestFolder.url) }
        return url
    }()
}
