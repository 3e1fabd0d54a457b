import JSONAPIRules
import JSONText

// Atomic Operations, operation objects: https://jsonapi.org/ext/atomic/#operation-objects

/// The indices of an operation's members on the tape. 0 stands for a missing member.
private struct Operation {
    enum Code { case add, update, remove }

    /// The target of an operation, according to `ref` and `href`.
    enum Target {
        case none
        case resource
        case relationship
        /// A URL, which can refer to a resource or a relationship.
        case url
        /// `ref` or `href` is invalid, or both are present. This has been reported.
        case unreadable
    }

    let word: Int
    let op: Int
    let ref: Int
    let href: Int
    let data: Int
    var code: Code?
    var target = Target.none
}

extension DocumentCheck {
    mutating func checkOperations(_ operations: Int) {
        guard view.isArray(operations) else {
            return reportKind(.operationsArray, at: operations, "`atomic:operations`", "an array of operations")
        }
        if view.count(at: operations) == 0 { report(.operationsArray, at: operations, "an empty `atomic:operations`", "add an operation") }
        var assigned = WordTable(capacity: view.count(at: operations))
        for element in elements(of: operations) {
            guard view.isObject(element) else {
                reportKind(.operationsArray, at: element, "an operation", "an object with `op`")
                locals.isBroken = true
                continue
            }
            let (known, mentioned) = (locals.declared.count, locals.mentioned.count)
            checkOperation(element, assigned)
            // Later operations can refer to the resource, and it can link to itself.
            for local in locals.declared[known...] { assigned.insert(local.type, local.lid, view) }
            for index in mentioned..<locals.mentioned.count where !locals.isBroken {
                locals.mentioned[index].isEarly = !assigned.contains(locals.mentioned[index].type, locals.mentioned[index].lid, view)
            }
        }
    }

    private mutating func checkOperation(_ word: Int, _ assigned: WordTable) {
        let defined: [StaticString] = ["op", "ref", "href", "data", "meta"]
        for (name, value) in members(of: word) where !view.string(at: name, isOneOf: defined) {
            checkOther(name, value, in: "an operation", defined: defined)
        }
        let meta = member("meta", of: word)
        if meta != 0 { checkMeta(meta, of: .other, .operationMeta) }
        var operation = Operation(
            word: word, op: member("op", of: word), ref: member("ref", of: word), href: member("href", of: word),
            data: member("data", of: word))
        operation.code = checkCode(operation)
        operation.target = checkTarget(operation, assigned)
        switch operation.code {
        case .add: checkAdd(operation)
        case .update: checkUpdate(operation, assigned)
        case .remove: checkRemove(operation)
        case nil: locals.isBroken = true
        }
    }

    private mutating func checkCode(_ operation: Operation) -> Operation.Code? {
        guard operation.op != 0 else {
            report(.operationCode, at: operation.word, "an operation without `op`", "add `op` with the value `add`, `update` or `remove`")
            return nil
        }
        guard checkString(operation.op, .operationCode, "the `op` of an operation") else { return nil }
        if view.string(at: operation.op, equals: "add") { return .add }
        if view.string(at: operation.op, equals: "update") { return .update }
        if view.string(at: operation.op, equals: "remove") { return .remove }
        report(.knownOperation, at: operation.op, "an unknown `op`", "use `add`, `update` or `remove`")
        return nil
    }
}

// MARK: - The target

extension DocumentCheck {
    private mutating func checkTarget(_ operation: Operation, _ assigned: WordTable) -> Operation.Target {
        if operation.ref != 0, operation.href != 0 {
            report(.refAndHref, at: operation.word, "an operation with both `ref` and `href`", "keep one of them")
            return .unreadable
        }
        if operation.href != 0 {
            guard checkString(operation.href, .operationReference, "the `href` of an operation") else { return .unreadable }
            if !URIText(view, operation.href).isReference {
                report(
                    .operationReference, at: operation.href, "an `href` that is not a URI reference",
                    "percent-encode characters that a URI does not allow")
            }
            return .url
        }
        return operation.ref == 0 ? .none : checkRef(operation.ref, assigned)
    }

