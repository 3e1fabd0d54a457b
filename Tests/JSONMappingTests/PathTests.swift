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

    @Test("The issue of a required value says what is on the way in place of an object")
    func obstacles() {
        struct Weather {
            var kind = ""
        }
        let schema = MappingSchema(creating: Weather()) { MappingField(\.kind, from: "weather.0.main") }
        func found(_ json: JSON) -> [String] { schema.validate(json).map(\.found) }
        #expect(found(["weather": [["main": "snow"]]]) == ["an array at `weather`, and a path leads through objects only"])
        #expect(found(["weather": ["0": 3]]) == ["a number at `weather.0`, and a path leads through objects only"])
        #expect(found(["weather": ["0": nil]]) == ["nothing"] && found([:]) == ["nothing"] && found(["weather": nil]) == ["nothing"])
    }

    @Test func theEmptyPathIsTheWholeValue() {
        #expect(MappingPath("").value(in: [1]) == [1])
        #expect(MappingPath("a..b").segments == ["a", "", "b"])
    }
}
