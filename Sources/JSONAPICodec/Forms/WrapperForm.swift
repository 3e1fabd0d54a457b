import JSONMapping
import JSONText

// Property wrappers that leave the place of their value to its type: `@Default<NoPeople> var people: [Person]` is a relationship.

/// A property wrapper, or an optional, whose value is at the place that the type of the value selects: an attribute, a relationship, or
/// another part of the resource.
protocol TransparentWrapper {
    static var wrappedType: Any.Type { get }
}

/// Reads a property wrapper from the place of its value.
class WrapperPlan<Wrapper, Wrapped>: PropertyPlan<Wrapper> {
    final let wrapped: PropertyPlan<Wrapped>
    private let holding: (Wrapped) -> Wrapper
    private let empty: () -> Wrapper?

    /// - Parameters:
    ///   - holding: Returns the wrapper of a value.
    ///   - empty: Returns the wrapper for a missing value and for null; nil when the plan of the value decides.
    init(_ wrapped: PropertyPlan<Wrapped>, holding: @escaping (Wrapped) -> Wrapper, empty: @escaping () -> Wrapper? = { nil }) {
        self.wrapped = wrapped
        self.holding = holding
        self.empty = empty
    }

    override var readsRelationships: Bool { wrapped.readsRelationships }
    override var isWrittenAtPaths: Bool { wrapped.isWrittenAtPaths }

    override var readsAttributes: Bool { wrapped.readsAttributes }

    override var usesCodable: Bool { wrapped.readsAttributes }

    override var valueOfNothing: Wrapper? { empty() }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Wrapper {
        if session.view.isNull(place.word), let value = empty() { return value }
        return holding(try wrapped.decode(session, at: place))
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapper {
        guard let value = empty() else { return holding(try wrapped.decode(session, ordinal, name)) }
        return try wrapped.decodeIfPresent(session, ordinal, name).map(holding) ?? value
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapper? {
        try wrapped.decodeIfPresent(session, ordinal, name).map(holding)
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapper {
        try empty() ?? holding(wrapped.decodeAbsent(session, ordinal, name))
    }
}

/// Writes a property wrapper to the place of its value.
class WrapperWriter<Wrapper, Wrapped>: PropertyWriter<Wrapper> {
    final let wrapped: PropertyWriter<Wrapped>
    private let value: (Wrapper) -> Wrapped?

    /// - Parameter value: Returns the value; nil if there is none.
    init(_ wrapped: PropertyWriter<Wrapped>, _ value: @escaping (Wrapper) -> Wrapped?) {
        self.wrapped = wrapped
        self.value = value
    }

    override var writesAttributes: Bool { wrapped.writesAttributes }

    override var relationship: RelationshipKind? { wrapped.relationship }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, _ sink: ValueSink) throws {
        if let value = value(wrapper) { try wrapped.write(value, session, sink) } else { sink.output.null() }
    }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, as name: KnownName) throws {
        if let value = value(wrapper) { try wrapped.write(value, session, as: name) } else { try writeNothing(session, as: name) }
    }

    override func write(_ wrapper: Wrapper, _ session: EncodingSession, at segments: [String]) throws {
        if let value = value(wrapper) { return try wrapped.write(value, session, at: segments) }
        if session.options.nilEncodingStrategy == .null { session.sink(at: segments).output.null() }
    }

    /// Does what an optional property that is nil does.
    final func writeNothing(_ session: EncodingSession, as name: KnownName) throws {
        if !writesAttributes || session.writesNulls { try writeNil(session, as: name) }
    }
}

// MARK: - @Embedded

extension Embedded: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? {
        { WrapperPlan<Embedded, Reference>($0.plan(for: Reference.self), holding: { Embedded(projectedValue: $0) }) }
    }

    static var writerMaker: WriterFactory.Maker? {
        { WrapperWriter<Embedded, Reference>($0.writer(for: Reference.self)) { $0.projectedValue } }
    }
}

extension Embedded: ReferenceType where Reference: ReferenceType {
    package static var targetType: any ResourceRepresentable.Type { Reference.targetType }
    package static var isToMany: Bool { Reference.isToMany }
}

// MARK: - @Alternatives

/// A wrapper that is read from one of several members.
protocol AlternativesType {
    static var otherNames: [String] { get }
}

extension Alternatives: TransparentWrapper, AlternativesType {
    static var wrappedType: Any.Type { Source.Value.self }
    static var otherNames: [String] { Source.names }
}

extension Alternatives: PlannedWrapper where Source.Value: Decodable {
    static var planMaker: PlanFactory.Maker? {
        { WrapperPlan<Alternatives, Source.Value>($0.plan(for: Source.Value.self), holding: { Alternatives(wrappedValue: $0) }) }
    }
}

