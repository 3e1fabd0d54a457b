public import Foundation

/// The document for preparing works.
public struct Input: Sendable {
    public let name: String
    public let text: Data
    /// Whether `data` is one resource instead of an array.
    public let isSingle: Bool

    public init(name: String, text: Data) {
        self.name = name
        self.text = text
        isSingle = name == "small"
    }

    public init(_ workload: Workload) { self.init(name: workload.name, text: workload.text()) }
}

// MARK: - Counts

extension Input {
    /// The size of a hostile document; nil for any other.
    public var hostileSize: Int? { HostileFamily.parse(name)?.size }
}

extension Input {
    public struct Counts: Sendable {
        /// The number of resource objects in `data` and `included`, or the units of a hostile document.
        public let resources: Int
        /// The number of resource identifiers in linkage.
        public let references: Int
        /// The number of references that the work that follows all references follows. Two references to the same resource count twice.
        public let followed: Int
    }

    /// Counted in the text: every generated resource has attributes, and only resources and identifiers have a type.
    public func counts() -> Counts {
        if let size = hostileSize { return Counts(resources: size, references: 0, followed: 0) }
        let resources = occurrences(of: "\"attributes\"")
        let references = occurrences(of: "\"type\"") - resources
        return Counts(resources: resources, references: references, followed: Shape.named(name)?.followed ?? references)
    }

    private func occurrences(of word: String) -> Int {
        let word = Array(word.utf8)
        return text.withUnsafeBytes { bytes in
            var count = 0
            var i = 0
            while i + word.count <= bytes.count {
                if bytes[i] == word[0], word.indices.allSatisfy({ bytes[i + $0] == word[$0] }) { count += 1 }
                i += 1
            }
            return count
        }
    }
}
