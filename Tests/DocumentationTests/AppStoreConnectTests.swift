// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPITesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The output of `jsonapi generate` for a description in the style of App Store Connect, with two resource types and two operations.

/// Resources of the type "apps".
struct App: Resource, RestrictedFields {
    static let type = "apps"
    static let readOnlyFields = ["name", "builds"]
    var id: String
    /// Read-only.
    var name: String?
    var bundleId: String?
    var primaryLocale: String?
    /// Read-only.
    var builds: ToMany<Build> = .notLoaded

    /// The fields that an update may have; those that are not given stay as they are.
    struct Update: ResourceFields {
        static let type = "apps"
        var bundleId: String?
        var primaryLocale: String?
    }
}

/// Resources of the type "builds".
struct Build: Resource {
    static let type = "builds"
    var id: String
    var version: String?
    var uploadedDate: Date?
    var processingState: ProcessingState?

    nonisolated enum ProcessingState: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
        case processing
        case failed
        case invalid
        case valid
        /// A value that the description does not list.
        case unknown(String)

        static let allCases: [ProcessingState] = [
            .processing,
            .failed,
            .invalid,
            .valid,
        ]

        init(rawValue: String) {
            switch rawValue {
            case "PROCESSING": self = .processing
            case "FAILED": self = .failed
            case "INVALID": self = .invalid
            case "VALID": self = .valid
            default: self = .unknown(rawValue)
            }
        }

        var rawValue: String {
            switch self {
            case .processing: "PROCESSING"
            case .failed: "FAILED"
            case .invalid: "INVALID"
            case .valid: "VALID"
            case .unknown(let value): value
            }
        }
    }
}

/// The requests of App Store Connect API, version 4.0.
struct AppStoreConnectAPI: Sendable {
    /// The server: its address, header fields, encoder and decoder.
    var server: JSONAPIServer

    /// The API at that address.
    init(_ address: String = "https://api.appstoreconnect.apple.com/") {
        server = JSONAPIServer(address)
        server.mediaType = (try? MediaType(parsing: "application/json")) ?? .jsonapi
    }
}

extension AppStoreConnectAPI {
    /// GET /v1/apps
    func appsGetCollection(
        _ query: AppsGetCollectionQuery = AppsGetCollectionQuery()
    ) throws -> JSONAPIRequest<Document<[App]>> {
        try server.get("/v1/apps", query: query.query)
    }

    /// PATCH /v1/apps/{id}
    func appsUpdateInstance(
        id: String,
        _ body: App.Update,
        _ query: Query = Query()
    ) throws -> JSONAPIRequest<ChangeAnswer<App>> {
        try server.send(
            .patch,
            "/v1/apps/{id}",
            ["id": id],
            query: query,
            body: Patch(id: id, body)
        )
    }
}

/// The query of `appsGetCollection`.
struct AppsGetCollectionQuery: Sendable {
    /// `filter[bundleId]`
    var filterBundleId: [String]?
    /// `fields[apps]`
    var fieldsApps: [AppField]?
    /// `limit`
    var limit: Int?
    /// `include`
    var include: [AppInclude]?
    /// Other parameters, in front of these.
    var more = Query()

    /// All parameters as a query.
    var query: Query {
        var query = more
        query.append("filter[bundleId]", filterBundleId)
        query.append("fields[apps]", fieldsApps)
        query.append("limit", limit)
        query.append("include", include)
        return query
    }
}

/// Values of the parameter `fields[apps]`.
enum AppField: String, QueryValue, CaseIterable {
    case name
    case bundleId
    case builds
}

/// Values of the parameter `include`.
enum AppInclude: String, QueryValue, CaseIterable {
    case builds
}

@Suite("The article App Store Connect from its OpenAPI file")
struct AppStoreConnectTests {
    @Test("Generated functions create requests")
    func requests() async throws {
        let token = "secret"
        var api = AppStoreConnectAPI()
        api.server.headers["Authorization"] = "Bearer \(token)"
        let recorded = RecordedServer([
            RecordedExchange(
                .get, "/v1/apps?include=builds&filter%5BbundleId%5D=com.example.clocks", status: 200,
                received: [
                    "data": [
                        [
                            "type": "apps", "id": "7", "attributes": ["name": "Clocks"],
                            "relationships": ["builds": ["data": [["type": "builds", "id": "b"]]]],
                        ]
                    ],
                    "included": [["type": "builds", "id": "b", "attributes": ["version": "12", "processingState": "NEW"]]],
                ]),
            RecordedExchange(
                .patch, "/v1/apps/7", sent: ["data": ["type": "apps", "id": "7", "attributes": ["primaryLocale": "en-GB"]]], status: 200,
                received: ["data": ["type": "apps", "id": "7"]]),
        ])
        var printed: [String] = []
        func print(_ version: String, _ state: Build.ProcessingState) { printed.append("\(version) \(state.rawValue)") }
        func send<Answer>(_ request: JSONAPIRequest<Answer>) async throws -> Answer {
            #expect(request.headers["Authorization"] == "Bearer secret" && request.headers["Accept"] == "application/json")
            return try recorded.answer(request)
        }
        let query = AppsGetCollectionQuery(filterBundleId: ["com.example.clocks"], include: [.builds])
        let document = try await send(api.appsGetCollection(query))
        if let app = document.data.first {
            for build in app.builds.values { print(build.version ?? "?", build.processingState ?? .processing) }
            _ = try await send(api.appsUpdateInstance(id: app.id, App.Update(primaryLocale: "en-GB")))
        }
        #expect(printed == ["12 NEW"])
    }

    @Test("The network code compiles")
    func network() async throws {
        func send<Answer>(_ request: JSONAPIRequest<Answer>) async throws -> Answer {
            let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
            return try request.answer(data, response)
        }
        let api = AppStoreConnectAPI()
        func all() async throws -> [String] {
            var names: [String] = []
            let pages = Pages(try api.appsGetCollection(AppsGetCollectionQuery(limit: 200))) { request in
                let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
                return JSONAPIResponse(data, response)
            }
            for try await app in pages.elements { names.append(app.name ?? app.id) }
            return names
        }
        _ = (try api.appsGetCollection(), all)
        func unused() async throws { _ = try await send(api.appsGetCollection()) }
    }
}
