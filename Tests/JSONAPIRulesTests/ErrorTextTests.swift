import JSONAPIRules
import JSONText
import Testing

@Suite struct ErrorTextTests {
    private func string(_ text: String, _ judge: (TapeView, Int) -> Bool) throws -> Bool {
        let json = JSON.string(text).description
        return try Tape.with(Array(json.utf8).span, options: JSONReadingOptions()) { judge($0.view, $0.view.root) }
    }

    @Test(arguments: [
        ("404", true), ("100", true), ("599", true), ("600", false), ("999", false), ("042", false), ("42", false), ("4040", false),
        ("4a4", false), ("", false), ("٤٠٤", false),
    ])
    func aStatusCodeHasThreeDigitsAndAClass(_ text: String, _ isCode: Bool) throws {
        #expect(try string(text) { $0.isStatusCode($1) } == isCode)
    }

    @Test(arguments: [("", true), ("/", true), ("/data/0", true), ("/a~0~1", true), ("data", false), ("/a~2", false), ("/a~", false)])
    func aPointerBeginsWithASlash(_ text: String, _ isPointer: Bool) throws {
        #expect(try string(text) { $0.isPointer($1) } == isPointer)
    }
}
