extension Work {
    static let walking = [decodeWalk, walk]

    static let decodeWalk = Work("decode-walk", "JSONAPIDecoder into models with references, each of which is followed") { input in
        throw WrongResult("\(input.name) has no references to follow")
    }

    static let walk = Work("walk", "every reference followed once more, in models that were read before") { input in
        throw WrongResult("\(input.name) has no references to follow")
    }
}
