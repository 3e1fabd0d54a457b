import JSONText

/// The links of a document, a resource, a relationship or an error, by name.
///
/// ```swift
/// let links: Links = ["self": "/articles?page=1", "prev": .null]
/// links.`self`?.href  // "/articles?page=1"
/// links.prev?.isNull  // true: the member says that there is no such page
/// links.next          // nil: there is no such member
/// ```
///
/// Iterating visits every link in order, also links with names that the specification does not define. It skips @-members, members of
/// extensions and values that are not links; `members` has them all.
///
/// The name `self` needs backticks: `links.self` is the `Links` value itself, as everywhere in Swift.
///
/// https://jsonapi.org/format/1.1/#document-links
public struct Links: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) {
        self.members = members
    }

    /// Creates links with the given names, in order.
    public init(_ links: some Sequence<(name: String, link: DocumentLink)>) {
        self.init(members: JSONObject(members: links.lazy.map { .init(name: $0.name, value: $0.link.json) }))
    }

    /// Creates a view of an object; nil for any other value. An empty array is read as an empty object, because PHP writes empty maps that
    /// way.
    public init?(json: JSON) {
        guard let members = JSONObject(json: json) else { return nil }
        self.init(members: members)
    }

    /// The link with the given name; nil when there is no such member, or when its value is not a link. A null member is read as
    /// `DocumentLink.null`.
    ///
    /// Setting replaces the link in place, or adds it at the end. Setting nil removes it.
    public subscript(name: String) -> DocumentLink? {
        get { members[value: name] }
        set { members[value: name] = newValue }
        _modify { yield &members[value: name] }
    }
}

extension Links: ExpressibleByDictionaryLiteral {
    /// Creates links with the given names, in order.
    public init(dictionaryLiteral elements: (String, DocumentLink)...) {
        // `Links()` is this initializer, too.
        if elements.isEmpty {
            self.init(members: JSONObject())
        } else {
            self.init(members: JSONObject(members: elements.lazy.map { .init(name: $0.0, value: $0.1.json) }))
        }
    }
}

// MARK: - Links of the specification

extension Links {
    /// The address of this document, resource or relationship.
    ///
    /// https://jsonapi.org/format/1.1/#document-links
    public var `self`: DocumentLink? {
        get { members[value: "self"] }
        set { members[value: "self"] = newValue }
        _modify { yield &members[value: "self"] }
    }

    /// The address of the related resources, for a relationship or the document of one.
    ///
    /// https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links
    public var related: DocumentLink? {
        get { members[value: "related"] }
        set { members[value: "related"] = newValue }
        _modify { yield &members[value: "related"] }
    }

    /// A description of the document, such as a schema.
    ///
    /// https://jsonapi.org/format/1.1/#document-top-level
    public var describedby: DocumentLink? {
        get { members[value: "describedby"] }
        set { members[value: "describedby"] = newValue }
        _modify { yield &members[value: "describedby"] }
    }

    /// The first page of a collection.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-pagination
    public var first: DocumentLink? {
        get { members[value: "first"] }
        set { members[value: "first"] = newValue }
        _modify { yield &members[value: "first"] }
    }

    /// The last page of a collection.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-pagination
    public var last: DocumentLink? {
        get { members[value: "last"] }
        set { members[value: "last"] = newValue }
        _modify { yield &members[value: "last"] }
    }

    /// The previous page; `DocumentLink.null` says that there is none.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-pagination
    public var prev: DocumentLink? {
        get { members[value: "prev"] }
        set { members[value: "prev"] = newValue }
        _modify { yield &members[value: "prev"] }
    }

    /// The next page; `DocumentLink.null` says that there is none.
    ///
    /// https://jsonapi.org/format/1.1/#fetching-pagination
    public var next: DocumentLink? {
        get { members[value: "next"] }
        set { members[value: "next"] = newValue }
        _modify { yield &members[value: "next"] }
    }

    /// More information about this occurrence of an error.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var about: DocumentLink? {
        get { members[value: "about"] }
        set { members[value: "about"] = newValue }
        _modify { yield &members[value: "about"] }
    }

    /// More information about errors of this kind.
    ///
    /// https://jsonapi.org/format/1.1/#error-objects
    public var type: DocumentLink? {
        get { members[value: "type"] }
        set { members[value: "type"] = newValue }
        _modify { yield &members[value: "type"] }
    }

    /// The members that the specification does not define here, in order, without @-members and members of extensions.
    /// The specification tells readers to ignore them.
    ///
    /// https://jsonapi.org/format/1.1/#document-structure
    /// - Complexity: O(n), n = members.
    public var unknownMembers: JSONObject { members.unknownMembers(besides: Self.definedNames) }

    /// Whether they lead to another page of the same collection.
    package var hasFurtherPages: Bool { [next, prev].contains { $0?.hasTarget == true } }

    /// The links without those to the pages of a collection; nil when no other link is left.
    package var withoutPages: Links? {
        var links = self
        for name in Self.pageNames { links.members[name] = nil }
        return links.members.isEmpty ? nil : links
    }

    /// The names of links to pages of a collection.
    package static let pageNames = ["first", "last", "prev", "next"]

    private static let definedNames: [StaticString] = [
        "self", "related", "describedby", "first", "last", "prev", "next", "about", "type",
    ]
}

// MARK: - Sequence

extension Links: Sequence {
    /// Iterates over the links in order.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate let members: JSONObject
        fileprivate var position = 0

        /// Returns the next link and its name; nil at the end.
        public mutating func next() -> (name: String, link: DocumentLink)? {
            members.nextPlain(DocumentLink.self, &position).map { (name: $0.name, link: $0.value) }
        }
    }

    /// Returns an iterator over the links, in order.
    public func makeIterator() -> Iterator { Iterator(members: members) }

    /// The names of all links, in order.
    ///
    /// - Complexity: O(n), n = members.
    public var names: [String] { map(\.name) }
}
