import JSONText

// Atomic Operations, the document: https://jsonapi.org/ext/atomic/#document-structure

extension ValidationRule {
    static let atomicNoData = ValidationRule(
        "atomic/document/no-data", .mustNot, "document-structure", "A document with the extension must not have `data`.")
    static let atomicNoIncluded = ValidationRule(
        "atomic/document/no-included", .mustNot, "document-structure", "A document with the extension must not have `included`.")
    static let operationsAndResults = ValidationRule(
        "atomic/document/operations-and-results-exclusive", .mustNot, "document-structure",
        "A document must not have both `atomic:operations` and `atomic:results`.")
    static let operationsArray = ValidationRule(
        "atomic/document/operations-array", .must, "document-structure", "`atomic:operations` must be an array of one or more operations.")
    static let resultsArray = ValidationRule(
        "atomic/document/results-array", .must, "document-structure", "`atomic:results` must be an array of one or more results.")
    static let noErrorsBeside = ValidationRule(
        "atomic/document/no-errors-with-operations-or-results", .mustNot, "document-structure",
        "A document with `atomic:operations` or `atomic:results` must not have `errors`.")
    static let operationCode = ValidationRule(
        "atomic/operation-objects/op-required", .must, "operation-objects", "An operation must have `op`, a string.")
    static let knownOperation = ValidationRule(
        "atomic/operation-objects/op-code", .must, "operation-objects", "`op` must be `add`, `update` or `remove`.")
    static let refAndHref = ValidationRule(
        "atomic/operation-objects/ref-and-href-exclusive", .mustNot, "operation-objects",
        "An operation must not have both `ref` and `href`.")
    static let refMembers = ValidationRule(
        "atomic/operation-objects/ref-members", .must, "operation-objects",
        "`ref` must be an object with `type`, either `id` or `lid`, and optionally `relationship`, all strings.")
    static let refLocalID = ValidationRule(
        "atomic/operation-objects/ref-lid-assigned-before", .must, "operation-objects",
        "A `lid` in `ref`, in an update or in linkage must be that of a resource from an earlier operation.")
    static let operationReference = ValidationRule(
        "atomic/operation-objects/href-uri-reference", .must, "operation-objects", "`href` of an operation must be a URI reference.")
    static let operationMeta = ValidationRule(
        "atomic/operation-objects/meta-object", .must, "operation-objects", "`meta` of an operation must be an object.")
    static let resultMeta = ValidationRule(
        "atomic/result-objects/meta-object", .must, "result-objects", "`meta` of a result must be an object.")
    static let resultsReturned = ValidationRule(
        "atomic/processing/results-returned", .must, "processing", "A response to operations must have `atomic:results`.")
    static let resultsLength = ValidationRule(
        "atomic/processing/results-length", .must, "processing", "The number of results must be the number of operations.")
    static let operationErrorPointer = ValidationRule(
        "atomic/processing/error-objects-with-pointer", .should, "processing-errors",
        "An error of an operation should have `source.pointer`, which points into the request.")
    static let addedResource = ValidationRule(
        "atomic/creating/op-add-with-resource", .must, "auto-id-creating-resources",
        "An operation that creates a resource must have the `op` `add` and a resource object as `data`.")
    static let deletionTarget = ValidationRule(
        "atomic/deleting/target-required", .must, "auto-id-deleting-resources",
        "An operation that deletes a resource must have `ref` or `href`.")
    static let toOneTarget = ValidationRule(
        "atomic/to-one/target-required", .must, "auto-id-updating-to-one-relationships",
        "An operation on a to-one relationship must have `ref` or `href`.")
    static let toManyTarget = ValidationRule(
        "atomic/to-many/target-required", .must, "auto-id-updating-to-many-relationships",
        "An operation on a to-many relationship must have `ref` or `href`.")

    static let atomicOperations = [
        atomicNoData, atomicNoIncluded, operationsAndResults, operationsArray, resultsArray, noErrorsBeside, operationCode, knownOperation,
        refAndHref, refMembers, refLocalID, operationReference, operationMeta, resultMeta, resultsReturned, resultsLength,
        operationErrorPointer, addedResource, deletionTarget, toOneTarget, toManyTarget,
        ValidationRule(
            "atomic/document/operations-or-results", .may, "document-structure",
            "A document may have `atomic:operations` or `atomic:results`, but not both.", reportedAs: [operationsAndResults]),
        ValidationRule(
            "atomic/operation-objects/ref-or-href", .may, "operation-objects",
            "An operation may have `ref` or `href` for its target, but not both.", reportedAs: [refAndHref]),
    ]
}

// MARK: - The top level

extension DocumentCheck {
    mutating func checkAtomicTopLevel() {
        if top.data != 0 {
            // Without the data, nothing might be left that the document needs.
            let cure = context.isRequest ? "an operation in `atomic:operations`" : "a result in `atomic:results`"
            let isAlone = operations == 0 && results == 0 && top.errors == 0
            report(
                .atomicNoData, at: top.data, "`data` in a document with atomic operations",
                isAlone ? "send it as the `data` of \(cure)" : "remove it")
        }
        if top.included != 0 { report(.atomicNoIncluded, at: top.included, "`included` in a document with atomic operations", "remove it") }
        if operations != 0, results != 0 {
            report(
                .operationsAndResults, at: view.root, "a document with both `atomic:operations` and `atomic:results`",
                "send operations in a request, and results in its response")
        }
        if top.errors != 0, operations != 0 || results != 0 {
            report(.noErrorsBeside, at: top.errors, "`errors` together with `atomic:operations` or `atomic:results`", "send only `errors`")
        }
        if operations != 0 { checkOperations(operations) }
        if results != 0 { checkResults(results) }
    }

    /// Reports a response with neither results nor errors. Returns whether it did.
    mutating func refuseMissingResults() -> Bool {
        guard context.kind == .atomicResponse, results == 0, top.errors == 0 else { return false }
        report(.resultsReturned, at: view.root, "a response to operations without `atomic:results`", "add a result for each operation")
        return true
    }

    /// Reports an error without a pointer if it belongs to an operation.
    mutating func checkPointerOfOperation(_ error: Int) {
        guard appliesAtomic, !context.isRequest else { return }
        report(
            .operationErrorPointer, at: error, "an error without `source.pointer`",
            "point to the operation, such as \"/atomic:operations/0\"")
    }
}

// MARK: - Results

extension DocumentCheck {
    private mutating func checkResults(_ results: Int) {
        guard view.isArray(results) else { return reportKind(.resultsArray, at: results, "`atomic:results`", "an array of results") }
        let count = view.count(at: results)
        if count == 0 {
            report(.resultsArray, at: results, "an empty `atomic:results`", "add a result for each operation")
        } else if let expected = context.operationCount, expected != count {
            report(
                .resultsLength, at: results, "a number of results that differs from the number of operations",
                "send a result for each operation, `{}` for an empty one"
            )
        }
        for result in elements(of: results) {
            guard view.isObject(result) else {
                reportKind(.resultsArray, at: result, "a result", "an object, `{}` for an empty result")
                continue
            }
            for (name, value) in members(of: result) {
                if view.string(at: name, equals: "data") {
                    _ = checkData(value)
                } else if view.string(at: name, equals: "meta") {
                    checkMeta(value, of: .other, .resultMeta)
                } else {
                    checkOther(name, value, in: "a result", defined: ["data", "meta"])
                }
            }
        }
    }
}