extension Alternatives: WrittenWrapper where Source.Value: Encodable {
    static var writerMaker: WriterFactory.Maker? {
        { WrapperWriter<Alternatives, Source.Value>($0.writer(for: Source.Value.self)) { $0.wrappedValue } }
    }
}

// MARK: - @Default

extension Default: TransparentWrapper {
    static var wrappedType: Any.Type { Source.Value.self }
}

extension Default: PlannedWrapper where Source.Value: Decodable {
    static var planMaker: PlanFactory.Maker? {
        {
            WrapperPlan<Default, Source.Value>(
                $0.plan(for: Source.Value.self), holding: { Default(wrappedValue: $0) }, empty: { Default(read: nil) })
        }
    }
}

/// Writes `@Default<NoPeople> var people: [Person]`. The default of a relationship that was not loaded is left out, like nil.
final class DefaultWriter<Source: DefaultSource>: WrapperWriter<Default<Source>, Source.Value> {
    override func write(_ wrapper: Default<Source>, _ session: EncodingSession, as name: KnownName) throws {
        guard let relationship, wrapper.state != .given else { return try super.write(wrapper, session, as: name) }
        if wrapper.state == .assumed { return try writeNothing(session, as: name) }
        if relationship == .toMany, !session.isCreation, session.wants(name.text) {
            throw EncodingFailure.editedUnloaded(
                at: session.pointer(["relationships", name.text]), resource: session.identified, "assign an array of")
        }
        try super.write(wrapper, session, as: name)
    }

    override func write(_ wrapper: Default<Source>, _ session: EncodingSession, at segments: [String]) throws {
        guard relationship != nil, wrapper.state != .given, let name = segments.linkedName else {
            return try super.write(wrapper, session, at: segments)
        }
        try write(wrapper, session, as: session.known(name))
    }
}

extension Default: WrittenWrapper where Source.Value: Encodable {
    static var writerMaker: WriterFactory.Maker? { { DefaultWriter<Source>($0.writer(for: Source.Value.self)) { $0.wrappedValue } } }
}

// MARK: - @Lossy

extension Lossy: TransparentWrapper {
    static var wrappedType: Any.Type { Value.self }
}

/// Reads `@Lossy var height: Int?` in generic code. Elsewhere, the method of the container for `Lossy` does the same.
final class LossyPlan<Wrapped: Decodable>: WrapperPlan<Lossy<Wrapped>, Wrapped> {
    private let unread: PropertyPlan<UnreadMember<Wrapped>>

    init(_ wrapped: PropertyPlan<Wrapped>, _ unread: PropertyPlan<UnreadMember<Wrapped>>) {
        self.unread = unread
        super.init(wrapped, holding: { Lossy(wrappedValue: $0) }, empty: { Lossy(wrappedValue: nil) })
    }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Lossy<Wrapped> {
        do { return Lossy(wrappedValue: try wrapped.decode(session, at: place)) } catch {
            // Some types read null themselves. For others it is the absence of a value, and not one that was not read.
            if session.view.isNull(place.word) { return Lossy(wrappedValue: nil) }
            return Lossy(unread: try unread.decode(session, at: place).value)
        }
    }

