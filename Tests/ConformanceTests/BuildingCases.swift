import Foundation
import JSONAPICodec
import JSONText

/// Golden cases of the request builder: it creates a body from a type, an optional id, attributes, and relationships.
enum BuildingCases {
    static func check(_ seed: SeedCase, _ report: inout Report) throws {
        let input = seed.input.object ?? JSONObject()
        do {
            let body = try JSON(parsing: JSONAPIEncoder().encode(create(input)))
            report.expect(seed, body, equals: seed.expected["value"])
            if let id = text(input["id"]) {
                let update = Patch(
                    type: input["type"]?.string ?? "", id: id, attributes: input["attributes"]?.object,
                    relationships: try relationships(input["relationships"]), meta: input["meta"]?.object)
                report.expect(seed, try JSON(parsing: JSONAPIEncoder().encode(update)), equals: body)
            }
        } catch let error as EncodingError where seed.expected["value"] == nil && error.failure != nil {
            // The case expects an error.
        }
    }

    private static func create(_ input: JSONObject) throws -> Create {
        Create(
            type: input["type"]?.string ?? "", id: text(input["id"]), lid: input["lid"]?.string, attributes: input["attributes"]?.object,
            relationships: try relationships(input["relationships"]), meta: input["meta"]?.object)
    }

    /// Returns nil if no relationships are given. A single relationship need not be in an array; one without data is omitted.
    private static func relationships(_ json: JSON?) throws -> [Relationship]? {
        switch json {
        case nil, .null: nil
        case .array(let array): try array.compactMap { try relationship($0) }
        case let json?: try [relationship(json)].compactMap(\.self)
        }
    }

    private static func relationship(_ json: JSON) throws -> Relationship? {
        guard let name = json["name"]?.string else { throw CaseFolder.Unusable("a relationship without name") }
        for kind in ["toOne", "toMany"] {
            guard let data = json[kind] else { continue }
            guard let linkage = Linkage(json: kind == "toMany" && data == .null ? [] : data) else {
                throw CaseFolder.Unusable("no identifiers in \(kind)")
            }
            return Relationship(name, linkage)
        }
        return nil
    }

    /// An id, or the id for a UUID value.
    private static func text(_ json: JSON?) -> String? {
        if let text = json?["$uuid"]?.string { return UUID(uuidString: text)?.wireText ?? text }
        return json?.string
    }
}
