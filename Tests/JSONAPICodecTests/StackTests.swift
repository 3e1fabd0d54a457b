import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Wide and deep models on small and large stacks: they are decoded and encoded, or an error, and never end the process.
///
/// Each test runs in its own process, so that a stack overflow is one failing test.
@Suite struct StackTests {
    @Test func aWideRecursiveModelIsDecodedOrAnErrorOnASmallStack() async {
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 512 << 10) { try StackTrial.chain(Wide80.self, 100) } }
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 512 << 10) { try StackTrial.chain(Wide80.self, 1000) } }
    }

    @Test func aVeryWideRecursiveModelIsDecodedOrAnErrorOnALargeStack() async {
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 8 << 20) { try StackTrial.chain(Wide200.self, 5000) } }
    }

    @Test func aNarrowRecursiveModelIsDecodedOrAnError() async {
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 512 << 10) { try StackTrial.chain(Narrow.self, 10_000) } }
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 8 << 20) { try StackTrial.chain(Narrow.self, 10_000) } }
    }

    @Test func nestedWideValuesAreDecodedOrAnError() async {
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 512 << 10) { try StackTrial.values(240) } }
        await #expect(processExitsWith: .success) { StackTrial.run(stack: 8 << 20) { try StackTrial.values(240) } }
    }

    @Test("A JSON tree in Foundation's coders is coded, or an error", arguments: [200, 400, 20_000])
    func trees(depth: Int) async {
        await #expect(processExitsWith: .success) { [depth] in
            StackTrial.run(stack: 512 << 10) { try StackTrial.tree(depth) }
        }
    }

    @Test("A long include path whose end is no relationship is an error")
    func includePath() async {
        await #expect(processExitsWith: .success) {
            StackTrial.run(stack: 512 << 10) {
                do { try StackTrial.includePath(1500) } catch is EncodingError { return }; exit(1)
            }
        }
    }

    @Test func aTreeOf150LevelsFitsASmallStack() async {
        await #expect(processExitsWith: .success) {
            StackTrial.run(stack: 512 << 10) { do { try StackTrial.tree(150) } catch { exit(1) } }
        }
    }
}

private struct Circle: Resource {
    static let type = "circles"
    var id: String
    var next: ToOne<Circle>
}

/// The operation to try on a stack.
private enum StackTrial {
    /// A path around two resources, whose last name is wrong.
    static func includePath(_ length: Int) throws {
        func circle(_ id: Int) -> String {
            #"{"type":"circles","id":"\#(id)","relationships":{"next":{"data":{"type":"circles","id":"\#(3 - id)"}}}}"#
        }
        let text = #"{"data":\#(circle(1)),"included":[\#(circle(2))]}"#
        let document = try JSONAPIDecoder().decode(Document<Circle>.self, from: Data(text.utf8))
        let path = Array(repeating: "next", count: length) + ["wrong"]
        _ = try JSONAPIEncoder().encode(document, include: .paths([path.joined(separator: ".")]))
    }

    /// A tree that Foundation's coders write and read. Their decoder refuses more than 512 levels.
    static func tree(_ depth: Int) throws {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        var options = JSONReadingOptions()
        options.maximumDepth = depth
        let tree = try JSON(parsing: text, options: options)
        let data = try JSONEncoder().encode(tree)
        guard data == Data(text.utf8), try JSONDecoder().decode(JSON.self, from: data) == tree else { exit(1) }
    }

    /// Runs `body` on a thread with the given stack size. Any error except a decoding or encoding error ends the process.
    static func run(stack: Int, _ body: @escaping @Sendable () throws -> Void) {
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try body() } catch is DecodingError {} catch is EncodingError {} catch { exit(1) }
            end.signal()
        }
        thread.stackSize = stack
        thread.start()
        end.wait()
    }

    /// Resources that each embed the next.
    static func chain<Model: Resource>(_ type: Model.Type, _ length: Int) throws {
        let resources = (0..<length).map { index in
            let next = index + 1 < length ? "[{\"type\":\"nodes\",\"id\":\"\(index + 1)\"}]" : "[]"
            return "{\"type\":\"nodes\",\"id\":\"\(index)\",\"attributes\":{\"p1\":\"x\"},\"relationships\":{\"next\":{\"data\":\(next)}}}"
        }
        let text = "{\"data\":\(resources[0]),\"included\":[\(resources.dropFirst().joined(separator: ","))]}"
        let value = try JSONAPIDecoder().decode(type, from: Data(text.utf8))
        _ = try JSONAPIEncoder().encode(value)
    }

    /// Values that each contain the next in one attribute.
    static func values(_ depth: Int) throws {
        let value = String(repeating: "{\"p1\":\"x\",\"next\":[", count: depth) + String(repeating: "]}", count: depth)
        let text = "{\"data\":{\"type\":\"holders\",\"id\":\"1\",\"attributes\":{\"value\":\(value)}}}"
        let holder = try JSONAPIDecoder().decode(Holder.self, from: Data(text.utf8))
        _ = try JSONAPIEncoder().encode(holder)
    }
}

// MARK: - Models

private struct Narrow: Resource {
    static let type = "nodes"
    var id: String
    var p1: String?
    var next: [Narrow]
}

private struct Wide80: Resource {
    static let type = "nodes"
    var id: String
    var p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19: String?
    var p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39: String?
    var p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59: String?
    var p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77, p78, p79: String?
    var next: [Wide80]
}

private struct Wide200: Resource {
    static let type = "nodes"
    var id: String
    var p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19: String?
    var p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39: String?
    var p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59: String?
    var p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77, p78, p79: String?
    var p80, p81, p82, p83, p84, p85, p86, p87, p88, p89, p90, p91, p92, p93, p94, p95, p96, p97, p98, p99: String?
    var p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115, p116, p117, p118, p119: String?
    var p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131, p132, p133, p134, p135, p136, p137, p138, p139: String?
    var p140, p141, p142, p143, p144, p145, p146, p147, p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159: String?
    var p160, p161, p162, p163, p164, p165, p166, p167, p168, p169, p170, p171, p172, p173, p174, p175, p176, p177, p178, p179: String?
    var p180, p181, p182, p183, p184, p185, p186, p187, p188, p189, p190, p191, p192, p193, p194, p195, p196, p197, p198, p199: String?
    var next: [Wide200]
}

private struct Holder: Resource {
    static let type = "holders"
    var id: String
    var value: WideValue
}

private struct WideValue: Codable, Sendable {
    var p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19: String?
    var p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37, p38, p39: String?
    var p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55, p56, p57, p58, p59: String?
    var p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p70, p71, p72, p73, p74, p75, p76, p77, p78, p79: String?
    var next: [WideValue]?
}
