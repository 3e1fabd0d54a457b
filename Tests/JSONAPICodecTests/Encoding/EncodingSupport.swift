import Foundation
import JSONAPICodec
import JSONText

// Models that the tests of encoding and building share.

struct Writer: Resource, Equatable {
    static let type = "people"
    var id: String
    var firstName: String
    var twitter: String?
}

struct Remark: Resource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var author: Writer?
}

struct Team: Resource, Equatable {
    static let type = "teams"
    var id: String
    var name: String
}

enum Contributor: ResourceUnion, Equatable {
    case person(Writer)
    case team(Team)
    case unknown(ResourceObject)

    static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.team)]

    var resource: any ResourceRepresentable {
        switch self {
        case .person(let person): person
        case .team(let team): team
        case .unknown(let object): object
        }
    }
}

struct Story: Resource, Equatable {
    static let type = "articles"
    var id: String
    var title: String
    var subtitle: String?
    var author: ToOne<Writer>
    var editor: Writer?
    var comments: [Remark] = []
    var reviewers: ToMany<Contributor> = .notLoaded
}

extension JSONAPIEncoder {
    /// The document as a JSON value.
    func tree(_ body: some DocumentBody) throws -> JSON { try JSON(parsing: encode(body)) }

    /// The document as text.
    func text(_ body: some DocumentBody) throws -> String { String(decoding: try encode(body), as: UTF8.self) }

    /// The document as text.
    func text<Primary: PrimaryValue>(
        _ value: Primary, include: IncludePaths = .all, fields: [String: [String]] = [:]
    ) throws -> String {
        String(decoding: try encode(value, include: include, fields: fields), as: UTF8.self)
    }
}

/// The failure in the error that `body` throws.
func encodingFailure(_ body: () throws -> Void) -> EncodingFailure? {
    do {
        try body()
        return nil
    } catch let error as EncodingError {
        return error.failure
    } catch {
        return nil
    }
}
