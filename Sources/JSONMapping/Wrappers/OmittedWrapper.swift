/// A property wrapper whose method of a container writes nothing for some values, for code that writes members without such a container.
package protocol OmittedWrapper {
    /// Whether the member is left out.
    var isOmitted: Bool { get }
}

extension Presence: OmittedWrapper {
    package var isOmitted: Bool { isAbsent }
}

extension Lossy: OmittedWrapper {
    package var isOmitted: Bool { wrappedValue == nil && unread == nil }
}

extension EmptyAsNil: OmittedWrapper {
    package var isOmitted: Bool { wrappedValue == nil && emptyForm == .missing }
}

extension NestedIfPresent: OmittedWrapper {
    package var isOmitted: Bool { wrappedValue == nil }
}

extension ConvertedIfPresent: OmittedWrapper {
    package var isOmitted: Bool { wrappedValue == nil }
}

extension ConvertedAsRead: OmittedWrapper {
    package var isOmitted: Bool { wrappedValue == nil && projectedValue == nil }
}
