extension Work {
    static let changing = [encodeEach, patch]

    static let encodeEach = Work("encode-each", "JSONAPIEncoder of each model as a document of its own") { input in
        throw WrongResult("\(input.name) is not written one by one")
    }

    static let patch = Work("patch", "a patch of one changed member of each model, made and written") { input in
        throw WrongResult("\(input.name) is not patched")
    }
}
