extension JSON: Hashable {
    /// Hashes the value. Equal values have the same hash.
    ///
    /// - Complexity: O(n), n = size of the value. Does not recurse.
    public func hash(into hasher: inout Hasher) {
        var walk = TreeHashing()
        walk.hash(self, into: &hasher)
    }
}

extension JSONArray: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) {
        JSON.array(self).hash(into: &hasher)
    }
}

extension JSONObject: Hashable {
    /// Hashes the members, regardless of their order.
    public func hash(into hasher: inout Hasher) {
        JSON.object(self).hash(into: &hasher)
    }
}

extension JSONObject.Member: Hashable {
    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        UTF8Bytes.hash(name, into: &hasher)
        hasher.combine(value)
    }
}

/// Hashes a tree without recursion. A list holds the containers that are not completely hashed yet.
///
/// The hash must not depend on the order of members. Each member is hashed separately, and the object adds the hashes. The outer hasher
/// waits in a second list meanwhile. The lists are separate because a hasher is large and arrays do not need one.
private struct TreeHashing {
    private enum Frame {
        case array(JSONArray, next: Int)
        case object(JSONObject, next: Int, sum: Int)
    }

    private var frames: [Frame] = []
    private var waiting: [Hasher] = []

    mutating func hash(_ value: JSON, into hasher: inout Hasher) {
        if let frame = start(value, &hasher) { enter(frame, &hasher) }
        while let frame = frames.popLast() {
            switch frame {
            case .array(let array, let next): resume(array, from: next, &hasher)
            case .object(let object, let next, let sum): resume(object, from: next, sum: sum, &hasher)
            }
        }
    }

    /// Hashes a scalar, or the kind and size of a container. Returns a frame for the contents of a container.
    private func start(_ value: JSON, _ hasher: inout Hasher) -> Frame? {
        switch value {
        case .null:
            hasher.combine(0 as UInt8)
        case .bool(let value):
            hasher.combine(value ? 2 : 1 as UInt8)
        case .number(let number):
            hasher.combine(3 as UInt8)
            hasher.combine(number)
        case .string(let text):
            hasher.combine(4 as UInt8)
            UTF8Bytes.hash(text, into: &hasher)
        case .array(let array):
            hasher.combine(5 as UInt8)
            hasher.combine(array.count)
            return array.isEmpty ? nil : .array(array, next: 0)
        case .object(let object):
            hasher.combine(6 as UInt8)
            hasher.combine(object.distinctNameCount)
            return object.isEmpty ? nil : .object(object, next: 0, sum: 0)
        }
        return nil
    }

    /// Adds a container to the list. The members of an object use a separate hasher.
    private mutating func enter(_ frame: Frame, _ hasher: inout Hasher) {
        if case .object = frame { waiting.append(hasher) }
        frames.append(frame)
    }

    private mutating func resume(_ array: JSONArray, from start: Int, _ hasher: inout Hasher) {
        let count = array.count
        for index in start..<count {
            if let frame = self.start(array[index], &hasher) {
                if index + 1 < count { frames.append(.array(array, next: index + 1)) }
                enter(frame, &hasher)
                return
            }
        }
    }

    /// Hashes the members from `start`. If `start` is not 0, `hasher` holds the complete hash of the previous member.
    private mutating func resume(_ object: JSONObject, from start: Int, sum: Int, _ hasher: inout Hasher) {
        var sum = start == 0 ? 0 : sum &+ hasher.finalize()
        for index in start..<object.count where object.isEffective(index) {
            let member = object[index]
            hasher = Hasher()
            UTF8Bytes.hash(member.name, into: &hasher)
            if let frame = self.start(member.value, &hasher) {
                frames.append(.object(object, next: index + 1, sum: sum))
                enter(frame, &hasher)
                return
            }
            sum = sum &+ hasher.finalize()
        }
        if let outer = waiting.popLast() { hasher = outer }
        hasher.combine(sum)
    }
}
