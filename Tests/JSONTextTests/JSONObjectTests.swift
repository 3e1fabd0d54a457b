import JSONText
import TestSupport
import Testing

@Suite("JSON objects and arrays")
struct JSONObjectTests {
    @Test("Repeated names are kept in order, and the last is found", arguments: [0, 30])
    func repeatedNames(others: Int) {
        var object = Self.object(members: others)
        object.append(name: "a", value: 1)
        object.append(name: "b", value: 2)
        #expect(object.firstDuplicateName == nil)
        object.append(name: "a", value: 3)
        object.append(name: "b", value: 4)
        #expect(object.count == others + 4)
        #expect(object["a"] == 3)
        #expect(object.firstDuplicateName == "a")
        #expect(Array(object.names.suffix(4)) == ["a", "b", "a", "b"])
    }

    @Test("Setting replaces the last member of a name in place", arguments: [0, 30])
    func settingRepeatedNames(others: Int) {
        var object = Self.object(members: others)
        for value in 1...3 { object.append(name: "a", value: .number(JSONNumber(value))) }
        object.append(name: "b", value: nil)
        object["a"] = "new"
        #expect(object.suffix(4).map(\.value) == [1, 2, "new", nil])
        object["c"] = true
        #expect(object.last == JSONObject.Member(name: "c", value: true))
    }

