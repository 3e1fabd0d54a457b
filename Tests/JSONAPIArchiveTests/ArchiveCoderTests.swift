import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive

@Suite("Archives inside NSKeyedArchiver")
struct ArchiveCoderTests {
    private func coded(_ body: (NSKeyedArchiver) throws -> Void) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        try body(archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        return unarchiver
    }

    @Test("Resources, lists, and plain values are encoded and decoded")
    func values() throws {
        let coder = try coded { coder in
            try coder.encodeArchived(Sample.articles, forKey: "articles")
            try coder.encodeArchived(Sample.marit, forKey: "me", modelVersion: 2)
            try coder.encodeArchived(Sample.settings, forKey: "settings")
        }
        let articles = try coder.decodeArchived([Article].self, forKey: "articles")
        #expect(articles == Sample.articles)
        #expect(articles[0].comments.values == Sample.comments)
        #expect(try coder.decodeArchived(Person.self, forKey: "me") == Sample.marit)
        #expect(try coder.decodeArchived(Settings.self, forKey: "settings") == Sample.settings)
    }

    @Test("An older version is migrated, and a newer one is an error")
    func versions() throws {
        let coder = try coded { try $0.encodeArchived(Sample.marit, forKey: "me", modelVersion: 2) }
        let model = ArchiveModel(
            version: 3,
            migrations: [
                .init(to: 3) { resource, _ in
                    var resource = resource
                    resource[attribute: "city"] = "Jinja"
                    return [resource]
                }
            ])
        #expect(try coder.decodeArchived(Person.self, forKey: "me", model: model).city == "Jinja")
        #expect(archiveError { _ = try coder.decodeArchived(Person.self, forKey: "me", model: .init(version: 1)) }?.kind == .newerModel)
    }

    @Test("Whole archives, absent keys, and other data")
    func others() throws {
        let coder = try coded { coder in
            try coder.encodeArchive(try Sample.archive(), forKey: "archive")
            coder.encode(Data([1, 2, 3]) as NSData, forKey: "data")
        }
        #expect(try coder.decodeArchive(forKey: "archive").decode(Person.self, forKey: "me") == Sample.marit)
        #expect(archiveError { _ = try coder.decodeArchive(forKey: "none") }?.kind == .missingKey)
        #expect(archiveError { _ = try coder.decodeArchive(forKey: "data") }?.kind == .notAnArchive)
    }

    @Test("A class hierarchy encodes it once")
    func hierarchy() throws {
        let coder = try coded { $0.encode(Customer(Sample.ben, number: 7), forKey: "root") }
        let customer = try #require(coder.decodeObject(of: Customer.self, forKey: "root"))
        #expect(customer.person == Sample.ben)
        #expect(customer.number == 7)
    }

    @Test("An earlier error of the unarchiver is thrown, or named as a possible cause")
    func earlierError() throws {
        let unarchiver = try coded { try $0.encodeArchived(5, forKey: "number") }
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        unarchiver.failWithError(CocoaError(.coderReadCorrupt))
        let error = #expect(throws: (any Error).self) { try unarchiver.decodeArchived(Int.self, forKey: "number") }
        #expect(error is CocoaError || "\(error as Any)".contains("or the coder has failed before"))
    }
}

/// The base class archives its model, and the subclass archives its own members.
class PersonHolder: NSObject, NSSecureCoding {
    let person: Person
    class var supportsSecureCoding: Bool { true }

    init(_ person: Person) { self.person = person }

    func encode(with coder: NSCoder) {
        do { try coder.encodeArchived(person, forKey: "person") } catch { coder.failWithError(error) }
    }

    required init?(coder: NSCoder) {
        guard let person = try? coder.decodeArchived(Person.self, forKey: "person") else { return nil }
        self.person = person
    }
}

final class Customer: PersonHolder {
    let number: Int
    override static var supportsSecureCoding: Bool { true }

    init(_ person: Person, number: Int) {
        self.number = number
        super.init(person)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(number, forKey: "number")
    }

    required init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        super.init(coder: coder)
    }
}
