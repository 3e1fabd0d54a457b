import JSONAPIRules
import JSONText

// Local ids: https://jsonapi.org/format/1.1/#document-resource-object-identification

extension DocumentCheck {
    mutating func mention(_ identifier: Int) {
        let (type, lid) = (member("type", of: identifier), member("lid", of: identifier))
        if type != 0, view.isString(type), view.isString(lid) { locals.mentioned.append(.init(type: type, lid: lid)) }
    }

    /// Checks that each local id in a request identifies one new resource, and that each reference to a local id has such a resource.
    ///
    /// - Complexity: O(n + m), n = number of resources, m = number of identifiers.
    mutating func checkLocalIdentities() {
        guard !locals.declared.isEmpty || !locals.mentioned.isEmpty else { return }
        var known = WordTable(capacity: locals.declared.count)
        for local in locals.declared where !known.insert(local.type, local.lid, view) {
            report(Fault(.uniqueLocalID, .repeated, at: local.lid))
        }
        guard !locals.isBroken else { return }
        for local in locals.mentioned where !known.contains(local.type, local.lid, view) {
            report(Fault(.identifierLocalID, .missing, at: local.lid))
        }
    }
}
