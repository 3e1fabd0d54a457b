import Foundation
import JSONText

/// An OpenAPI description, version 3.0 or 3.1, in JSON.
///
/// <https://spec.openapis.org/oas/v3.1.0>
package struct OpenAPIDocument {
    let root: JSON

    /// The reason why no models can be generated from a JSON text. The message says what to change.
    package struct Problem: Error {
        package let message: String
    }

    /// Whether the JSON looks like an OpenAPI description of any version.
    package static func isDescription(_ json: JSON) -> Bool {
        ["openapi", "swagger"].contains { json[$0]?.string != nil || json[$0] != nil && json["paths"] != nil }
    }

    /// Creates a description. Throws `Problem` for another version.
    package init(_ root: JSON) throws {
        if let version = root["openapi"], version.string == nil {
            throw Problem(message: "expected the version in `openapi` as a string such as \"3.1.0\", found \(version.kindName)")
        }
        guard let version = root["openapi"]?.string else {
            throw Problem(message: "it is Swagger 2.0; convert it to OpenAPI 3 first, for example with `npx swagger2openapi`")
        }
        guard version.utf8.starts(with: "3.".utf8) else {
            throw Problem(message: "expected OpenAPI 3.0 or 3.1, found version \(SwiftText.shown(version))")
        }
        self.root = root
    }

    /// Whether a text begins like an OpenAPI description in YAML.
    package static func isYAML(_ text: some Collection<UInt8>) -> Bool {
        let lines = String(decoding: text.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
        let names = ["openapi:", "swagger:", "\"openapi\":", "'openapi':"]
        return lines.prefix(60).contains { line in names.contains { line.hasPrefix($0) } }
    }

    /// How to convert YAML to JSON.
    package static let yamlAdvice = "it is YAML; convert it first, for example with `yq -o=json openapi.yaml > openapi.json`"

    /// Returns the value that a reference within the document refers to; nil for any other reference.
    func target(of reference: String) -> JSON? {
        guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
        let fragment = String(reference.dropFirst())
        let text = fragment.utf8.contains(UInt8(ascii: "%")) ? fragment.removingPercentEncoding ?? fragment : fragment
        guard let pointer = try? JSONPointer(parsing: text) else { return nil }
        return root[pointer: pointer]
    }

    /// The references that `target(of:)` cannot follow, each once, and at most ten.
    ///
    /// - Complexity: O(n), n = size of the description.
    var deadReferences: [String] {
        var dead: [String] = []
        var known: Set<String> = []
        var rest = [root]
        while let json = rest.popLast(), dead.count < 10 {
            if let reference = json["$ref"]?.string, known.insert(reference).inserted, target(of: reference) == nil {
                dead.append(reference)
            }
            rest += (json.object ?? [:]).map(\.value) + Array(json.array ?? [])
        }
        return dead.sorted()
    }

    /// Returns an object that can be given by reference, such as a parameter or a response.
    func resolved(_ json: JSON?) -> JSON? {
        var json = json
        for _ in 0..<16 {
            guard let reference = json?["$ref"]?.string else { return json }
            json = target(of: reference)
        }
        return nil
    }

    /// The schemas under `components`, with the references to them.
    var componentSchemas: [(reference: String, schema: JSON)] {
        (root["components"]?["schemas"]?.object ?? [:]).map { member in
            ("#" + JSONPointer("components", "schemas", member.name).description, member.value)
        }
    }
}
