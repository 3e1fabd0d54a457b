import JSONMapping
import JSONText
import Testing

@Suite struct ConstraintTests {
    @Test func theExpectationOfACountIsInWords() {
        #expect(Constraint<String>.count(1...3).expected == "a count of 1 to 3")
        #expect(Constraint<String>.count(1..<4).expected == "a count of at least 1 and less than 4")
        #expect(Constraint<String>.count(1...).expected == "a count of at least 1")
        #expect(Constraint<String>.count(...3).expected == "a count of at most 3")
        #expect(Constraint<String>.count(..<4).expected == "a count of less than 4")
    }

    @Test func comparisonsDoNotApplyToAbsentValues() {
        for constraint in [.greater(than: 2), .not(.greater(than: 2)), .any(.equal(to: 1), .oneOf(2, 3)), .satisfies { _ in false }]
            as [Constraint<Int>]
        {
            #expect(constraint.verdict(on: nil) == .doesNotApply)
            #expect(constraint.allows(nil))
        }
        #expect(Constraint<Int>.all(.exists, .greater(than: 2)).verdict(on: nil) == .fails)
        #expect(Constraint<Int>.any(.exists, .greater(than: 2)).verdict(on: nil) == .doesNotApply)
        #expect(Constraint<Int>.not(.exists).verdict(on: nil) == .passes)
    }

    @Test func otherValuesFailNumericComparisons() {
        #expect(!Constraint<JSON>.greater(than: 1).allows("2"))
        #expect(Constraint<JSON>.equal(to: "2").allows("2"))
    }

    @Test func aPatternMustMatchTheWholeText() throws {
        #expect(Constraint<String>.matches(/[a-z]+/).allows("abc"))
        #expect(!Constraint<String>.matches(/[a-z]+/).allows("abc1"))
        #expect(try Constraint<String>.matches(pattern: "[0-9]{2}").allows("12"))
        #expect(throws: (any Error).self) { try Constraint<String>.matches(pattern: "[") }
        #expect(Constraint<String>.count(1...3).allows("abc"))
        #expect(!Constraint<[Int]>.count(1...).allows([]))
    }

    @Test func failingElementsAreReportedAtTheirPlace() {
        let constraint: Constraint<[Int]> = .all(.count(...3), .each(.atLeast(0)))
        #expect(constraint.issues(with: [1, -1, -2]).map(\.pointer.description) == ["/1", "/2"])
        #expect(constraint.issues(with: [1, 2, 3, 4]).map(\.pointer) == [.root])
        #expect(constraint.issues(with: nil).isEmpty)
    }

    @Test func atMostAThousandFailingElementsAreReported() {
        let zeros = [Int](repeating: 0, count: 1500)
        let each = Constraint<[Int]>.each(.atLeast(1))
        #expect(each.issues(with: zeros).map(\.pointer.description) == (0..<1000).map { "/\($0)" })
        let names = Dictionary(uniqueKeysWithValues: (0..<1500).map { ("\($0)", 0) })
        #expect(Constraint<[String: Int]>.each(.atLeast(1)).issues(with: names).count == 1000)
        #expect(Constraint<[Int]>.all(each, .each(.greater(than: 2))).issues(with: zeros).count == 1000)
    }
}
