import Foundation
import JSONAPICodec

extension Shape {
    static let wide = Shape(
        "wide", "200 resources of 21 members: optionals, addresses, dates, kebab-case names", Account.self, Account.Attributes.self,
        others: ["encode-each": encodeEach, "patch": patch]
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

    @Sendable private static func encodeEach(_ input: Input) throws -> Job {
        let accounts = try JSONAPIDecoder().decode([Account].self, from: input.text)
        let encoder = JSONAPIEncoder()
        return Job({ try accounts.map { try encoder.encode($0) } }) { texts in
            let ones = try texts.map { try FoundationCoding.decoder.decode(PlainOne<Account.Attributes>.self, from: $0) }
            return try [PlainList(data: ones.map(\.data))].checksum
        }
    }

    /// The check undoes what the patches say, which must give the document again.
    @Sendable private static func patch(_ input: Input) throws -> Job {
        let accounts = try JSONAPIDecoder().decode([Account].self, from: input.text)
        let encoder = JSONAPIEncoder()
        return Job({ try accounts.map { account in try encoder.encode(account.patch { $0.loginCount += 1 }) } }) { texts in
            var list = try FoundationCoding.decoder.decode(PlainList<Account.Attributes>.self, from: input.text)
            for (i, text) in texts.enumerated() {
                let patch = try FoundationCoding.decoder.decode(PlainOne<[String: Int]>.self, from: text).data
                guard patch.attributes.count == 1, let count = patch.attributes["login-count"] else {
                    throw WrongResult("a patch has other members than the changed one")
                }
                list.data[i].id = patch.id
                list.data[i].attributes.loginCount = count - 1
            }
            return try [list].checksum
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
    }
}
