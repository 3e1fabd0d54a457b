import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIHTTP

@Suite("A server with addresses of any form")
struct JSONAPIServerTests {
    struct Car: Resource {
        static let type = "cars"
        var id: String
        var seats: Int
    }

    enum Fuel: String, QueryValue { case petrol, none = "no fuel" }

    @Test(
        "Values of variables are percent-encoded",
        arguments: [("a/b", "a%2Fb"), ("../x", "..%2Fx"), ("é", "%C3%A9"), ("1?x=1#y", "1%3Fx%3D1%23y"), ("~a.b", "~a.b")])
    func variables(value: String, expected: String) throws {
        let request: JSONAPIRequest<Document<Car>> = try JSONAPIServer("https://h.example/v1/").get("/cars/{car}/x", ["car": value])
        #expect(request.url.absoluteString == "https://h.example/v1/cars/\(expected)/x")
    }

    @Test(
        "A query of the server's address is part of every request",
        arguments: [
            ("https://h.example/v1?key=1", "/cars", "https://h.example/v1/cars?key=1"),
            ("https://h.example/?key=1&b=2", "/cars?page=2", "https://h.example/cars?page=2&key=1&b=2"),
            ("https://h.example?", "/cars", "https://h.example/cars"),
            ("https://h.example/v1#top", "/cars", "https://h.example/v1/cars"),
            ("https://h.example/v1/?key=1#a?b", "/cars", "https://h.example/v1/cars?key=1"),
            ("#top", "/cars", "/cars"),
        ])
    func query(address: String, path: String, expected: String) throws {
        let request: JSONAPIRequest<Document<[Car]>> = try JSONAPIServer(address).get(path)
        #expect(request.url.absoluteString == expected)
    }

    @Test("A variable in the query can have any value", arguments: [(".", "."), ("..", ".."), ("", ""), ("a&b", "a%26b")])
    func variablesInTheQuery(value: String, expected: String) throws {
        let request: JSONAPIRequest<Document<[Car]>> = try JSONAPIServer("https://h.example").get("/search?q={q}", ["q": value])
        #expect(request.url.absoluteString == "https://h.example/search?q=\(expected)")
    }

