import JSONMapping
import JSONText
import Testing

@Suite struct PathTests {
    @Test func dottedTextSplitsAndSegmentsDoNot() {
        let json: JSON = ["a.b": ["c": 1], "a": ["b": 2]]
        #expect(Path("a.b").value(in: json) == 2)
        #expect(Path(segments: ["a.b", "c"]).value(in: json) == 1)
    }

    @Test func aStepThroughSomethingElseFindsNothing() {
        #expect(Path("a.b").value(in: ["a": "text"]) == nil)
        #expect(Path("a.0").value(in: ["a": [1]]) == nil)
        #expect(Path("a").value(in: ["a": nil]) == .some(.null))
    }

    @Test func theEmptyPathIsTheWholeValue() {
        #expect(Path("").value(in: [1]) == [1])
        #expect(Path("a..b").segments == ["a", "", "b"])
    }
}
