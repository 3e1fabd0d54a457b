import JSONAPICodec
import JSONText

extension FuzzTarget {
    /// Edits of arrays and references with themselves, their copies and their parts. They must do what they do to an `Array`. Only in an
    /// optimized program of another module may an argument share what the edit changes.
    static let edits = FuzzTarget(name: "edits", seeds: { _ in [[]] }) { _, random in
        try ArrayEdits.run(&random)
        try ReferenceEdits.run(&random)
    }
}

private struct ArrayEdits {
    private var array: JSONArray = []
    private var model: [JSON] = []
    private var nested = 0

    static func run(_ random: inout FuzzRandom) throws {
        var edits = ArrayEdits()
        for step in 0..<1 + random.below(12) {
            let edit = edits.edit(&random)
            try require(Array(edits.array) == edits.model, "after \(edit), step \(step): \(edits.array), not \(JSONArray(edits.model))")
        }
    }

    private mutating func edit(_ random: inout FuzzRandom) -> String {
        let edit = array.count > 60 ? "removeAll" : random.pick(Self.all)
        let place = random.below(array.count + 1)
        switch edit {
        case "append":
            array.append(.number(JSONNumber(place)))
            model.append(.number(JSONNumber(place)))
        case "append itself":
            array += array
            model += model
        case "append a copy":
            let copy = array
            array += copy
            model += model
        case "append a slice":
            array.append(contentsOf: array[..<place])
            model.append(contentsOf: model[..<place])
        case "append lazily":
            array.append(contentsOf: array.lazy.reversed())
            model.append(contentsOf: model.reversed())
        case "add":
            array = array + array
            model = model + model
        case "insert itself":
            array.insert(contentsOf: array, at: place)
            model.insert(contentsOf: model, at: place)
        case "replace by itself":
            array.replaceSubrange(place..., with: array)
            model.replaceSubrange(place..., with: model)
        case "insert as an element" where nested < 3:
            nested += 1
            array.insert(.array(array), at: place)
            model.insert(.array(JSONArray(model)), at: place)
        case "append as an element" where nested < 3:
            nested += 1
            array.append(.array(array))
            model.append(.array(JSONArray(model)))
        default:
            nested = 0
            array.removeAll()
            model.removeAll()
        }
        return edit
    }

    private static let all = [
        "append", "append", "append itself", "append a copy", "append a slice", "append lazily", "add", "insert itself",
        "replace by itself",
        "insert as an element", "append as an element",
    ]
}

private enum ReferenceEdits {
    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var children: ToMany<Node>
    }

    /// Appends a value that holds the same list. A function with the list as its parameter makes that value without a reference of its own.
    @inline(never) private static func extend(_ children: inout ToMany<Node>, _ id: String) {
        children.append(Node(id: id, children: children))
    }

    /// Appends values that hold the same list, which must keep the list that they had.
    static func run(_ random: inout FuzzRandom) throws {
        var node = Node(id: "0", children: random.chance(1, in: 2) ? .empty : ToMany(ids: ["first"]))
        for number in 1...1 + random.below(4) {
            let before = node.children.ids
            switch random.below(3) {
            case 0: extend(&node.children, "\(number)")
            case 1: node.children.append(Node(id: "\(number)", children: node.children))
            default:
                node.id = "\(number)"
                node.children.append(node)
            }
            try require(node.children.ids == (before ?? []) + ["\(number)"], "\(node.children)")
            let held = node.children.value(for: ResourceIdentifier(type: "nodes", id: "\(number)"))
            try require(held?.children.ids == before, "the appended value has \(String(describing: held?.children))")
        }
    }
}
