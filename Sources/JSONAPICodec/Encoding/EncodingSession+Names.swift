import JSONText

// Names of members: made from coding keys, checked, chosen by fieldsets.

extension EncodingSession {
    /// The name of the member that a coding key stands for.
    @inline(__always)
    func memberName(_ key: some CodingKey) -> String {
        renamesKeys ? renamed(key.stringValue) : key.stringValue
    }

    @inline(never)
    func renamed(_ name: String) -> String {
        if let known = memberNames[name] { return known }
        let isKept = DecodingSession.isIdentityName(name) || name.utf8.contains(UInt8(ascii: "."))
        let converted = isKept ? name : options.keyStrategy.memberName(name)
        memberNames[name] = converted
        return converted
    }

    /// Writes the name of an attribute or relationship, unless the specification forbids it.
    @inline(__always)
    func writeName(_ name: String, of group: StaticString, into output: JSONOutput) throws {
        var name = name
        let isWritten = name.withUTF8 { bytes in
            // A legal name holds nothing that has to be escaped.
            guard MemberName.isLegal(bytes) else { return false }
            output.name(escaped: bytes)
            return true
        }
        if !isWritten { try writeUnusualName(name, of: group, into: output) }
    }

    @inline(never)
    private func writeUnusualName(_ name: String, of group: StaticString, into output: JSONOutput) throws {
        try checkName(name, at: [group.description, name])
        output.name(name)
    }

    /// Throws for a name that no attribute, relationship or type may have.
    func checkName(_ name: String, at tokens: [String] = []) throws {
        guard checksNames else { return }
        switch MemberName(Array(name.utf8)) {
        case .legal, .at, .ofExtension: return
        case .illegal, .illegalOfExtension:
            throw failure(
                .illegalName, at: tokens, expected: "a member name: letters, digits, and inside it hyphens, underscores, spaces",
                found: "`\(name)`", advice: "name it by a coding key, or set checksNames to false for a server that asks for it")
        }
    }

    /// Whether the fieldset asks for the field.
    @inline(__always)
    func wants(_ name: String) -> Bool {
        resource.filter?.contains(name) ?? true
    }

    /// Which fields of a resource are written.
    @inline(__always)
    func filter(for identity: UnsafePointer<ResourceIdentifier>) -> FieldFilter? {
        fieldsets.isEmpty && omitted.isEmpty ? nil : makeFilter(for: identity.pointee.type)
    }

    private func makeFilter(for type: String) -> FieldFilter? {
        let fieldset = fieldsets.isEmpty ? nil : fieldsets[type]
        return fieldset == nil && omitted.isEmpty ? nil : FieldFilter(fieldset: fieldset, omitted: omitted)
    }
}

/// Texts of the program as strings. Making one costs as much as writing it, so it is done once per session for each place that
/// has one.
final class StaticNames {
    private struct Slot {
        var start: UnsafePointer<UInt8>?
        var count = 0
        var name = ""
        var isLegal = false
    }

    /// By the address of the text; one that falls into a slot takes the place of the one before it.
    private let slots: UnsafeMutablePointer<Slot>

    init() {
        slots = .allocate(capacity: 64)
        slots.initialize(repeating: Slot(), count: 64)
    }

    deinit {
        slots.deinitialize(count: 64)
        slots.deallocate()
    }

    @inline(__always)
    func name(_ text: StaticString) -> String {
        // A text that is one character has no address.
        text.hasPointerRepresentation ? slot(text).pointee.name : text.description
    }

    /// The bytes of a text that is a legal member name; nil for another, and for one character.
    @inline(__always)
    func legalBytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8>? {
        guard text.hasPointerRepresentation, slot(text).pointee.isLegal else { return nil }
        return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    @inline(__always)
    private func slot(_ text: StaticString) -> UnsafeMutablePointer<Slot> {
        let address = UInt(bitPattern: text.utf8Start)
        // In bounds: a number of six bits.
        let slot = slots + Int(truncatingIfNeeded: (address ^ address >> 6) & 63)
        if slot.pointee.start != text.utf8Start || slot.pointee.count != text.utf8CodeUnitCount { fill(slot, text) }
        return slot
    }

    @inline(never)
    private func fill(_ slot: UnsafeMutablePointer<Slot>, _ text: StaticString) {
        slot.pointee = Slot(
            start: text.utf8Start, count: text.utf8CodeUnitCount, name: text.description, isLegal: MemberName.isLegal(text.utf8Buffer))
    }
}
