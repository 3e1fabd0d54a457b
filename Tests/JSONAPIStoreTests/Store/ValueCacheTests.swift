import JSONAPICodec
import Testing

@testable import JSONAPIStore

@Suite("The cache of models, when readers are late")
struct ValueCacheTests {
    private let cache = ValueCache()
    private let identity = StoredIdentity(type: "es", name: "3", isLocal: false)

    private func entry(_ value: Int, at change: Int) -> ValueCache.Entry {
        ValueCache.Entry(value: value, dependencies: [identity: change], madeAt: change, confirmedAt: change)
    }

    private var value: Int? { cache.entry(identity, Int.self)?.value as? Int }

    @Test("A late reader does not replace a newer model")
    func lateInsertion() {
        cache.insert(entry(2, at: 20), identity, Int.self, absentLimit: nil)
        cache.insert(entry(1, at: 10), identity, Int.self, absentLimit: nil)
        #expect(value == 2)
    }

    @Test("Only the model that was compared is confirmed, and never for an earlier change")
    func confirmation() {
        let (old, new) = (entry(1, at: 10), entry(2, at: 20))
        cache.insert(old, identity, Int.self, absentLimit: nil)
        cache.confirm(new, identity, Int.self, at: 30)
        #expect(cache.entry(identity, Int.self)?.confirmedAt == 10)
        cache.insert(new, identity, Int.self, absentLimit: nil)
        cache.confirm(old, identity, Int.self, at: 40)
        #expect(cache.entry(identity, Int.self)?.confirmedAt == 20)
        cache.confirm(new, identity, Int.self, at: 40)
        cache.confirm(new, identity, Int.self, at: 30)
        #expect(cache.entry(identity, Int.self)?.confirmedAt == 40 && value == 2)
    }
}
