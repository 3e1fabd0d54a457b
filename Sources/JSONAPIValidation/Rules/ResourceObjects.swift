import JSONAPIRules
import JSONText

// Resource objects: https://jsonapi.org/format/1.1/#document-resource-objects

extension DocumentCheck {
    mutating func checkResource(_ resource: Int, _ role: ResourceRole) {
        let parts = check { $0.checkResource(resource, role) }
        if !role.isIncluded, !parts.isBare { hasBareData = false }
        let entry = ResourceList.Entry(parts, view, isIncluded: role.isIncluded)
        if entry.id != 0, role == .create || role == .added { checkClientID(entry.id) }
        if role.isOfRequest, role != .update, role != .updated { declare(entry, parts) }
        checkFieldset(parts)
        if appliesCursorPagination, context.kind == .response, entry.relationships != 0 { checkPages(in: entry.relationships) }
        resources.append(entry)
    }

    private mutating func declare(_ entry: ResourceList.Entry, _ parts: ResourceParts) {
        if entry.type != 0, entry.lid != 0 {
            locals.declared.append(.init(type: entry.type, lid: entry.lid))
        } else if entry.type == 0 || parts.lid != 0 {
            locals.isBroken = true
        }
    }
}
