import JSONText

/// What a document's primary data can be read as: a `Resource`, a `ResourceUnion`, `ResourceObject` or `ResourceIdentifier`,
/// an optional one (`data` may be null), or an array of them. `NoData` is for documents without `data`.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public protocol PrimaryValue: Sendable {
    /// Implemented by this library.
    static func _decode(_ source: PrimarySource) throws -> Self
}

/// Where primary data is read from.
public struct PrimarySource {
    let session: DecodingSession
}

/// The primary data of a document that has none: meta alone, or an extension's members.
public struct NoData: PrimaryValue, Hashable {
    public init() {}
    public static func _decode(_ source: PrimarySource) throws -> NoData { NoData() }
}

/// One element of primary data.
public protocol PrimaryElement: PrimaryValue {
    /// Implemented by this library.
    static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self
}

extension Resource {
    public static func _decode(_ source: PrimarySource) throws -> Self { try source.one(Self.self) }
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self { try source.resource(Self.self, ordinal) }
}

extension ResourceUnion {
    public static func _decode(_ source: PrimarySource) throws -> Self { try source.one(Self.self) }
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self { try source.resource(Self.self, ordinal) }
}

extension ResourceObject: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> Self { try source.one(Self.self) }
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self { try source.resource(Self.self, ordinal) }
}

extension ResourceIdentifier: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> Self { try source.one(Self.self) }
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self {
        let session = source.session
        return session.identifier(try session.identifierEntry(Int(session.entries[ordinal].word)))
    }
}

extension Optional: PrimaryValue where Wrapped: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> Wrapped? {
        let data = try source.data()
        return source.session.view.isNull(data) ? nil : try source.one(Wrapped.self)
    }
}

extension Array: PrimaryValue where Element: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> [Element] { try source.many(Element.self) }
}

extension PrimarySource {
    /// The word of `data`.
    func data() throws -> Int {
        let layout = session.document.layout
        guard layout.data != 0 else {
            throw session.failure(
                .missingMember, at: session.view.root, expected: "the member `data`", found: "a document without it",
                advice: layout.meta != 0 ? "use Document<NoData> for documents with meta alone" : nil)
        }
        return layout.data
    }

    func one<Element: PrimaryElement>(_ type: Element.Type) throws -> Element {
        let data = try data()
        switch session.view.kind(at: data) {
        case .object: return try Element._element(self, 0)
        case .null:
            throw session.failure(
                .unexpectedNull, at: data, expected: "one resource", advice: "ask for \(type)? where there may be none")
        default:
            throw session.failure(
                .cardinality, at: data, expected: "one resource", found: "an array", advice: "ask for [\(type)]")
        }
    }

    func many<Element: PrimaryElement>(_ type: Element.Type) throws -> [Element] {
        let data = try data()
        switch session.view.kind(at: data) {
        case .array: break
        case .null where session.options.leniencies.contains(.nullToMany):
            session.report(.leniency(.nullToMany), at: data, "null for a collection, taken as empty")
            return []
        default:
            throw session.failure(
                .cardinality, at: data, expected: "an array of resources",
                advice: session.view.isObject(data) ? "ask for \(type)" : "set the leniency nullToMany to read it as empty")
        }
        let count = session.document.index.primaryCount
        return try .collecting(atMost: count) { append in
            for ordinal in 0..<count {
                do {
                    append(try Element._element(self, ordinal))
                } catch let error where session.dropsElement(error, at: Int(session.entries[ordinal].word)) {
                    continue
                }
            }
        }
    }

    func resource<Element: ResourceRepresentable>(_ type: Element.Type, _ ordinal: Int) throws -> Element {
        let plan = session.elementPlan(for: type)
        let typeWord = Int(session.entries[ordinal].type)
        guard typeWord == 0 || plan.accepts(session, typeAt: typeWord) else {
            throw session.unexpectedType(at: ordinal, "`\(plan.requiredType ?? "")`")
        }
        return try plan.value(session, ordinal, through: 0)
    }
}
