import JSONAPIRules
import JSONText

// Meta information and the JSON:API object: https://jsonapi.org/format/1.1/#document-meta

extension ValidationRule {
    static let metaObject = ValidationRule("document-structure/meta/object", .must, "document-meta", "`meta` is an object.")
    static let jsonapiObject = ValidationRule(
        "document-structure/jsonapi-object/object", .must, "document-jsonapi-object", "`jsonapi` is an object.")
    static let versionString = ValidationRule(
        "document-structure/jsonapi-object/version-string", .must, "document-jsonapi-object", "`version` of `jsonapi` is a string.")
    static let extensionURIs = ValidationRule(
        "document-structure/jsonapi-object/ext-array-of-uris", .must, "document-jsonapi-object", "`ext` of `jsonapi` is an array of URIs.")
    static let profileURIs = ValidationRule(
        "document-structure/jsonapi-object/profile-array-of-uris", .must, "document-jsonapi-object",
        "`profile` of `jsonapi` is an array of URIs.")

    static let metaAndVersion = [metaObject, jsonapiObject, versionString, extensionURIs, profileURIs]
}

/// What a meta object is about, which a profile may care for.
enum MetaPlace {
    /// The document or a relationship: what may be a page of a collection.
    case collection
    /// A resource object or identifier.
    case item
    case error
    case other
}

extension DocumentCheck {
    /// Its members are free. Whether their names are, is contested.
    mutating func checkMeta(_ meta: Int, of place: MetaPlace, _ rule: ValidationRule = .metaObject) {
        guard view.isObject(meta) else { return reportKind(rule, at: meta, "`meta`", "an object") }
        for (name, value) in members(of: meta) {
            _ = checkChosenName(name, value, isContested: true)
            if appliesCursorPagination, view.string(at: name, equals: "page") { checkPage(value, of: place) }
        }
    }

    /// <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    mutating func checkJSONAPIObject(_ object: Int) {
        guard view.isObject(object) else { return reportKind(.jsonapiObject, at: object, "`jsonapi`", "an object") }
        for (name, value) in members(of: object) {
            if view.string(at: name, equals: "version") {
                _ = checkString(value, .versionString, "`version`")
            } else if view.string(at: name, equals: "ext") {
                checkURIs(value, .extensionURIs, "`ext`")
            } else if view.string(at: name, equals: "profile") {
                checkURIs(value, .profileURIs, "`profile`")
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .other)
            } else {
                _ = checkOther(name, value, in: "the `jsonapi` object", defined: DefinedMembers.jsonapi)
            }
        }
    }

    private mutating func checkURIs(_ array: Int, _ rule: ValidationRule, _ what: String) {
        guard view.isArray(array) else { return reportKind(rule, at: array, what, "an array of URIs") }
        for element in elements(of: array) {
            guard checkString(element, rule, "an element of \(what)") else { continue }
            if !URIText(view, element).isURI {
                report(rule, at: element, "an element of \(what) that is no URI", "write it with its scheme")
            }
        }
    }
}
