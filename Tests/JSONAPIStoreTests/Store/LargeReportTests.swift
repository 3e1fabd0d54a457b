import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite struct LargeReportTests {
    @Test(arguments: [999, 1000, 1001])
    func aReportListsTheFirstThousandConflictsAndCountsAll(count: Int) throws {
        let store = ResourceStore()
        func people(_ name: String) -> [ResourceObject] {
            (0..<count).map { ResourceObject(type: "people", id: "\($0)", attributes: ["name": .string(name)]) }
        }
        try store.ingest(people("a"))
        let report = try store.ingest(people("b"))
        #expect(report.conflictCount == count)
        #expect(report.conflicts.count == min(count, 1000))
    }

    @Test(arguments: [999, 1000, 1001])
    func aReportListsTheFirstThousandSkippedPlacesAndCountsAll(count: Int) throws {
        let document = DocumentObject(members: ["data": .array(JSONArray((0..<count).map { .number(JSONNumber($0)) }))])
        let report = try ResourceStore().ingest(document)
        #expect(report.skippedCount == count)
        #expect(report.skipped.count == min(count, 1000))
    }
}
