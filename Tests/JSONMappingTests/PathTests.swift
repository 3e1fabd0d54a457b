import JSONMapping
import JSONText
import Testing

@Suite struct PathTests {
    @Test func dotsSplitTextAndNotSegments() {
        let json: JSON = ["a.b": ["c": 1], "a": ["b": 2]]
        #expect(MappingPath("a.b").value(in: json) == 2)
        #expect(MappingPath(segments: ["a.b", "c"]).value(in: json) == 1)
    }

    @Test func aPathThroughAnotherValueFindsNothing() {
        #expect(MappingPath("a.b").value(in: ["a": "text"]) == nil)
        #expect(MappingPath("a.0").value(in: ["a": [1]]) == nil)
        #expect(MappingPath("a").value(in: ["a": nil]) == .some(.null))
    }

    @Test func theEmptyPathIsTheWholeValue() {
        #expect(MappingPath("").value(in: [1]) == [1])
        #expect(MappingPath("a..b").segments == ["a", "", "b"])
    }
}