    @Test("Variables in the server's address have values, or are errors")
    func variablesOfTheServer() throws {
        let server = JSONAPIServer("https://{region}.h.example/v{v}?key={key}")
        let request: JSONAPIRequest<Document<[Car]>> = try server.get("/cars/{id}", ["region": "eu", "v": "1", "key": "", "id": "a/b"])
        #expect(request.url.absoluteString == "https://eu.h.example/v1/cars/a%2Fb?key=")
        #expect(throws: RequestFailure(.missingValue, "region")) {
            let _: JSONAPIRequest<Document<[Car]>> = try server.get("/cars/{id}", ["v": "1", "key": "", "id": "1"])
        }
    }

    @Test("A missing or invalid variable is an error", arguments: [[:], ["id": ""], ["id": ".."]])
    func refused(values: [String: String]) {
        #expect(throws: RequestFailure.self) {
            let _: JSONAPIRequest<Document<Car>> = try JSONAPIServer("https://h.example").get("/cars/{id}", values)
        }
    }

    @Test("The error for a variable without a value names it")
    func missingValue() {
        let failure = #expect(throws: RequestFailure(.missingValue, "plant")) {
            let _: JSONAPIRequest<Document<Car>> = try JSONAPIServer("https://h.example").get("/cars/{id}/{plant}", ["id": "1"])
        }
        #expect(failure?.description.hasPrefix("The variable `{plant}` of the address has no value.") == true)
    }

    @Test("Requests have the server's headers, media type, and body")
    func sending() throws {
        var server = JSONAPIServer("https://h.example")
        server.headers["X"] = "1"
        server.mediaType = try MediaType(parsing: "application/json")
        let sent: JSONAPIRequest<ChangeAnswer<Car>> = try server.send(.post, "/cars", body: Create(Car(id: "", seats: 4)))
        #expect(sent.headers == ["X": "1", "Accept": "application/json", "Content-Type": "application/json"])
        #expect(sent.body.map { String(decoding: $0, as: UTF8.self) } == #"{"data":{"type":"cars","attributes":{"seats":4}}}"#)
        let gone: JSONAPIRequest<ChangeAnswer<NoData>> = try server.send(.delete, "/cars/{id}", ["id": "1"])
        #expect(gone.method == .delete && gone.body == nil && gone.headers["Content-Type"] == nil)
        #expect(try gone.answer(status: 204, body: nil).document == nil)
        var operations = AtomicOperations()
        operations.add(Car(id: "1", seats: 2))
        let atomic = try server.send(operations, to: "/operations")
        #expect(atomic.url.path == "/operations" && atomic.headers["Content-Type"]?.contains("atomic") == true)
        server.mediaType = MediaType(ext: ["https://example.com/e"], profile: ["https://example.com/p"])
        let extended = try server.send(operations, to: "/operations").headers["Content-Type"].map { try MediaType(parsing: $0) }
        #expect(extended?.ext == ["https://example.com/e", AtomicOperations.uri] && extended?.profile == ["https://example.com/p"])
    }

    @Test("The encoder matches a decoder that is changed later, but an encoder that was given stays as it is")
    func encoderOfAChangedDecoder() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var subTitle: String
        }
        func written(by server: JSONAPIServer) throws -> String {
            var server = server
            server.decoder.keyStrategy = .snakeCase
            let request: JSONAPIRequest<ChangeAnswer<Post>> = try server.send(.post, "/posts", body: Create(Post(id: "", subTitle: "y")))
            return String(decoding: request.body ?? Data(), as: UTF8.self)
        }
        let matching = try written(by: JSONAPIServer("https://h.example"))
        #expect(matching == #"{"data":{"type":"posts","attributes":{"sub_title":"y"}}}"#)
        let given = try written(by: JSONAPIServer("https://h.example", encoder: JSONAPIEncoder()))
        #expect(given == #"{"data":{"type":"posts","attributes":{"subTitle":"y"}}}"#)
    }

    @Test("Query values are texts, numbers, enumerations, lists, or nil")
    func values() {
        var query = Query()
        query.append("limit", 3)
        query.append("filter[fuel]", [Fuel.petrol, .none])
        query.append("exists", true)
        query.append("rate", 1.5)
        query.append("id", each: ["1", "2"])
        query.append("include", ["a"])
        query.append("include", ["b"])
        query.append("sort", nil as [String]?)
        query.append("none", each: nil as [String]?)
        #expect(query.description == "include=a,b&filter[fuel]=petrol,no+fuel&limit=3&exists=true&rate=1.5&id=1&id=2")
    }

    @Test(
        "One slash separates the address from the path, so that no path becomes a part of the host",
        arguments: [
            ("https://h.example", "cars", "https://h.example/cars"), ("https://h.example/", "cars", "https://h.example/cars"),
            ("https://h.example/", "/cars", "https://h.example/cars"), ("https://h.example/v1", "cars", "https://h.example/v1/cars"),
            ("https://h.example", "", "https://h.example"), ("https://h.example/v1/", "?a=1", "https://h.example/v1/?a=1"),
            ("https://h.example?key=1", "cars", "https://h.example/cars?key=1"),
        ])
    func slash(address: String, path: String, expected: String) throws {
        let request: JSONAPIRequest<Document<[Car]>> = try JSONAPIServer(address).get(path)
        #expect(request.url.absoluteString == expected)
        let variable: JSONAPIRequest<Document<[Car]>> = try JSONAPIServer("https://h.example").get("{kind}", ["kind": ".evil.com"])
        #expect(variable.url.host == "h.example")
    }
}
