/// A generator whose numbers depend only on its seed (SplitMix64).
package struct FuzzRandom: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the generator for one execution of one target.
    init(seed: UInt64, target: String, execution: Int) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in target.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash ^ UInt64(truncatingIfNeeded: execution) &* 0xD6E8_FEB8_6659_FD93
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number from 0 up to, but not including, `limit`; 0 for a limit of 0.
    package mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

    package mutating func chance(_ one: Int, in all: Int) -> Bool { below(all) < one }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
