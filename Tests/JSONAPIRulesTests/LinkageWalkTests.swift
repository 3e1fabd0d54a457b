import JSONAPIRules
import JSONText
import Testing

/// Resources as members of an object. The name of each member is the id of a resource, and its value has the resource's relationships.
@Suite struct LinkageWalkTests {
    /// The names that a walk from the first resource reaches.
    private func reached(_ json: String, twins: [Int: [Int]] = [:]) throws -> String {
        var options = JSONReadingOptions()
        options.duplicateNames = .keep
        return try Tape.with(Array(json.utf8).span, options: options) { tape in
            let view = tape.view
            let names = view.names(of: view.root)
            let resources = Array(Members(view, of: view.root)).map(\.value)
            var walk = LinkageWalk(view, count: names.count, twins: twins)
            walk.reach(0)
            walk.run(relationships: { view.isObject(resources[$0]) ? resources[$0] : 0 }) { walk, identifier in
                guard let id = view.member("id", of: identifier), let number = names.firstIndex(of: view.string(at: id)) else { return }
                walk.reach(number)
            }
            return names.indices.filter { walk.isReached($0) }.map { names[$0] }.joined()
        }
    }

    @Test func linkageIsFollowedTransitively() throws {
        #expect(
            try reached(
                #"{"a": {"r": {"data": [{"id": "c"}, 7, {"id": "b"}]}}, "b": null, "c": {"s": {"data": {"id": "d"}}}, "d": null, "e": null}"#
            ) == "abcd")
    }

    @Test func cyclesEnd() throws {
        #expect(try reached(#"{"a": {"r": {"data": {"id": "b"}}}, "b": {"r": {"data": {"id": "a"}}}}"#) == "ab")
    }

    @Test func invalidLinkageIsIgnored() throws {
        #expect(try reached(#"{"a": {"q": 7, "r": {}, "s": {"data": null}, "t": {"data": "b"}}, "b": null}"#) == "a")
    }

    @Test(arguments: [#"@r"#, #"\u0040r"#]) func atMembersLinkNothing(_ name: String) throws {
        #expect(try reached(#"{"a": {"\#(name)": {"data": {"id": "b"}}}, "b": null}"#) == "a")
    }

    @Test func theLastOfARepeatedNameCounts() throws {
        #expect(
            try reached(#"{"a": {"r": {"data": {"id": "b"}}, "r": {"data": {"id": "c"}}}, "b": null, "c": null}"#) == "ac")
    }

    @Test func resourcesWithOneIdentityAreReachedTogether() throws {
        let text = #"{"a": {"r": {"data": {"id": "b"}}}, "b": null, "c": {"r": {"data": {"id": "d"}}}, "d": null}"#
        #expect(try reached(text, twins: [1: [2]]) == "abcd")
        #expect(try reached(text) == "ab")
    }
}
