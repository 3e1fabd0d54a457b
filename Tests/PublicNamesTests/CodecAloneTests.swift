import JSONAPICodec
import Testing

/// `import JSONAPICodec` is enough to name the values of JSON that its interface takes and returns.
@Suite struct CodecAloneTests {
    @Test func jsonTypesNeedNoOtherImport() throws {
        let meta: JSONObject = ["total": 11]
        let document = DocumentObject(meta: meta)
        let value: JSON = document.json
        #expect(value[pointer: JSONPointer("meta", "total")] == 11)
    }
}
