// Converts the tape to a tree.

extension TapeView {
    /// Returns the value at `index` as a tree. This method does not recurse, so any depth is safe. O(size).
    package func json(at index: Int) -> JSON {
        guard isContainer(index) else { return scalar(at: index) }
        var around: [TreeFrame] = []
        var frame = TreeFrame(self, index, name: "")
        var position = first(in: index)
        while true {
            if position >= frame.end {
                guard !around.isEmpty else { return frame.json() }
                let finished = consume frame
                // Moved, not copied: appending to a frame with two references would copy its elements each time.
                frame = around.removeLast()
                let (name, height) = (finished.name, finished.height)
                frame.append(finished.json(), name: name, height: height)
                continue
            }
            let name = frame.isObject ? string(at: position) : ""
            if frame.isObject { position = next(after: position) }
            if isContainer(position) {
                around.append(consume frame)
                frame = TreeFrame(self, position, name: name)
                position = first(in: position)
            } else {
                frame.append(scalar(at: position), name: name, height: 0)
                position = next(after: position)
            }
        }
    }

    /// Returns the object at `index`, or an empty one if the value is not an object.
    package func object(at index: Int) -> JSONObject {
        guard isObject(index), case .object(let object) = json(at: index) else { return JSONObject() }
        return object
    }

    private func scalar(at index: Int) -> JSON {
        switch kind(at: index) {
        case .null: .null
        case .false: .bool(false)
        case .true: .bool(true)
        case .number: .number(JSONNumber(uncheckedText: numberText(at: index)))
        default: .string(string(at: index))
        }
    }
}

/// A container whose elements are being collected.
private struct TreeFrame {
    /// The name of the finished container in its parent.
    let name: String
    let end: Int
    let isObject: Bool
    /// The nesting depth, including this container.
    private(set) var height = 1
    private var elements: ContiguousArray<JSON> = []
    private var members: ContiguousArray<JSONObject.Member> = []

    init(_ view: TapeView, _ index: Int, name: consuming String) {
        self.name = name
        end = view.end(of: index)
        isObject = view.isObject(index)
        if isObject { members.reserveCapacity(view.count(at: index)) } else { elements.reserveCapacity(view.count(at: index)) }
    }

    mutating func append(_ value: consuming JSON, name: consuming String, height: Int) {
        self.height = max(self.height, height + 1)
        if isObject { members.append(JSONObject.Member(name: name, value: value)) } else { elements.append(value) }
    }

    consuming func json() -> JSON {
        isObject ? .object(JSONObject(members: members, height: height)) : .array(JSONArray(elements: elements, height: height))
    }
}

extension JSON {
    /// Creates a value from JSON text (RFC 8259).
    ///
    /// ```swift
    /// let json = try JSON(parsing: #"{"id": 9007199254740993}"#)
    /// json["id"]?.int      // 9007199254740993, every digit
    /// ```
    ///
    /// - Throws: `JSONSyntaxError` with the kind and the byte offset.
    /// - Complexity: O(n), n = number of bytes. This initializer does not recurse, so any depth is safe.
    public init(parsing text: some Sequence<UInt8>, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        self = try text.withBytes(upTo: TapeParser.maximumBytes(options)) { bytes throws(JSONSyntaxError) in
            let tape = try TapeParser.parse(bytes, options: options, reusing: nil)
            return withExtendedLifetime(tape) { tape.view.json(at: tape.view.root) }
        }
    }

    /// Creates a value from JSON text. Throws `JSONSyntaxError` as the initializer above does.
    public init(parsing text: String, options: JSONReadingOptions = JSONReadingOptions()) throws(JSONSyntaxError) {
        try self.init(parsing: text.utf8, options: options)
    }
}
