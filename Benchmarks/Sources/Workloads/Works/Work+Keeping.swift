import Foundation
import JSONAPICodec
import JSONAPIStore

extension Work {
    static let keeping = [archiveWrite, archiveRead, plainWrite, plainRead, storeDecode, storeRefresh]

    static let archiveWrite = Work("archive-write", "Archive.Writer: the models under one key, in memory") { input in
        let articles = try FoundationCoding.articles(input)
        return Job({ try archive(articles) }, articles: { try Archive(data: $0).decode([Article].self, forKey: "all") })
    }

    static let archiveRead = Work("archive-read", "Archive: opened and read into the models, in memory") { input in
        let data = try archive(try FoundationCoding.articles(input))
        return Job({ try Archive(data: data).decode([Article].self, forKey: "all") }, articles: { $0 })
    }

    static let plainWrite = Work("plain-write", "JSONEncoder of the same models as plain values") { input in
        let articles = try FoundationCoding.articles(input)
        return Job({ try FoundationCoding.encoder.encode(articles) }) {
            try FoundationCoding.decoder.decode([Article].self, from: $0)
        }
    }

    static let plainRead = Work("plain-read", "JSONDecoder of the same models as plain values") { input in
        let data = try FoundationCoding.encoder.encode(try FoundationCoding.articles(input))
        return Job({ try FoundationCoding.decoder.decode([Article].self, from: data) }, articles: { $0 })
    }

    static let storeDecode = Work("store-decode", "ResourceStore.decode into the models, with a new store") { input in
        Job({ try ResourceStore().decode([Article].self, from: input.text) }, articles: { $0 })
    }

    static let storeRefresh = Work("store-refresh", "the same, with a store that has the resources already") { input in
        let store = ResourceStore()
        _ = try store.decode([Article].self, from: input.text)
        return Job({ try store.decode([Article].self, from: input.text) }, articles: { $0 })
    }

    private static func archive(_ articles: [Article]) throws -> Data {
        var writer = Archive.Writer()
        try writer.encode(articles, forKey: "all")
        return try writer.data()
    }
}
