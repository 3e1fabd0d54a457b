// The server's side: checks queries and bodies, and responds with resources or errors. Works with any framework.

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

struct Article: Resource {
    static let type = "articles"
    var id: String?
    var title: String
    var words: Int
}

let negotiation = ContentNegotiation()
let rules = QueryRules(include: .none, sort: .only(["title", "words"]))
let articles = [Article(id: "1", title: "Clocks", words: 1240), Article(id: "2", title: "Stairs", words: 860)]

func list(_ query: String) -> JSONAPIResponse {
    do {
        let query = Query(parsing: query)
        try rules.check(query)
        return try .ok(articles, for: query)
    } catch {
        return JSONAPIResponse(error)
    }
}

func create(_ body: String, contentType: String) -> JSONAPIResponse {
    do {
        if case .refused(let refusal) = try negotiation.verdict(onContentType: contentType) { throw refusal }
        var article = try JSONAPIDecoder(mode: .strict).decodeNew(Article.self, from: Data(body.utf8))
        guard article.id == nil else {
            throw ErrorDocument(errors: [ErrorObject(status: "403", title: "The server creates the id")])
        }
        guard !article.title.isEmpty else {
            throw ErrorDocument(errors: [
                ErrorObject(status: "422", title: "The title is empty", source: ErrorSource(attribute: "title"))
            ])
        }
        article.id = "3"
        return try .created(article, at: "/articles/3")
    } catch {
        return JSONAPIResponse(error)
    }
}

func show(_ response: JSONAPIResponse) {
    print(response.status, String(decoding: response.body ?? Data(), as: UTF8.self))
}

show(list("sort=-words&fields[articles]=title"))
show(list("sort=-word"))
show(create(#"{"data":{"type":"articles","attributes":{"title":"T","words":1}}}"#, contentType: "application/vnd.api+json"))
show(create(#"{"data":{"type":"articles","attributes":{"title":"","words":1}}}"#, contentType: "application/vnd.api+json"))
show(create(#"{"data":{"type":"articles","attributes":{"title":7}}}"#, contentType: "application/vnd.api+json"))
show(create(#"{"data":{"type":"articles","attributes":{"title":"T","words":1,"word":2}}}"#, contentType: "application/vnd.api+json"))
show(create(#"{"data":{"type":"articles","id":"9","attributes":{"title":"T","words":1}}}"#, contentType: "application/vnd.api+json"))
show(create(#"{"data":{"type":"people"}}"#, contentType: "application/vnd.api+json"))
show(create("{}", contentType: "application/vnd.api+json;charset=utf-8"))
