/// A property wrapper that prints as its value, so that a model prints its values and not the forms in which they are read.
protocol PrintedWrapper: CustomStringConvertible {
    associatedtype Printed
    var wrappedValue: Printed { get }
}

extension PrintedWrapper {
    /// The wrapped value.
    public var description: String { String(reflecting: wrappedValue) }
}

extension Alternatives: PrintedWrapper {}
extension Converted: PrintedWrapper {}
extension ConvertedAsRead: PrintedWrapper {}
extension ConvertedIfPresent: PrintedWrapper {}
extension Default: PrintedWrapper {}
extension EmptyAsNil: PrintedWrapper {}
extension Lossy: PrintedWrapper {}
extension LossyArray: PrintedWrapper {}
extension LossyDictionary: PrintedWrapper {}
extension Nested: PrintedWrapper {}
extension NestedIfPresent: PrintedWrapper {}
