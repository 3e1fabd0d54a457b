import JSONMapping
import JSONText
import Testing

/// Each bound accepts exactly the values that it describes.
@Suite struct ConstraintBoundTests {
    private func allowed<Value>(_ constraint: Constraint<Value>, _ values: [Value]) -> [Bool] { values.map { constraint.allows($0) } }

    @Test func boundsOfNumbers() {
        #expect(allowed(.greater(than: 5), [4, 5, 6]) == [false, false, true])
        #expect(allowed(.atLeast(5), [4, 5, 6]) == [false, true, true])
        #expect(allowed(.less(than: 5), [4, 5, 6]) == [true, false, false])
        #expect(allowed(.atMost(5), [4, 5, 6]) == [true, true, false])
    }

    @Test func boundsOfTexts() {
        #expect(allowed(.greater(than: "b"), ["a", "b", "ba"]) == [false, false, true])
        #expect(allowed(.atLeast("b"), ["a", "b", "ba"]) == [false, true, true])
        #expect(allowed(.less(than: "b"), ["a", "b", "ba"]) == [true, false, false])
        #expect(allowed(.atMost("b"), ["a", "b", "ba"]) == [true, true, false])
    }

    @Test func boundsOfJSON() {
        let values: [JSON] = [4, 5, 6, "5", .null]
        #expect(allowed(.greater(than: 5), values) == [false, false, true, false, false])
        #expect(allowed(.atLeast(5), values) == [false, true, true, false, false])
        #expect(allowed(.less(than: 5), values) == [true, false, false, false, false])
        #expect(allowed(.atMost(5), values) == [true, true, false, false, false])
    }

    @Test func boundsOfJSONAreExact() throws {
        func values(_ texts: String...) -> [JSON] { texts.compactMap { JSONNumber(text: $0).map { .number($0) } } }
        let near = values("5.00000000000000000001", "4.99999999999999999999", "5.0")
        #expect(allowed(.greater(than: 5), near) == [true, false, false])
        #expect(allowed(.atLeast(5), near) == [true, false, true])
        #expect(allowed(.less(than: 5), near) == [false, true, false])
        #expect(allowed(.atMost(5), near) == [false, true, true])
        // A bound is the number that was written in the program.
        #expect(allowed(.atMost(0.1), values("0.1", "0.10000000000000000001")) == [true, false])
        // Numbers that are outside the range of Double.
        let far = values("1e400", "1e-400", "-1e400", "-1e-400")
        #expect(allowed(.greater(than: 0), far) == [true, true, false, false])
        #expect(allowed(.less(than: .infinity), far) == [true, true, true, true])
        #expect(allowed(.atMost(-.infinity), far) == [false, false, false, false])
        #expect(allowed(.atMost(.nan), far) == [false, false, false, false])
    }

    @Test func countsOfCollections() {
        #expect(allowed(.count(1...2), [[], [1], [1, 2], [1, 2, 3]]) == [false, true, true, false])
        #expect(allowed(.count(1..<2), [[], [1], [1, 2]]) == [false, true, false])
    }

    @Test func constraintsOfOtherKindsDoNotApply() {
        func applies(_ constraint: Constraint<Int>) -> Bool {
            if case .doesNotApply = constraint.verdict(on: nil) { false } else { true }
        }
        let positive = Constraint<Int>.greater(than: 0)
        for constraint in [positive, .not(positive), .all(positive, .less(than: 9)), .any(positive, .less(than: 9)), .not(.all(positive))] {
            #expect(!applies(constraint) && constraint.allows(nil))
        }
        #expect(!Constraint.all(positive, .exists).allows(nil))
        #expect(Constraint.any(positive, .exists).allows(nil))
    }
}
