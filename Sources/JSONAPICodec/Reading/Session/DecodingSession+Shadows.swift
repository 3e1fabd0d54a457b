import JSONMapping
import JSONText

// Values as clients know them. What schemas keep in shadows is only for these schemas.

extension DecodingSession {
    /// The value at a word of the tape, without shadows.
    func json(at word: Int) -> JSON {
        let json = view.json(at: word)
        return Shadow(in: options.userInfo).map { json.without($0) } ?? json
    }

    /// The object at a word of the tape, without shadows.
    func object(at word: Int) -> JSONObject {
        let object = view.object(at: word)
        return Shadow(in: options.userInfo).map { object.without($0) } ?? object
    }

    /// The `userInfo` for the code of a resource. What a model of the server includes is not the client's.
    func userInfo(of ordinal: Int) -> [CodingUserInfoKey: Any] {
        guard !options.userInfo.isEmpty, ordinal >= document.index.primaryCount, var shadow = Shadow(in: options.userInfo),
            shadow.trustsIncluded
        else { return options.userInfo }
        shadow.isTrusted = true
        var userInfo = options.userInfo
        shadow.put(into: &userInfo)
        return userInfo
    }
}

extension ValueDecoder: ShadowedDecoder {
    var shadowed: JSON { session.view.json(at: word) }
}
