import JSONText
import Testing

/// Objects on both sides of the size from which names are looked up in an index.
@Suite struct LargeObjectTests {
    private func object(_ count: Int) -> JSONObject {
        JSONObject(members: (0..<count).map { .init(name: "name\($0)", value: .number(JSONNumber($0))) })
    }

    private func expectWhole(_ object: JSONObject, _ location: SourceLocation = #_sourceLocation) {
        for (position, member) in object.enumerated() {
            #expect(object.position(ofName: member.name) == position, sourceLocation: location)
            #expect(object[member.name] == member.value, sourceLocation: location)
        }
    }

    @Test(arguments: [2, 15, 16, 17, 18, 33, 100])
    func everyMemberIsFoundAfterEachChange(count: Int) {
        var changed = object(count)
        expectWhole(changed)
        let isRenamed = changed.rename("name0", to: "other")
        #expect(isRenamed)
        #expect(!changed.contains(name: "name0"))
        expectWhole(changed)
        let removed = changed.removeValue(forName: "name1")
        #expect(removed == 1)
        #expect(!changed.contains(name: "name1"))
        expectWhole(changed)
        for number in 0..<3 {
            changed["new\(number)"] = .bool(true)
            expectWhole(changed)
        }
        changed["other"] = nil
        #expect(!changed.contains(name: "other"))
        expectWhole(changed)
        #expect(changed.count == count + 1)
    }

    @Test(arguments: [3, 16, 17, 40])
    func onlyTheLastMemberOfARepeatedNameCounts(count: Int) {
        var shadowed = JSONObject()
        shadowed.append(name: "name1", value: "replaced")
        for member in object(count) { shadowed.append(name: member.name, value: member.value) }
        let plain = object(count)
        #expect(shadowed == plain && plain == shadowed)
        #expect(shadowed.hashValue == plain.hashValue)
        #expect(!JSON.object(shadowed).isIdentical(to: .object(plain)))
        var other = plain
        other["name1"] = "replaced"
        #expect(shadowed != other && other != shadowed)
    }

    @Test func settingAnElementAfterTheLastChangesNothing() throws {
        var json: JSON = [1, 2]
        json[pointer: JSONPointer("2")] = 3
        #expect(json == [1, 2])
        json[pointer: JSONPointer("-")] = 3
        #expect(json == [1, 2, 3])
        json[pointer: JSONPointer("2")] = nil
        #expect(json == [1, 2])
    }
}
