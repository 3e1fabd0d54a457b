import Foundation
import JSONAPICodec
import JSONMapping
import JSONText

/// Resources of the type "voyages".
struct Voyage: Resource, RestrictedFields {
    static let type = "voyages"
    static let readOnlyFields = ["distance", "witnesses"]
    var id: String
    var title: String
    /// Read-only.
    var distance: Double
    var passengers: Int
    var isOver: Bool
    var startedAt: Date
    @EmptyAsNil var endedAt: Date? = nil
    @EmptyAsNil var logbook: URL? = nil
    var tags: [String]
    var depths: [String: Int]
    var position: Position
    @EmptyAsNil var stops: [Position]? = nil
    var state: State
    @EmptyAsNil var notes: JSON? = nil
    var captain: ToOne<Sailor> = .notLoaded
    var crew: ToMany<Sailor> = .notLoaded
    var start: ToOne<Harbor> = .notLoaded
    /// Read-only.
    var witnesses: ToMany<VoyageWitness> = .notLoaded
    var links: ResourceLinks = ResourceLinks()
    var meta: ResourceMeta<Revision>?

    nonisolated enum State: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        case planned
        case sailing
        /// A value that the description does not list.
        case unknown(String)

        static let allCases: [State] = [
            .planned,
            .sailing,
        ]

        init(rawValue: String) {
            switch rawValue {
            case "planned": self = .planned
            case "sailing": self = .sailing
            default: self = .unknown(rawValue)
            }
        }

        var rawValue: String {
            switch self {
            case .planned: "planned"
            case .sailing: "sailing"
            case .unknown(let value): value
            }
        }
    }
}

/// Resources of several types; those of any other are kept as they are.
nonisolated enum VoyageWitness: ResourceUnion {
    case sailor(Sailor)
    case harbor(Harbor)
    case unknown(ResourceObject)

    static let members: [UnionMember<VoyageWitness>] = [
        .init(VoyageWitness.sailor),
        .init(VoyageWitness.harbor),
    ]

    var resource: any ResourceRepresentable {
        switch self {
        case .sailor(let value): value
        case .harbor(let value): value
        case .unknown(let value): value
        }
    }
}

/// Resources of the type "sailors".
struct Sailor: Resource {
    static let type = "sailors"
    var id: String
    var name: String
    var voyages: ToMany<Voyage> = .notLoaded
}

/// Resources of the type "harbors".
struct Harbor: Resource {
    static let type = "harbors"
    var id: String
    var name: String
    @EmptyAsNil var position: Position? = nil
}

struct Position: nonisolated Codable, Hashable, Sendable {
    var latitude: Double
    var longitude: Double
    @EmptyAsNil var name: String? = nil
}

nonisolated struct Revision: Codable, Hashable, Sendable {
    var number: Int
}
