import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIHTTP

@Suite("Entity tags and If-Match")
struct PreconditionTests {
    @Test("Entity tags are parsed and printed")
    func tags() {
        #expect(EntityTag(parsing: #""v1""#) == EntityTag("v1"))
        #expect(EntityTag(parsing: #" W/"v,1" "#) == EntityTag("v,1", isWeak: true))
        #expect(EntityTag(parsing: #""""#)?.value == "")
        for text in ["", "v1", #""v1"#, #"w/"v1""#, #""a","b""#, "\"a\u{1}\"", "*"] { #expect(EntityTag(parsing: text) == nil) }
        #expect(EntityTag("a\"b\n").description == #""a%22b%0A""#)
        #expect(EntityTag("a\"") != EntityTag("a%22") && EntityTag("a%22").description == #""a%2522""#)
        #expect(EntityTag("100%").description == #""100%""# && EntityTag(parsing: #""a%22""#) == EntityTag("a\""))
        #expect(EntityTag("é", isWeak: true).description == #"W/"é""#)
        #expect(EntityTag(headers: ["eTaG": #""x""#]) == EntityTag("x") && EntityTag(headers: [:]) == nil)
        #expect(EntityTag("v") != EntityTag("v", isWeak: true))
        #expect(!EntityTag("v", isWeak: true).matchesStrongly(EntityTag("v", isWeak: true)))
    }

    @Test func `the header of a server that sends no quotation marks is read as if it had them`() {
        for text in ["W/v1", " W/v1 "] { #expect(EntityTag(headers: ["ETag": text]) == EntityTag("v1", isWeak: true)) }
        #expect(EntityTag(headers: ["ETag": "W/"]) == nil)
        #expect(EntityTag(headers: ["ETag": "v1"]) == EntityTag("v1") && EntityTag(headers: ["ETag": " v1\t"])?.description == #""v1""#)
        for text in ["", " ", #""v1"#, #"v"1"#, "v 1", "v\u{1}"] { #expect(EntityTag(headers: ["ETag": text]) == nil) }
    }

    @Test(
        "A change requires a matching entity tag",
        arguments: [
            (#""v1""#, "v1", nil), (#""v0" , "v1""#, "v1", nil), ("*", "v1", nil), (#",, "v1","#, "v1", nil), (#""v1""#, "v2", 412),
            (#"W/"v1""#, "v1", 412), ("*", nil, 412), ("v1", "v1", 400), ("", "v1", 400), (#""a" "b""#, "a", 400), (#"*, "a""#, "a", 400),
        ] as [(String, String?, Int?)])
    func ifMatch(header: String, current: String?, status: Int?) throws {
        var thrown: Int?
        do {
            try IfMatch(headers: ["if-match": header])?.check(current.map { EntityTag($0) })
        } catch {
            let document = ErrorDocument(error)
            thrown = document.commonStatus
            #expect(document.errors.first?.source?.header == "If-Match")
        }
        #expect(thrown == status)
    }

    @Test("Without the header, nothing is checked, unless the server requires it")
    func without() throws {
        #expect(try IfMatch(headers: [:]) == nil)
        #expect(ErrorDocument(PreconditionFailure.required).commonStatus == 428)
        #expect(JSONAPIResponse.noContent.tagged(EntityTag("v")).headers["ETag"] == #""v""#)
    }
}
