import CodecTestSupport
import Foundation
import JSONMapping
import Testing

@testable import JSONAPICodec

/// Values as real servers write them. One option accepts each of them, and the error names that option.
@Suite struct ServerValueTests {
    private struct Product: Resource, Equatable {
        static let type = "products"
        var id: String
        var price: Decimal?
        var weight: Double?
        var count: Int?
        var small: Float?
        var sizes: [Int]?
        var name: String?
        var sold: Date?
    }

    private func read(_ attributes: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> Document<Product> {
        try decoder.decode(
            Document<Product>.self, from: Data(#"{"data":{"type":"products","id":"1","attributes":\#(attributes)}}"#.utf8))
    }

    private func failure(_ attributes: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) -> DecodingFailure? {
        (#expect(throws: DecodingError.self) { try read(attributes, decoder) })?.failure
    }

    private var tolerant: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .textNumbers
        return decoder
    }

    @Test(arguments: ["price", "weight", "count", "small"])
    func theErrorForANumberAsTextNamesItsLeniency(name: String) {
        let found = failure(#"{"\#(name)":"12"}"#)
        #expect(found?.kind == .wrongType && found?.found == "a string that contains a number")
        #expect(found?.advice == "set the leniency textNumbers to read it, or declare the property as String")
        #expect(found?.pointer.description == "/data/attributes/\(name)")
        #expect(failure(#"{"\#(name)":"twelve"}"#)?.advice == nil)
        #expect(failure(#"{"\#(name)":"twelve"}"#, tolerant)?.kind == .wrongType)
    }

    @Test func numbersAsTextAreDecodedExactly() throws {
        let document = try read(
            #"{"price":"12.5012345678901234567890123456","weight":"-1.5e3","count":"9007199254740993","small":"0.5","sizes":["1",2],"name":"12"}"#,
            tolerant)
        let product = document.data
        #expect(product.price == Decimal(string: "12.5012345678901234567890123456"))
        #expect(product.weight == -1500 && product.count == 9_007_199_254_740_993 && product.small == 0.5)
        #expect(product.sizes == [1, 2] && product.name == "12")
        #expect(document.diagnostics.filter { $0.kind == .leniency(.textNumbers) }.count == 5)
        // A model of any JSON value, which tries numbers first, must see texts: no mode decodes them as numbers.
        #expect(failure(#"{"price":"1.10"}"#, JSONAPIDecoder(mode: .lenient))?.kind == .wrongType)
    }

    @Test(arguments: ["", " 12", "12 ", "0x1", "١٢", "007", "+1", "1,5", ".5", "NaN", "12.5", "99999999999999999999"])
    func textThatIsNotAJSONNumberIsAnError(text: String) {
        #expect(failure(#"{"count":"\#(text)"}"#, tolerant) != nil)
    }

    @Test(arguments: ["2026-11-21", "2026-11-21T09:30:00", "2026-11-21 09:30", "2026-11-21T09:30:00.25"])
    func theErrorForADateWithoutAZoneNamesAStrategy(text: String) throws {
        let found = failure(#"{"sold":"\#(text)"}"#)
        #expect(found?.found == "a date without a time or time zone")
        #expect(found?.advice == "set dateDecodingStrategy to .layout(.iso8601), which reads it as UTC")
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .layout(.iso8601)
        let date = try #require(try read(#"{"sold":"\#(text)"}"#, decoder).data.sold)
        #expect(date == DateLayout.iso8601.date(text))
    }

    @Test func datesWithAPatternAreDecodedAndEncoded() throws {
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .layout("dd.MM.yyyy")
        let product = try read(#"{"sold":"21.11.2026"}"#, decoder).data
        #expect(failure(#"{"sold":"2026-11-21"}"#, decoder)?.kind == .invalidValue)
        #expect(failure(#"{"sold":7}"#, decoder)?.kind == .wrongType)
        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = .layout("dd.MM.yyyy")
        #expect(try String(decoding: encoder.encode(product), as: UTF8.self).contains(#""sold":"21.11.2026""#))
        encoder.dateEncodingStrategy = .layout("unknown")
        #expect(throws: EncodingError.self) { try encoder.encode(product) }
    }

    @Test func theErrorOfAnInvalidPatternNamesTheMistake() throws {
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .layout("yyyy-MM-dd HH:mm:ss zzz")
        #expect(failure(#"{"sold":"2031-05-09 07:30:00 UTC"}"#, decoder)?.expected.contains("`zzz` is the mistake") == true)
        let product = try read(#"{"sold":"2026-11-21T09:30:00Z"}"#).data
        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = .layout("YYYY")
        #expect(encodingFailure { _ = try encoder.encode(product) }?.expected.contains("`YYYY` is the mistake") == true)
    }

    @Test func theErrorForANumericStatusNamesItsLeniency() throws {
        let text = Data(#"{"errors":[{"status":422}]}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder(mode: .strict).decode(Document<Product>.self, from: text) }
        #expect(error?.failure?.advice == "set the leniency numericStatus to read it")
        let standard = #expect(throws: ErrorDocument.self) { try JSONAPIDecoder().decode(Product.self, from: text) }
        #expect(standard?.errors.first?.status == "422")
    }

    private struct Page: Resource, Equatable {
        static let type = "pages"
        var id: String
        var settings: [String: Int]?
        var place: Place?
        var raw: JSONObject?
        var list: [[String: String]]?
        var any: JSON?

        struct Place: Codable, Equatable {
            var city: String?
            var tags: [String: [String: String]]?
        }
    }

    @Test func anEmptyArrayInPlaceOfAnObjectIsReadWithItsLeniency() throws {
        let text = Data(
            #"{"data":{"type":"pages","id":"1","attributes":{"settings":[],"place":{"tags":{"a":[]}},"raw":[],"list":[[],{"b":"c"}],"any":[]}}}"#
                .utf8)
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .emptyArrayValues
        let document = try decoder.decode(Document<Page>.self, from: text)
        #expect(
            document.data
                == Page(
                    id: "1", settings: [:], place: .init(tags: ["a": [:]]), raw: JSONObject(), list: [[:], ["b": "c"]], any: .array([])))
        let places = document.diagnostics.filter { $0.kind == .leniency(.emptyArrayValues) }.map(\.pointer.description)
        #expect(
            Set(places) == [
                "/data/attributes/settings", "/data/attributes/place/tags/a", "/data/attributes/raw", "/data/attributes/list/0",
            ])
        for mode in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
            let error = #expect(throws: DecodingError.self) { try mode.decode(Page.self, from: text) }
            #expect(error?.failure?.found == "an empty array")
            #expect(error?.failure?.advice == "set the leniency emptyArrayValues to read it as an empty object")
        }
    }

    @Test func anArrayWithElementsIsNeverReadAsAnObject() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .all
        for value in ["[1]", "[[]]", #""""#, "0", "null"] {
            let text = Data(#"{"data":{"type":"pages","id":"1","attributes":{"list":[\#(value)]}}}"#.utf8)
            #expect(throws: DecodingError.self) { try decoder.decode(Page.self, from: text) }
        }
    }
}
