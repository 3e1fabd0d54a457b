import JSONAPIRules
import JSONText

// Local ids: https://jsonapi.org/format/1.1/#document-resource-object-identification

extension DocumentCheck {
    mutating func mention(_ identifier: Int) {
        let (type, lid) = (member("type", of: identifier), member("lid", of: identifier))
        if type != 0, view.isString(type), view.isString(lid) { locals.mentioned.append(.init(type: type, lid: lid)) }
    }

    /// Checks that each local id in a request identifies one new resource, and that each reference to a local id has such a resource. In
    /// operations, which are carried out in order, the resource must be that of an earlier one.
    ///
    /// - Complexity: O(n + m), n = number of resources, m = number of identifiers.
    mutating func checkLocalIdentities() {
        guard !locals.declared.isEmpty || !locals.mentioned.isEmpty else { return }
        var known = WordTable(capacity: locals.declared.count)
        for local in locals.declared where !known.insert(local.type, local.lid, view) {
            report(Fault(.uniqueLocalID, .repeated, at: local.lid))
        }
        for local in locals.mentioned {
            if known.contains(local.type, local.lid, view) {
                if local.isEarly { reportUnassigned(local.lid) }
            } else if !locals.isBroken {
                report(Fault(.identifierLocalID, .missing, at: local.lid))
            }
        }
    }
}
