import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

// Resources that a migration splits, merges, or gives another type than a waiting request expects.

extension RequestMigrationTests {
    /// Has users in place of people and profiles.
    private static let merging = ArchiveModel(
        version: 1,
        migrations: [
            .init(to: 1) { resource, old in
                guard let id = resource.id, resource.type == "people" || resource.type == "profiles" else { return [resource] }
                let person = resource.type == "people" ? resource : old["people", id]
                let profile = resource.type == "profiles" ? resource : old["profiles", id]
                var user = ResourceObject(ResourceIdentifier(type: "users", id: id))
                user[attribute: "name"] = person?[attribute: "name"]
                user[attribute: "bio"] = profile?[attribute: "bio"]
                return [user]
            }
        ])

    @Test("The deletion of a resource that a migration merges with another one does not delete both", arguments: ["people", "profiles"])
    func deletionOfMergedPart(deleted: String) throws {
        let part = ResourceIdentifier(type: deleted, id: "2")
        let user = ResourceIdentifier(type: "users", id: "2")
        try migrated(by: Self.merging) { queue in
            try queue.store.ingest([
                ResourceObject(type: "people", id: "2", attributes: ["name": "B"]),
                ResourceObject(type: "profiles", id: "2", attributes: ["bio": "b"]),
            ])
            try queue.update(Patch<ResourceObject>(part).set("seen", true))
            try queue.delete(part)
        } check: { store, queue in
            #expect(queue.requests.map(\.target) == [part, part])
            #expect(store[user]?.attributes == (deleted == "people" ? ["bio": "b"] : ["name": "B"]))
            try queue.rollBack(queue.requests[1])
            #expect(store[part] != nil)
        }
    }

    @Test("The deletions of two resources that a migration merges stay")
    func deletionsOfMergedParts() throws {
        let parts = ["people", "profiles"].map { ResourceIdentifier(type: $0, id: "2") }
        try migrated(by: Self.merging) { queue in
            try queue.store.ingest(parts.map { ResourceObject($0) })
            for part in parts { try queue.delete(part) }
        } check: { _, queue in
            #expect(queue.requests.map(\.target) == parts)
        }
    }

    @Test("The update of a resource that a migration merges with a deleted one is rolled back, and the deletion restores no value of it")
    func updateOfMergedPart() throws {
        let (person, profile) = (ResourceIdentifier(type: "people", id: "2"), ResourceIdentifier(type: "profiles", id: "2"))
        let user = ResourceIdentifier(type: "users", id: "2")
        try migrated(by: Self.merging) { queue in
            try queue.store.ingest([ResourceObject(type: "people", id: "2", attributes: ["name": "B"]), ResourceObject(profile)])
            try queue.delete(person)
            try queue.update(Patch<ResourceObject>(profile).set("bio", "typed"))
        } check: { store, queue in
            #expect(queue.requests.map(\.target) == [person, user])
            #expect(store[user]?.attributes == ["bio": "typed"])
            for request in queue.requests.reversed() { try queue.rollBack(request) }
            #expect(store[user]?[attribute: "bio"] == nil)
            #expect(store[person]?.attributes == ["name": "B"])
        }
    }

    /// Moves the title to a resource of its own, and renames the rank.
    private static let splitting = ArchiveModel(
        version: 1,
        migrations: [
            .init(to: 1) { resource, _ in
                guard resource.type == "memos" else { return [resource] }
                var (memo, heading) = (resource, resource)
                heading.type = "headings"
                memo[attribute: "title"] = nil
                memo[attribute: "place"] = memo[attribute: "rank"]
                memo[attribute: "rank"] = nil
                heading[attribute: "rank"] = nil
                return [memo, heading]
            }
        ])

    @Test("An update of a resource that a migration splits is sent with all its fields, in the new form only if all are in the first part")
    func updatesOfSplitResource() throws {
        try migrated(by: Self.splitting) { queue in
            try queue.update(Patch<Old>(one).set("rank", 1))
            try queue.update(Patch<Old>(one).set("rank", 2).set("title", "typed"))
        } check: { store, queue in
            let bodies = queue.requests.map { $0.document?.data.resources.first?.attributes }
            let expected: [JSONObject?] = [["place": 1], ["rank": 2, "title": "typed"]]
            #expect(bodies == expected)
            #expect(queue.requests.map(\.target) == [one, one])
            #expect(store[one]?.attributes == ["place": 2])
        }
    }

    @Test("The creation of a resource that a migration splits is sent with all its fields")
    func creationOfSplitResource() throws {
        try migrated(by: Self.splitting) { queue in
            try queue.create(Old(title: "N", rank: 1))
        } check: { _, queue in
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body == ["data": ["type": "memos", "attributes": ["title": "N", "rank": 1]]])
        }
    }

    @Test("Rolling back the deletion of a resource that a migration splits restores the first part")
    func deletionOfSplitResource() throws {
        try migrated(by: Self.splitting) { queue in
            try queue.update(Patch<Old>(one).set("rank", 1))
            try queue.delete(one)
        } check: { store, queue in
            try queue.rollBack(queue.requests[1])
            #expect(store[one]?.attributes == ["place": 1])
        }
    }

    private struct Person: Resource {
        static let type = "people"
        var id: String?
        var role: String?
    }

    @Test("Requests stay if a migration gives the resource another type before a change than after it", arguments: [false, true])
    func typeByChangedField(isNew: Bool) throws {
        let byRole = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard resource.type == "people" else { return [resource] }
                    var resource = resource
                    resource.type = resource[attribute: "role"] == "author" ? "authors" : "readers"
                    return [resource]
                }
            ])
        let people = (1...2).map { ResourceIdentifier(type: "people", id: "\($0)") }
        try migrated(by: byRole) { queue in
            let readers = people.map { ResourceObject(type: "people", id: $0.id ?? "", attributes: ["role": "reader"]) }
            try queue.store.ingest(readers[1])
            if isNew {
                try queue.create(Person(id: "1", role: "reader"), clientID: true)
            } else {
                try queue.store.ingest(readers[0])
            }
            try queue.update(Patch<ResourceObject>(people[0]).set("name", "A"))
            try queue.update(Patch<ResourceObject>(people[0]).set("role", "author"))
            try queue.update(Patch<ResourceObject>(people[1]).set("name", "B"))
        } check: { store, queue in
            var targets = [people[0], people[0], ResourceIdentifier(type: "readers", id: "2")]
            if isNew { targets.insert(people[0], at: 0) }
            #expect(queue.requests.map(\.target) == targets)
            for request in queue.requests.reversed() { try queue.rollBack(request) }
            // The migration makes no author with the role of a reader.
            #expect(store[ResourceIdentifier(type: "authors", id: "1")]?[attribute: "role"] != "reader")
        }
    }
}
