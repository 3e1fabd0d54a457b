import Foundation
import JSONAPICodec

// MARK: - Numbers

extension Shape {
    static let numbers = Shape(
        "numbers", "60 resources with 100 doubles and 100 integers each", Series.self, Series.Attributes.self,
        plain: { ($0.id, Series.Attributes(samples: $0.samples, counts: $0.counts)) }
    ) {
        var random = SplitMix64(seed: 21)
        return list("series", 60) { _ in
            [
                ("samples", .array((0..<100).map { _ in .double(Double(random.below(10_000_000)) / 1_000) })),
                ("counts", .array((0..<100).map { _ in .int(random.below(100_000)) })),
            ]
        }
    }

    /// A document of resources of one type.
    private static func list(
        _ type: String, _ count: Int, _ attributes: (Int) -> [(name: String, value: Node)]
    ) -> [(name: String, value: Node)] {
        let resources = (0..<count).map { i in
            Node.object([("type", .string(type)), ("id", .string("\(i)")), ("attributes", .object(attributes(i)))])
        }
        return [("data", .array(resources))]
    }
}

private struct Series: Resource {
    static let type = "series"
    var id: String
    var samples: [Double]
    var counts: [Int]

    struct Attributes: Codable {
        var samples: [Double]
        var counts: [Int]
    }
}

// MARK: - Text

extension Shape {
    static let text = Shape(
        "text", "100 resources with 2 KB of text, a tenth of it escaped or beyond ASCII", Page.self, Page.Attributes.self,
        plain: { ($0.id, Page.Attributes(title: $0.title, body: $0.body, note: $0.note)) }
    ) {
        var random = SplitMix64(seed: 22)
        let words = [
            "plain", "words", "between", "über", "naïve", "日本語", "\"quoted\"", "line\n", "tab\t", "back\\slash", "emoji 🎉", "and", "so",
            "on",
            "straße", "paragraph", "another", "sentence", "of", "ordinary", "length",
        ]
        return list("pages", 100) { _ in
            [
                ("title", .string((0..<8).map { _ in random.pick(words) }.joined(separator: " "))),
                ("body", .string((0..<200).map { _ in random.pick(words) }.joined(separator: " "))),
                ("note", .string((0..<40).map { _ in random.pick(words) }.joined(separator: " "))),
            ]
        }
    }
}

private struct Page: Resource {
    static let type = "pages"
    var id: String
    var title: String
    var body: String
    var note: String

    struct Attributes: Codable {
        var title: String
        var body: String
        var note: String
    }
}

// MARK: - Wide

extension Shape {
    static let wide = Shape(
        "wide", "200 resources of 21 members: optionals, addresses, dates, kebab-case names", Account.self, Account.Attributes.self,
        plain: { ($0.id, Account.Attributes($0)) }
    ) {
        var random = SplitMix64(seed: 23)
        func maybe(_ value: Node) -> Node { random.below(3) == 0 ? .null : value }
        return list("accounts", 200) { i in
            [
                ("first-name", .string("First \(i)")), ("last-name", .string("Last \(i)")), ("email-address", .string("a\(i)@example.com")),
                ("phone-number", maybe(.string("+49 30 \(random.below(1_000_000))"))), ("home-page", .string("https://example.com/~\(i)")),
                ("avatar-url", maybe(.string("https://cdn.example.com/avatars/\(random.below(100_000)).png"))),
                ("created-at", .string("2024-0\(1 + random.below(9))-1\(random.below(10))T0\(random.below(10)):30:00Z")),
                ("updated-at", maybe(.string("2025-0\(1 + random.below(9))-1\(random.below(10))T0\(random.below(10)):15:30Z"))),
                ("last-login-at", maybe(.string("2026-0\(1 + random.below(9))-1\(random.below(10))T1\(random.below(10)):00:59Z"))),
                ("login-count", .int(random.below(1_000))), ("failed-login-count", .int(random.below(10))),
                ("is-active", .bool(random.below(2) == 0)), ("is-verified", .bool(random.below(2) == 0)),
                ("credit-limit", .double(Double(random.below(1_000_000)) / 100)),
                ("balance", .double(Double(random.below(10_000_000)) / 100 - 50_000)),
                ("nick-name", maybe(.string("nick\(random.below(100))"))), ("company-name", maybe(.string("Company \(random.below(50))"))),
                ("street-address", .string("Street \(random.below(200))")), ("postal-code", .string("\(10_000 + random.below(80_000))")),
                ("country-code", .string(random.pick(["DE", "FR", "US", "JP"]))),
                ("score", maybe(.double(Double(random.below(100)) / 10))),
            ]
        }
    }
}

private struct Account: Resource {
    static let type = "accounts"
    var id: String
    var firstName: String
    var lastName: String
    var emailAddress: String
    var phoneNumber: String?
    var homePage: URL
    var avatarUrl: URL?
    var createdAt: Date
    var updatedAt: Date?
    var lastLoginAt: Date?
    var loginCount: Int
    var failedLoginCount: Int
    var isActive: Bool
    var isVerified: Bool
    var creditLimit: Double
    var balance: Double
    var nickName: String?
    var companyName: String?
    var streetAddress: String
    var postalCode: String
    var countryCode: String
    var score: Double?