    override func decode(_ session: DecodingSession, member place: ValuePlace) throws -> Lossy<Wrapped> {
        if session.view.isNull(place.word), !wrapped.readsNull { return Lossy(wrappedValue: nil) }
        return try decode(session, at: place)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Lossy<Wrapped> {
        func kept() -> UnreadValue? { (try? unread.decodeIfPresent(session, ordinal, name))?.value }
        do {
            let value = try super.decode(session, ordinal, name)
            // The resources of a relationship may be missing.
            guard value.wrappedValue == nil, readsRelationships, let linked = kept(), linked.isLinked else { return value }
            return Lossy(unread: linked)
        } catch {
            return Lossy(unread: kept())
        }
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Lossy<Wrapped>? {
        let value = try decode(session, ordinal, name)
        return value.wrappedValue == nil && value.unread == nil ? nil : value
    }
}

extension Lossy: PlannedWrapper where Value: Decodable {
    static var planMaker: PlanFactory.Maker? { { LossyPlan<Value>($0.plan(for: Value.self), $0.plan(for: UnreadMember<Value>.self)) } }
}

/// Writes `@Lossy var height: Int?`.
final class LossyWriter<Wrapped>: WrapperWriter<Lossy<Wrapped>, Wrapped> {
    private let unread = UnreadValueWriter()

    override func write(_ value: Lossy<Wrapped>, _ session: EncodingSession, _ sink: ValueSink) throws {
        if let kept = value.unread { try unread.write(kept, session, sink) } else { try super.write(value, session, sink) }
    }

    override func write(_ value: Lossy<Wrapped>, _ session: EncodingSession, as name: KnownName) throws {
        if let kept = value.unread { try unread.write(kept, session, as: name) } else { try super.write(value, session, as: name) }
    }

    override func write(_ value: Lossy<Wrapped>, _ session: EncodingSession, at segments: [String]) throws {
        if let kept = value.unread { try unread.write(kept, session, at: segments) } else { try super.write(value, session, at: segments) }
    }
}

extension Lossy: WrittenWrapper where Value: Encodable {
    static var writerMaker: WriterFactory.Maker? { { LossyWriter<Value>($0.writer(for: Value.self)) { $0.wrappedValue } } }
}

/// Reads what is at the place of a value that a property wrapper could not decode.
final class UnreadMemberPlan<Wrapped: Decodable>: PropertyPlan<UnreadMember<Wrapped>> {
    private let wrapped: PropertyPlan<Wrapped>

    init(_ wrapped: PropertyPlan<Wrapped>) { self.wrapped = wrapped }

    override var readsRelationships: Bool { wrapped.readsRelationships }
    override var isWrittenAtPaths: Bool { wrapped.isWrittenAtPaths }

    override var readsAttributes: Bool { wrapped.readsAttributes }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> UnreadMember<Wrapped> {
        member(session, place.word, nil)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> UnreadMember<Wrapped>? {
        if let marker = PropertyRole.markerType(Wrapped.self) {
            let word = marker.word(session.entries[ordinal], session.view)
            return word == 0 ? nil : member(session, word, marker.memberName)
        }
        if readsRelationships, let word = session.relationship(name, of: ordinal) ?? session.relationship(atPath: name.text, of: ordinal) {
            return session.received(session.json(at: word)).map { UnreadMember(UnreadValue($0, isPart: false, in: "relationships")) }
        }
        return try super.decodeIfPresent(session, ordinal, name)
    }

    private func member(_ session: DecodingSession, _ word: Int, _ group: String?) -> UnreadMember<Wrapped> {
        UnreadMember(UnreadValue(session.json(at: word), isPart: false, in: group))
    }
}

extension UnreadMember: PlannedWrapper {
    static var planMaker: PlanFactory.Maker? { { UnreadMemberPlan<Value>($0.plan(for: Value.self)) } }
}

/// Writes a value that a property wrapper could not decode, and notes its place for a patch.
final class UnreadValueWriter: PropertyWriter<UnreadValue> {
    override func write(_ value: UnreadValue, _ session: EncodingSession, _ sink: ValueSink) throws {
        if session.clearsRelationships { session.extras.unread.append(UnreadPlace(sink, isPart: value.isPart)) }
        try session.writeTree(value.json, into: sink)
    }

    override func write(_ value: UnreadValue, _ session: EncodingSession, as name: KnownName) throws {
        guard let group = value.group else { return try super.write(value, session, as: name) }
        let isRelationship = group == "relationships"
        // A patch never clears it.
        if isRelationship, session.clearsRelationships { return try session.writeCleared(.any, as: name) }
        guard group != "lid", let members = value.json.object else {
            throw session.failure(
                .wrongPlace, at: isRelationship ? [group, name.text] : [group], expected: group == "lid" ? "a string" : "an object",
                found: value.json.kindName, advice: "the document has this value, which @Lossy kept: assign another one to the property")
        }
        switch group {
        case "meta": session.extras.meta = value.json
        case "links": session.extras.links = value.json
        default: try RelationshipObjectWriter().write(RelationshipObject(members: members), session, as: name)
        }
    }

    override func write(_ value: UnreadValue, _ session: EncodingSession, at segments: [String]) throws {
        guard value.group != nil, let name = segments.last else { return try super.write(value, session, at: segments) }
        try write(value, session, as: session.known(name))
    }
}

// MARK: - Presence

extension Presence: TransparentWrapper {
    static var wrappedType: Any.Type { Value.self }
}

/// Reads `Presence`. The type of the value selects the member that is absent or null.
final class PresencePlan<Wrapped>: WrapperPlan<Presence<Wrapped>, Wrapped> {
    private let isToMany = PropertyRole.relationship(Wrapped.self)?.isToMany
    private let isMarker = PropertyRole.marker(Wrapped.self) != nil

    init(_ wrapped: PropertyPlan<Wrapped>) { super.init(wrapped, holding: { .value($0) }, empty: { .absent }) }

    override var readsNull: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Presence<Wrapped> {
        session.view.isNull(place.word) ? .null : .value(try wrapped.decode(session, at: place))
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Presence<Wrapped> {
        // Meta, links and a lid cannot be null in a document that is written.
        if isMarker { return try wrapped.decodeIfPresent(session, ordinal, name).map { .value($0) } ?? .absent }
        if readsRelationships, let relationship = try session.relationshipEntry(name, of: ordinal) {
            // Without linkage the relationship is not loaded; a reference still has the links.
            if relationship.data == 0 { return try wrapped.decodeIfPresent(session, ordinal, name).map { .value($0) } ?? .absent }
            let isNull =
                switch isToMany {
                // Null is an error, or read as empty.
                case true?: false
                // Also an empty array, in lenient mode.
                case false?: try !session.view.isObject(relationship.data) && session.toOneIdentifier(relationship) == nil
                case nil: session.view.isNull(relationship.data)
                }
            return isNull ? .null : .value(try wrapped.decode(session, ordinal, name))
        }
        // An attribute of that name is no relationship, even if it is null.
        if readsRelationships, try !name.hasDot || session.plainPlace(name, of: ordinal) == nil {
            return try wrapped.decodeIfPresent(session, ordinal, name).map { .value($0) } ?? .absent
        }
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return try decode(session, at: place)
        case .identity(let word): return .value(try wrapped.decodeIdentity(session, at: word))
        case .absent(let word):
            if readsAttributes { try session.checkNotElsewhere(name, of: ordinal, Wrapped.self, after: word) }
            return .absent
        }
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Presence<Wrapped>? {
        try decode(session, ordinal, name)
    }
}

extension Presence: PlannedWrapper where Value: Decodable {
    static var planMaker: PlanFactory.Maker? { { PresencePlan<Value>($0.plan(for: Value.self)) } }
}

/// Writes `Presence` in generic code. Elsewhere, the method of the container for `Presence` does the same.
final class PresenceWriter<Wrapped: Encodable>: WrapperWriter<Presence<Wrapped>, Wrapped> {
    override func noteOmitted(_ name: String, _ session: EncodingSession, _ sink: ValueSink) { session.noteAbsent([name], in: sink) }

    override func write(_ presence: Presence<Wrapped>, _ session: EncodingSession, as name: KnownName) throws {
        switch presence {
        case .absent: session.noteAbsent(name.text, Wrapped.self)
        case .null: try StatedNullWriter(wrapped).write(StatedNull(), session, as: name)
        case .value(let value): try wrapped.write(value, session, as: name)
        }
    }

    override func write(_ presence: Presence<Wrapped>, _ session: EncodingSession, at segments: [String]) throws {
        switch presence {
        case .absent: session.noteAbsent(at: segments)
        case .null: try StatedNullWriter(wrapped).write(StatedNull(), session, at: segments)
        case .value(let value): try wrapped.write(value, session, at: segments)
        }
    }
}

extension Presence: WrittenWrapper where Value: Encodable {
    static var writerMaker: WriterFactory.Maker? { { PresenceWriter<Value>($0.writer(for: Value.self)) { $0.value } } }
}

// MARK: - @LossyArray, @LossyDictionary, @ConvertedIfPresent, @ConvertedAsRead

// With `Codable`, the methods of the containers for these wrappers do the same.

extension LossyArray: PlannedWrapper where Element: Decodable {
    static var planMaker: PlanFactory.Maker? { { _ in CodablePlan(ofNothing: LossyArray(wrappedValue: [])) } }
}

extension LossyDictionary: PlannedWrapper where Value: Decodable {
    static var planMaker: PlanFactory.Maker? { { _ in CodablePlan(ofNothing: LossyDictionary(wrappedValue: [:])) } }
}

/// Writes `@DateFormatIfPresent<Day> var dueOn: Date?` and `@DecimalText var total: Decimal?`. Nil is like the nil of any other property.
final class OmittedWrapperWriter<Wrapper: Encodable & OmittedWrapper>: CodableWriter<Wrapper> {
    override func write(_ value: Wrapper, _ session: EncodingSession, as name: KnownName) throws {
        if !value.isOmitted || session.writesNulls { try super.write(value, session, as: name) }
    }

    override func write(_ value: Wrapper, _ session: EncodingSession, at segments: [String]) throws {
        if !value.isOmitted || session.writesNulls { try super.write(value, session, at: segments) }
    }
}

extension ConvertedIfPresent: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { _ in CodablePlan(ofNothing: ConvertedIfPresent(wrappedValue: nil)) } }

    static var writerMaker: WriterFactory.Maker? { { _ in OmittedWrapperWriter<ConvertedIfPresent>() } }
}

extension ConvertedAsRead: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { _ in CodablePlan(ofNothing: ConvertedAsRead(wrappedValue: nil)) } }

    static var writerMaker: WriterFactory.Maker? { { _ in OmittedWrapperWriter<ConvertedAsRead>() } }
}

extension Embedded: PlaceholderWrapper where Reference: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        (Reference.placeholder(placeholder, depth: depth) as? Reference).map { Embedded(projectedValue: $0) }
    }
}
