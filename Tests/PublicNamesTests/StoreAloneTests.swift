import JSONAPIStore
import Testing

/// `import JSONAPIStore` is enough to name the types of archives.
@Suite struct StoreAloneTests {
    @Test func archivesNeedNoOtherImport() throws {
        var writer = Archive.Writer(modelVersion: 1)
        try writer.encode(11, forKey: "total")
        let archive = try JSONAPIStore.Archive(data: writer.data(), model: ArchiveModel(version: 1))
        #expect(try archive.decode(Int.self, forKey: "total") == 11)
    }
}
