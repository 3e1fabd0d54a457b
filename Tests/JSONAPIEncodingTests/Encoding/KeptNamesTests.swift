import JSONText
import Testing

@testable import JSONAPICodec

/// The names and types that the memory of an encoder keeps for the next call.
@Suite struct KeptNamesTests {
    @Test("Long names and types are not kept, however few they are", arguments: [true, false])
    func longNames(_ areTypes: Bool) {
        let memory = EncodingMemory()
        func note(_ text: String) { _ = areTypes ? memory.types.number(of: text) : memory.names.number(of: text) }
        func count() -> Int { areTypes ? memory.types.count : memory.names.count }
        note("short")
        memory.forgetResources()
        #expect(count() == 1)
        note(String(repeating: "k", count: 200_000))
        #expect(count() == 2)
        memory.forgetResources()
        #expect(count() == 0)
        note("short")
        memory.forgetResources()
        #expect(count() == 1)
    }
}