    @Test("Removing a name removes all of its members", arguments: [0, 14, 15, 16, 17, 30])
    func removing(others: Int) {
        var object = Self.object(members: others)
        for name in ["a", "b", "a"] { object.append(name: name, value: .string(name)) }
        let removed = object.removeValue(forName: "a")
        let removedAgain = object.removeValue(forName: "a")
        #expect(removed == "a")
        #expect(removedAgain == nil)
        #expect(object.count == others + 1)
        #expect(!object.contains(name: "a"))
        #expect(object["b"] == "b")
        object["b"] = nil
        #expect(object == Self.object(members: others))
        for position in 0..<others { #expect(object["name \(position)"]?.int == position) }
    }

    @Test("A null member is present")
    func nullMember() {
        var object: JSONObject = ["a": nil]
        #expect(object["a"] == .some(JSON.null))
        object["b"] = .some(.null)
        #expect(object.count == 2)
        #expect(object["c"] == nil)
    }

    @Test("A default is set when it is changed")
    func defaults() {
        var object: JSONObject = [:]
        #expect(object["a", default: 1] == 1)
        #expect(object.isEmpty)
        object["links", default: [:]]["href"] = "/a"
        object["links", default: [:]]["rel"] = "self"
        #expect("\(object)" == #"{"links":{"href":"/a","rel":"self"}}"#)
    }

    @Test("Renaming keeps the place, and fails for a name in use", arguments: [0, 30])
    func renaming(others: Int) {
        var object = Self.object(members: others)
        object.append(name: "a", value: 1)
        object.append(name: "b", value: 2)
        let results = [
            object.rename("absent", to: "c"), object.rename("a", to: "b"), object.rename("a", to: "a"),
            object.rename("a", to: "c"),
        ]
        #expect(results == [false, false, true, true])
        #expect(Array(object.names.suffix(2)) == ["c", "b"])
        #expect(object["c"] == 1)
        #expect(object["a"] == nil)
    }

    @Test("Names that differ only in normalization are different", arguments: [0, 30])
    func names(others: Int) {
        var object = Self.object(members: others)
        object["caf\u{E9}"] = 1
        object["cafe\u{301}"] = 2
        object[""] = 3
        object["\u{0}"] = 4
        #expect(object.count == others + 4)
        #expect(object["caf\u{E9}"] == 1)
        #expect(object["cafe\u{301}"] == 2)
        #expect(object[""] == 3)
        #expect(object["\u{0}"] == 4)
        #expect(object.firstDuplicateName == nil)
    }

    @Test("Look-up works while an object grows beyond the limit of linear search")
    func growing() {
        var object = JSONObject()
        for count in 1...200 {
            object["name \(count)"] = .number(JSONNumber(count))
            for position in stride(from: 1, through: count, by: 7) {
                #expect(object["name \(position)"]?.int == position)
            }
            #expect(object["name \(count + 1)"] == nil)
        }
    }

    @Test("A copy keeps its members and its index when the original changes")
    func copies() {
        var object = Self.object(members: 40)
        let copy = object
        object["name 3"] = nil
        object["new"] = 1
        #expect(copy == Self.object(members: 40))
        #expect(copy["name 39"] == 39)
        #expect(copy["new"] == nil)
        #expect(object["name 39"] == 39)
        #expect(object["new"] == 1)
    }

    @Test("Objects are equal in any order")
    func equality() {
        let object = Self.object(members: 100)
        let reversed = JSONObject(members: object.reversed())
        #expect(object == reversed)
        #expect(object.hashValue == reversed.hashValue)
        var other = reversed
        other["name 50"] = "x"
        #expect(object != other)
    }

    @Test("An object with very many names takes linear time")
    func manyNames() {
        let growth = TimeGrowth(from: TestEffort.count(50_000, debug: 15_000)) { count in
            processorSeconds {
                var object = JSONObject()
                for position in 0..<count { object.append(name: "name \(position)", value: true) }
                var found = 0
                for position in 0..<count where object.contains(name: "name \(position)") { found += 1 }
                var other = object
                other["name 0"] = true
                let isEqual = object == other && object.hashValue == other.hashValue
                #expect(found == count)
                #expect(isEqual)
                #expect(object.firstDuplicateName == nil)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Changing a nested member copies nothing")
    func changingInPlace() {
        func seconds(_ count: Int) -> Double {
            var json: JSON = ["list": .array(JSONArray((0..<count).map { .number(JSONNumber($0)) }))]
            let pointer = JSONPointer("list", "7")
            let seconds = processorSeconds {
                for count in 0..<5_000 {
                    json["list"]?[5] = .number(JSONNumber(count))
                    json[pointer: pointer] = .number(JSONNumber(count))
                }
            }
            #expect(json["list"]?[5]?.int == 4_999)
            #expect(json["list"]?[7]?.int == 4_999)
            return seconds
        }
        let (small, large) = (leastSeconds { seconds(500) }, leastSeconds { seconds(50_000) })
        // Copying the list each time would take a hundred times as long.
        #expect(large < small * 10, "\(small) s for 500 elements, \(large) s for 50,000")
    }

    @Test("An array is a mutable, range-replaceable collection")
    func arrayOperations() {
        var array: JSONArray = [1, 2, 3]
        array.insert("x", at: 1)
        array.remove(at: 0)
        array.append(contentsOf: [nil, [4]])
        array[0] = true
        array.swapAt(0, 1)
        #expect("\(array)" == "[2,true,3,null,[4]]")
        let last = array.removeLast()
        #expect(last == [4])
        let popped = array.popLast()
        #expect(popped == JSON.null)
        array.reserveCapacity(100)
        array.removeAll { $0 == true }
        array.replaceSubrange(0..<1, with: ["a", "b"])
        #expect(array == ["a", "b", 3])
        array.removeAll()
        #expect(array.isEmpty)
        #expect(array == [])
        #expect(JSONArray([1, 2] as [JSON]) == [1, 2])
        #expect(array.withContiguousStorageIfAvailable { $0.count } == 0)
    }

    @Test("An emptied object equals an empty one")
    func emptied() {
        var object: JSONObject = ["a": 1]
        object["a"] = nil
        #expect(object == [:])
        #expect(object.isEmpty)
        #expect("\(object)" == "{}")
    }

    private static func object(members count: Int) -> JSONObject {
        JSONObject(members: (0..<count).map { .init(name: "name \($0)", value: .number(JSONNumber($0))) })
    }
}
