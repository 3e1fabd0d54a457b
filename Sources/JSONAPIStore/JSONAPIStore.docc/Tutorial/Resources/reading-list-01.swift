import Foundation
import JSONAPICodec
import JSONAPIStore

struct Person: Resource {
    static let type = "people"
    var id: String
    var name: String
}
