/// A coding key made from text or a number, for paths in errors.
package struct PathKey: CodingKey {
    package let stringValue: String
    package let intValue: Int?
    package init(_ name: String) {
        stringValue = name
        intValue = nil
    }
    package init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { self.init(index: intValue) }
}