    private mutating func checkRef(_ ref: Int, _ assigned: WordTable) -> Operation.Target {
        guard view.isObject(ref) else {
            reportKind(.refMembers, at: ref, "the `ref` of an operation", "an object with `type` and `id`")
            return .unreadable
        }
        let defined: [StaticString] = ["type", "id", "lid", "relationship"]
        for (name, value) in members(of: ref) where !view.string(at: name, isOneOf: defined) {
            checkOther(name, value, in: "the `ref` of an operation", defined: defined, advice: "put it into `meta` of the operation")
        }
        let (type, id, lid) = (member("type", of: ref), member("id", of: ref), member("lid", of: ref))
        let relationship = member("relationship", of: ref)
        checkRefIdentity(ref, type: type, id: id, lid: lid)
        if relationship != 0, checkString(relationship, .refMembers, "the `relationship` of a `ref`") {
            // The extension asks for a string, but no relationship can have another name.
            check { _ = $0.isField(relationship, relationship, as: .relationship) }
        }
        checkAssigned(type: type, id: id, lid: lid, assigned)
        return relationship == 0 ? .resource : .relationship
    }

    /// Reports a lid in place of an id that no earlier operation has given to a resource.
    private mutating func checkAssigned(type: Int, id: Int, lid: Int, _ assigned: WordTable) {
        guard lid != 0, id == 0, type != 0, view.isString(type), view.isString(lid), !locals.isBroken, !assigned.contains(type, lid, view)
        else { return }
        reportUnassigned(lid)
    }

    mutating func reportUnassigned(_ lid: Int) {
        report(
            .refLocalID, at: lid, "a `lid` that no earlier operation has given to a resource of this type",
            "add the resource in an earlier operation")
    }

    private mutating func checkRefIdentity(_ ref: Int, type: Int, id: Int, lid: Int) {
        if type == 0 || (id == 0 && lid == 0) {
            report(.refMembers, at: ref, "a `ref` without \(type == 0 ? "`type`" : "`id` and `lid`")", "add `type`, and `id` or `lid`")
        } else if id != 0, lid != 0 {
            report(.refMembers, at: ref, "a `ref` with both `id` and `lid`", "keep one of them")
        }
        for (word, what) in [(type, "type"), (id, "id"), (lid, "lid")] where word != 0 {
            _ = checkString(word, .refMembers, "the `\(what)` of a `ref`")
        }
        if type != 0, view.isString(type) { check { $0.checkTypeName(type) } }
    }
}

// MARK: - The data

extension DocumentCheck {
    private func isArray(_ data: Int) -> Bool { data != 0 && view.isArray(data) }

    /// Checks an operation that creates a resource, or adds to a to-many relationship.
    ///
    /// <https://jsonapi.org/ext/atomic/#auto-id-creating-resources>
    private mutating func checkAdd(_ operation: Operation) {
        let data = operation.data
        if operation.target == .relationship || isLinkage(operation) { return checkToMany(operation) }
        guard data != 0 else {
            if operation.target == .unreadable { return }
            return report(.addedResource, at: operation.word, "an `add` without `data`", "add the resource object as `data`")
        }
        guard view.isObject(data) else {
            locals.isBroken = true
            return reportKind(.addedResource, at: data, "the `data` of an `add`", "a resource object")
        }
        checkResource(data, .added)
    }

    /// Returns whether the data is an array of linkage. If no relationship or address is named, an array may also be an attempt to add or
    /// update several resource objects, which needs several operations.
    private func isLinkage(_ operation: Operation) -> Bool {
        guard isArray(operation.data) else { return false }
        guard operation.target == .none || operation.target == .resource else { return true }
        return elements(of: operation.data).allSatisfy { element in
            guard view.isObject(element) else { return true }
            return isBareIdentity(element) && (view.member("id", of: element) ?? view.member("lid", of: element)) != nil
        }
    }

