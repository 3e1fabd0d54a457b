import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport

/// A JSON object as Foundation has it. The server of these tests shares no code with the library.
typealias Object = [String: Any]

/// A change of a model, and the same change made by hand in the resource object.
struct ServerEdit<Model: Resource> {
    /// The property. Only one edit of each property is made at a time.
    let property: String
    /// Whether the model knows only a part of what a server replaces, so that a patch without a base must be refused.
    var isPartial = false
    /// Whether the model cannot know that it has only a part, so that a patch without a base is wrong.
    var isBlind = false
    /// Whether JSON:API has no body for the change, so that it must be refused.
    var isImpossible = false
    /// The change by key path, if there is one.
    var path: (@Sendable (Patch<Model>) -> Patch<Model>)?
    let change: (inout Model) -> Void
    let hand: (inout Object) -> Void
}

/// A model with a generator of resources as a server has them.
protocol ServerModel: Resource {
    /// Returns a resource object. With `hidden`, it has parts that the model does not know, everywhere.
    static func resource(_ random: inout SeededRandom, hidden: Bool) -> Object
    static func edits(of model: Self, _ resource: Object, hidden: Bool, _ random: inout SeededRandom) -> [ServerEdit<Self>]
    static var included: [Object] { get }
    static var strategy: KeyStrategy { get }
    /// Whether a server can apply every change to the model itself.
    static var isApplicable: Bool { get }
}

extension ServerModel {
    static var included: [Object] { [] }
    static var strategy: KeyStrategy { .useDefaultKeys }
    static var isApplicable: Bool { true }
}

extension SeededRandom {
    mutating func bool() -> Bool { next() % 2 == 0 }
    mutating func int(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
    mutating func word() -> String { ["a", "é", "line\nbreak", "", "x.y", "ö\"q\""][int(6)] + String(int(50)) }

    /// Returns a value of any shape.
    mutating func anything(_ depth: Int = 0) -> Any {
        switch int(depth > 2 ? 5 : 7) {
        case 0: NSNull()
        case 1: bool()
        case 2: int(1000)
        case 3: 0.5 + Double(int(100))
        case 4: word()
        case 5: (0..<int(3)).map { _ in anything(depth + 1) }
        default: Object(uniqueKeysWithValues: (0..<int(3)).map { ("k\($0)", anything(depth + 1)) })
        }
    }

    /// Returns the object with members that no model knows.
    mutating func hiding(_ object: Object, _ isOn: Bool) -> Object {
        guard isOn else { return object }
        return object.merging(["hidden": anything(), "unknown-member": ["deep": anything()]]) { old, _ in old }
    }

    /// Returns an object without some of the members with the given names, and with null for others.
    mutating func thinned(_ object: Object, _ optional: [String]) -> Object {
        var object = object
        for name in optional {
            switch int(4) {
            case 0: object[name] = nil
            case 1: object[name] = NSNull()
            default: break
            }
        }
        return object
    }

    /// Returns a relationship object in one of the four states, or nil for a relationship that is absent.
    mutating func relationship(toMany: Bool, among ids: [String], type: String, loaded: Bool = false) -> Object? {
        var object: Object = [:]
        if bool() { object["links"] = ["related": "/r/\(int(9))"] }
        if bool() { object["meta"] = ["m": int(9)] }
        let identifiers = ids.filter { _ in bool() }.map { id in hiding(["type": type, "id": id], false) }
        switch loaded ? 2 + int(2) : int(4) {
        case 0: return nil
        case 1: if object.isEmpty { object["links"] = ["related": "/r"] }
        case 2: object["data"] = toMany ? [Object]() : NSNull() as Any
        default: object["data"] = toMany ? identifiers : identifiers.first ?? NSNull() as Any
        }
        return object
    }
}

extension Object {
    /// The value at a path of names. Setting nil removes it. The objects on the path are made when they are missing.
    subscript(path: [String]) -> Any? {
        get { path.dropFirst().reduce(self[path[0]]) { ($0 as? Object)?[$1] } }
        set {
            if path.count == 1 { return self[path[0]] = newValue }
            var inner = self[path[0]] as? Object ?? [:]
            inner[Array(path.dropFirst())] = newValue
            self[path[0]] = inner
        }
    }

    var sortedText: String {
        ((try? JSONSerialization.data(withJSONObject: self, options: [.sortedKeys])).map { String(decoding: $0, as: UTF8.self) }) ?? "?"
    }

    /// Does what the standard says a server does with the body of a PATCH request.
    func patched(by body: Data) throws -> Object {
        let document = try JSONSerialization.jsonObject(with: body) as? Object
        guard let data = document?["data"] as? Object, data["type"] as? String == self["type"] as? String,
            data["id"] as? String == self["id"] as? String
        else { throw CocoaError(.coderInvalidValue) }
        var result = self
        for (name, value) in data["attributes"] as? Object ?? [:] { result[["attributes", name]] = value }
        for (name, value) in data["relationships"] as? Object ?? [:] {
            result[["relationships", name, "data"]] = (value as? Object)?["data"] ?? "no data"
        }
        if let meta = data["meta"] { result["meta"] = meta }
        return result
    }
}
