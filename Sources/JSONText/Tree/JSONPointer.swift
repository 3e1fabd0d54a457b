public struct JSONPointer: Sendable, Hashable { public var tokens: [String]; public init(_ t: [String] = []) { tokens = t } }