    /// Checks an operation that updates a resource, or replaces a relationship.
    ///
    /// <https://jsonapi.org/ext/atomic/#auto-id-updating-resources>
    private mutating func checkUpdate(_ operation: Operation, _ assigned: WordTable) {
        let data = operation.data
        switch operation.target {
        case .relationship:
            guard data != 0 else {
                return report(
                    ValidationRule(.toOneData), at: operation.word, "an `update` of a relationship without `data`",
                    "add the linkage as `data`")
            }
            check { $0.checkLinkage(data, allowsLocal: true) }
        case .resource where data == 0, .none where data == 0, .url where data == 0:
            report(.updateData, at: operation.word, "an `update` without `data`", "add the resource object with the changes as `data`")
        case .resource where isLinkage(operation): checkToMany(operation)
        case .resource:
            if view.isObject(data) { checkUpdated(data, assigned) } else { refuseUpdateData(data) }
        case .none, .url, .unreadable:
            if data != 0 { checkUpdateOfUnknown(operation, assigned) }
        }
    }

    private mutating func checkUpdated(_ data: Int, _ assigned: WordTable) {
        checkResource(data, .updated)
        let member = { [view] (name: StaticString) in view.member(name, of: data) ?? 0 }
        checkAssigned(type: member("type"), id: member("id"), lid: member("lid"), assigned)
    }

    private mutating func refuseUpdateData(_ data: Int) {
        reportKind(.updateData, at: data, "the `data` of an `update` of a resource", "a resource object")
    }

    /// Checks an update whose target only follows from its data. Only the update of a resource does not need a target.
    private mutating func checkUpdateOfUnknown(_ operation: Operation, _ assigned: WordTable) {
        let data = operation.data
        switch view.kind(at: data) {
        case .object:
            if operation.target != .none, isBareIdentity(data) {
                check { $0.checkIdentifier(data, allowsLocal: true) }
            } else {
                checkUpdated(data, assigned)
            }
        case .null:
            guard operation.target == .none else { return }
            report(
                .toOneTarget, at: operation.word, "an `update` with null as `data`, without `ref` and `href`",
                "name the relationship in `ref`")
        case .array: checkToMany(operation)
        default: refuseUpdateData(data)
        }
    }

    /// Returns whether an object may be an identifier. For an `href` or an invalid `ref`, this is unknown.
    private func isBareIdentity(_ data: Int) -> Bool {
        for name in ["attributes", "relationships", "links"] as [StaticString] where view.member(name, of: data) != nil { return false }
        return true
    }

    /// Checks an operation that deletes a resource, or removes from a to-many relationship.
    ///
    /// <https://jsonapi.org/ext/atomic/#auto-id-deleting-resources>
    private mutating func checkRemove(_ operation: Operation) {
        if operation.target == .relationship || isArray(operation.data) { return checkToMany(operation) }
        if operation.target == .none {
            return report(.deletionTarget, at: operation.word, "a `remove` without `ref` and `href`", "name the resource in `ref`")
        }
        // Deleting a resource takes no data, and a relationship loses the identifiers in an array.
        guard operation.data != 0, !view.isNull(operation.data) else { return }
        reportKind(
            ValidationRule(.toManyData), at: operation.data, "the `data` of a `remove`",
            "an array of identifiers, or leave it out to delete the resource")
    }

    /// Checks an operation that adds to, replaces or removes from the linkage of a to-many relationship.
    ///
    /// <https://jsonapi.org/ext/atomic/#auto-id-updating-to-many-relationships>
    private mutating func checkToMany(_ operation: Operation) {
        guard operation.data != 0 else {
            return report(
                ValidationRule(.toManyData), at: operation.word, "a change of a to-many relationship without `data`",
                "add the linkage as `data`")
        }
        if operation.target == .none {
            report(
                .toManyTarget, at: operation.word, "a change of a to-many relationship without `ref` and `href`",
                "name the relationship in `ref`")
        } else if operation.target == .resource {
            report(
                .toManyTarget, at: operation.ref, "linkage as `data`, but a `ref` without `relationship`", "add `relationship` to the `ref`"
            )
        }
        check { $0.checkLinkage(operation.data, .many, .toManyData, allowsLocal: true) }
    }
}