    enum CodingKeys: String, CodingKey {
        case id
        case firstName = "first-name"
        case lastName = "last-name"
        case emailAddress = "email-address"
        case phoneNumber = "phone-number"
        case homePage = "home-page"
        case avatarUrl = "avatar-url"
        case createdAt = "created-at"
        case updatedAt = "updated-at"
        case lastLoginAt = "last-login-at"
        case loginCount = "login-count"
        case failedLoginCount = "failed-login-count"
        case isActive = "is-active"
        case isVerified = "is-verified"
        case creditLimit = "credit-limit"
        case balance
        case nickName = "nick-name"
        case companyName = "company-name"
        case streetAddress = "street-address"
        case postalCode = "postal-code"
        case countryCode = "country-code"
        case score
    }

    struct Attributes: Codable {
        var firstName: String
        var lastName: String
        var emailAddress: String
        var phoneNumber: String?
        var homePage: URL
        var avatarUrl: URL?
        var createdAt: Date
        var updatedAt: Date?
        var lastLoginAt: Date?
        var loginCount: Int
        var failedLoginCount: Int
        var isActive: Bool
        var isVerified: Bool
        var creditLimit: Double
        var balance: Double
        var nickName: String?
        var companyName: String?
        var streetAddress: String
        var postalCode: String
        var countryCode: String
        var score: Double?

        enum CodingKeys: String, CodingKey {
            case firstName = "first-name"
            case lastName = "last-name"
            case emailAddress = "email-address"
            case phoneNumber = "phone-number"
            case homePage = "home-page"
            case avatarUrl = "avatar-url"
            case createdAt = "created-at"
            case updatedAt = "updated-at"
            case lastLoginAt = "last-login-at"
            case loginCount = "login-count"
            case failedLoginCount = "failed-login-count"
            case isActive = "is-active"
            case isVerified = "is-verified"
            case creditLimit = "credit-limit"
            case balance
            case nickName = "nick-name"
            case companyName = "company-name"
            case streetAddress = "street-address"
            case postalCode = "postal-code"
            case countryCode = "country-code"
            case score
        }

        init(_ account: Account) {
            firstName = account.firstName
            lastName = account.lastName
            emailAddress = account.emailAddress
            phoneNumber = account.phoneNumber
            homePage = account.homePage
            avatarUrl = account.avatarUrl
            createdAt = account.createdAt
            updatedAt = account.updatedAt
            lastLoginAt = account.lastLoginAt
            loginCount = account.loginCount
            failedLoginCount = account.failedLoginCount
            isActive = account.isActive
            isVerified = account.isVerified
            creditLimit = account.creditLimit
            balance = account.balance
            nickName = account.nickName
            companyName = account.companyName
            streetAddress = account.streetAddress
            postalCode = account.postalCode
            countryCode = account.countryCode
            score = account.score
        }
    }
}

// MARK: - Nested

extension Shape {
    static let nested = Shape(
        "nested", "200 resources with structs in structs, enumerations, dictionaries and arrays of structs", Order.self,
        Order.Attributes.self,
        plain: { ($0.id, Order.Attributes(state: $0.state, address: $0.address, lines: $0.lines, labels: $0.labels)) }
    ) {
        var random = SplitMix64(seed: 24)
        func line() -> Node {
            .object([
                ("sku", .string("sku-\(random.below(10_000))")), ("count", .int(1 + random.below(9))),
                ("price", .object([("amount", .double(Double(random.below(100_000)) / 100)), ("currency", .string("EUR"))])),
            ])
        }
        return list("orders", 200) { i in
            [
                ("state", .string(random.pick(["open", "paid", "sent"]))),
                (
                    "address",
                    .object([
                        ("street", .string("Street \(i)")), ("city", .string("City")),
                        ("place", .object([("lat", .double(52.5)), ("lon", .double(13.25))])),
                    ])
                ),
                ("lines", .array((0..<1 + random.below(6)).map { _ in line() })),
                ("labels", .object((0..<6).map { ("label-\($0)", .string("value \(random.below(100))")) })),
            ]
        }
    }
}

private struct Order: Resource {
    static let type = "orders"
    var id: String
    var state: State
    var address: Address
    var lines: [Line]
    var labels: [String: String]

    enum State: String, Codable, Sendable { case open, paid, sent }

    struct Address: Codable, Sendable {
        var street: String
        var city: String
        var place: Place
    }

    struct Place: Codable, Sendable {
        var lat: Double
        var lon: Double
    }

    struct Line: Codable, Sendable {
        var sku: String
        var count: Int
        var price: Price
    }

    struct Price: Codable, Sendable {
        var amount: Double
        var currency: String
    }

    struct Attributes: Codable {
        var state: State
        var address: Address
        var lines: [Line]
        var labels: [String: String]
    }
}
