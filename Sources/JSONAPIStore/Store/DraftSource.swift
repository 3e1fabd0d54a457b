import JSONAPIArchive
import JSONAPICodec

/// One state of a resource, with the other resources of a store.
final class DraftSource: ResourceSource {
    private let identity: StoredIdentity
    private let text: [UInt8]
    private let core: StoreCore
    var owner: AnyObject? { core }

    init(_ identity: StoredIdentity, _ text: [UInt8], _ core: StoreCore) { (self.identity, self.text, self.core) = (identity, text, core) }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        guard let wanted = StoredIdentity(identifier) else { return nil }
        return wanted == identity ? text : try core.text(core.current(wanted))
    }
}
