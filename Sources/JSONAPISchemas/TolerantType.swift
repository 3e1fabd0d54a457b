import JSONAPICodec
import JSONMapping

/// A property wrapper that also reads forms that its schema does not describe.
protocol TolerantType {
    /// The type that reads only what the schema describes.
    static var describedType: any Decodable.Type { get }
}

extension EmptyAsNil: TolerantType where Value: Decodable {
    static var describedType: any Decodable.Type { Value?.self }
}

extension ConvertedAsRead: TolerantType {
    static var describedType: any Decodable.Type { ConvertedIfPresent<Source>.self }
}
