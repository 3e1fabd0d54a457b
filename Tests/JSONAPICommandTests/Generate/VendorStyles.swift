/// Descriptions in the styles of well-known vendors, in `Conformance/openapi`, with code that reads their answers and creates requests.
enum VendorStyles {
    /// The names of the descriptions. Each is also the prefix of its types, with a capital.
    static let names = ["store", "mailer", "monitor", "library"]

    /// The options of `generate` for a description.
    static func options(_ name: String) -> [String] { ["--prefix", name.prefix(1).uppercased() + name.dropFirst()] }

    /// Expressions and their output.
    static let checks: [(expression: String, expected: String)] = [
        // Every relationship has links, and some have no data.
        (#"apps.data[0].builds.values.map(\.version)"#, #"[Optional("42")]"#),
        (#"apps.data[0].ciProduct?.links?["related"]?.href ?? """#, "/ci"),
        (#"apps.data[0].kind == .macOs && apps.data[1].kind == .unknown("WATCH_OS")"#, "true"),
        (#"apps.data[0].builds.values[0].selfField ?? """#, "me"),
        (#"appUpdate.text"#, #"{"data":{"type":"apps","id":"1","attributes":{"availableInNewTerritories":null}}}"#),
        (
            #"groupCreate.text"#,
            #"{"data":{"type":"betaGroups","attributes":{"name":"Friends"},"relationships":{"app":{"data":{"type":"apps","id":"1"}}}}}"#
        ),
        (#"try store.appsBuildsGetToManyRelationship(id: "1").answer(status: 200, body: buildIDs).data.map(\.id)"#, #"[Optional("10")]"#),
        (#"groupCreate.headers["Content-Type"] ?? """#, "application/json"),
        // A header with a default, and relationships with linkage in some answers only.
        (#"profiles.data[0].location?.city ?? """#, "Oslo"),
        (#"profiles.data[0].lists.identifiers?.count ?? -1"#, "1"),
        (#"profiles.data[0].predictiveAnalytics?.historicClv ?? 0"#, "93.5"),
        (#"profiles.data[0].consent == .unknown("MAYBE")"#, "true"),
        (#"try again(profiles) == profilesText"#, "true"),
        (#"profileRequest.url.absoluteString.removingPercentEncoding ?? """#, mailerAddress),
        (#"profileRequest.headers["revision"] ?? """#, "2026-07-15"),
        (#"profileUpdate.text"#, #"{"data":{"type":"profile","id":"7","attributes":{"email":null}}}"#),
        (#"listAdd.text"#, #"{"data":[{"type":"profile","id":"7"}]}"#),
        (
            #"try mailer.bulkImport(.init(profiles: .init(data: []))).answer(status: 202, body: job).document(as: MailerProfileBulkImportJob.self)?.data.totalCount ?? 0"#,
            "3"
        ),
        // Nullable types of 3.1, a relationship with null, and values of any shape.
        (#"incidents.data[0].commanderUser.isEmpty"#, "true"),
        (#"incidents.data[0].createdByUser.value?.name ?? """#, "Ann"),
        (#"incidents.data[0].fields?["teams"]?["value"]?[0]?.string ?? """#, "web"),
        (#"incidents.data[0].tree?.children?[0].name ?? """#, "leaf"),
        (#"incidents.data[0].tree?.price ?? 0"#, "19.9"),
        (#"incidents.data[0].severity == .sev12 && incidents.data[0].kind == nil"#, "true"),
        (#"incidents.data[0].fieldType ?? """#, "kind"),
        (#"incidents.data[0].about.identifiers?.map(\.type) ?? []"#, #"["users", "teams"]"#),
        (#"try again(incidents) == incidentsText"#, "true"),
        (#"incidentCreate.url.absoluteString"#, "https://api.monitor.example/api/v2/incidents"),
        (
            #"incidentCreate.text"#,
            #"{"data":{"type":"incidents","attributes":{"title":"Down","customer_impacted":true,"resolved":null}}}"#
        ),
        // A status that may be blank or null, decimals as text, and a nullable to-one relationship.
        (#"books.data[0].price ?? 0"#, "12.5"),
        (#"books.data[0].status == .a && books.data[1].status == .unknown("") && books.data[2].status == nil"#, "true"),
        (#"books.data[0].author.value?.name ?? """#, "Bo"),
        (#"books.data[1].author.isEmpty"#, "true"),
        (#"try again(books) == booksText"#, "true"),
        (#"bookCreate.text"#, bookCreate),
        (##"try library.booksAuthor(bookPk: "1").answer(status: 200, body: Data(#"{"data": null}"#.utf8)).data == nil"##, "true"),
    ]

    private static let mailerAddress =
        #"https://a.mailer.example/api/profiles?fields[profile]=email,location.city&sort=-created&page[size]=5&filter=equals(email,"a@b.example")"#

    private static let bookCreate =
        #"{"data":{"type":"Book","attributes":{"title":"Tides","price":"19.90"},"relationships":{"author":{"data":{"type":"Author","id":"2"}}}}}"#

    static let program = #"""
        extension JSONAPIRequest { var text: String { String(decoding: body ?? Data(), as: UTF8.self) } }
        func again(_ document: Document<some PrimaryValue>) throws -> JSON {
            var encoder = JSONAPIEncoder()
            // Some vendors have an attribute called `type`.
            encoder.checksNames = false
            return try JSON(parsing: encoder.encode(document))
        }

        let store = StoreAppStoreAPI()
        let apps = try store.appsGetCollection().answer(status: 200, body: Data("""
            {"data": [{"type": "apps", "id": "1", "attributes": {"name": "Clocks", "kind": "MAC_OS"}, "relationships": {
               "builds": {"data": [{"type": "builds", "id": "10"}], "meta": {"paging": {"limit": 10}}, "links": {"self": "/b"}},
               "ciProduct": {"links": {"related": "/ci"}}}, "links": {"self": "/apps/1"}},
              {"type": "apps", "id": "2", "attributes": {"kind": "WATCH_OS"}, "links": {"self": "/apps/2"}}],
             "included": [{"type": "builds", "id": "10", "attributes": {"version": "42", "self": "me", "init": "i", "hashValue": "h",
               "iconAssetToken": {"templateUrl": "https://x.example/{w}x{h}", "width": 1}}}],
             "links": {"self": "/apps"}, "meta": {"paging": {"total": 2, "limit": 50}}}
            """.utf8))
        let buildIDs = Data(#"{"data": [{"type": "builds", "id": "10"}], "links": {"self": "x"}}"#.utf8)
        let appUpdate = try store.appsUpdateInstance(id: "1", .init(availableInNewTerritories: .null))
        let groupCreate = try store.betaGroupsCreateInstance(.init(name: "Friends", app: ToOne(id: "1")))

        let mailer = MailerMailerAPI()
        let profilesBody = Data("""
            {"data": [{"type": "profile", "id": "7", "attributes": {"email": null, "location": {"city": "Oslo", "latitude": "59.9", "timezone": null},
              "properties": {}, "consent": "MAYBE", "predictive_analytics": {"historic_clv": 93.5, "expected_date_of_next_order": null}},
              "relationships": {"lists": {"data": [{"type": "list", "id": "L"}], "links": {"self": "/l", "related": "/r"}}},
              "links": {"self": "/p"}}], "links": {"self": "/p", "next": null}}
            """.utf8)
        let profilesText = try JSON(parsing: profilesBody)
        var profileQuery = MailerGetProfilesQuery()
        (profileQuery.fieldsProfile, profileQuery.filter) = ([.email, .locationCity], "equals(email,\"a@b.example\")")
        (profileQuery.pageSize, profileQuery.sort) = (5, [.createdDescending])
        let profileRequest = try mailer.getProfiles(profileQuery)
        let profiles = try profileRequest.answer(status: 200, body: profilesBody)
        let profileUpdate = try mailer.updateProfile(id: "7", .init(email: .null))
        let listAdd = try mailer.addProfilesToList(id: "L", [ResourceIdentifier(type: "profile", id: "7")])
        let job = Data(#"{"data": {"type": "profile-bulk-import-job", "id": "j", "attributes": {"status": "queued", "total_count": 3}}}"#.utf8)

        let monitor = MonitorMonitorAPI()
        let incidentsBody = Data("""
            {"data": [{"type": "incidents", "id": "1", "attributes": {"title": "Down", "severity": "SEV_1", "kind": null, "type": "kind",
              "fields": {"teams": {"type": "tag", "value": ["web"]}}, "resolved": null, "notification_handles": null, "either": 1,
              "tree": {"name": "root", "children": [{"name": "leaf", "price2": null}], "price": "19.90"}},
              "relationships": {"commander_user": {"data": null}, "created_by_user": {"data": {"type": "users", "id": "u"}},
               "about": {"data": [{"type": "users", "id": "u"}, {"type": "teams", "id": "t"}]}}}],
             "included": [{"type": "users", "id": "u", "attributes": {"name": "Ann", "rank": null, "level": 2}}]}
            """.utf8)
        let incidentsText = try JSON(parsing: incidentsBody)
        let incidents = try monitor.listIncidents().answer(status: 200, body: incidentsBody)
        let incidentCreate = try monitor.createIncident(.init(title: "Down", customerImpacted: true, resolved: .null))

        let library = LibraryLibraryV1DonnéesAPI("https://library.example")
        let booksBody = Data("""
            {"data": [{"type": "Book", "id": "1", "attributes": {"title": "A", "price": "12.50", "status": "a", "published_on": null, "1st": "x"},
               "relationships": {"author": {"data": {"type": "Author", "id": "2"}}, "readers": {"data": []}}},
              {"type": "Book", "id": "2", "attributes": {"title": "B", "status": "", "price": null, "size": null},
               "relationships": {"author": {"data": null}}},
              {"type": "Book", "id": "3", "attributes": {"title": "C", "status": null, "extra": null}}],
             "included": [{"type": "Author", "id": "2", "attributes": {"name": "Bo"}}]}
            """.utf8)
        let booksText = try JSON(parsing: booksBody)
        let books = try library.booksList().answer(status: 200, body: booksBody)
        let bookCreate = try library.booksCreate(.init(title: "Tides", author: ToOne(id: "2"), price: "19.90"))
        """#
}
