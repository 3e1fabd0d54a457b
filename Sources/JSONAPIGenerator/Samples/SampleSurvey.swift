import Foundation
import JSONAPICodec
import JSONText

/// What all sample documents together say about their resources.
package struct SampleSurvey {
    /// The primary data of one sample.
    package struct Sample {
        let file: String
        var data = PrimaryShape.none
        var needsRequestSource = false
    }

    /// How to decode primary data.
    enum PrimaryShape {
        case none, null
        case one(types: [String])
        case many(types: [String])
        case identifier, identifiers
    }

    private(set) var resources: [ResourceShape] = []

    /// Whether no sample has a resource or an identifier.
    package var isEmpty: Bool { resources.isEmpty }

    package private(set) var samples: [Sample] = []
    private var positions: [ByteText: Int] = [:]
    private var reading: ValueShape.Reading
    private var known: Set<ResourceIdentifier> = []

    package init(_ reading: ValueShape.Reading) { self.reading = reading }

    /// Adds one document.
    package mutating func add(_ document: DocumentObject, file: String, isRequest: Bool) {
        var sample = Sample(file: file, needsRequestSource: isRequest)
        reading.document = samples.count
        let primary = document.data.resources
        let included = document.included ?? []
        let isLinkage = !primary.isEmpty && primary.allSatisfy(\.isIdentifier)
        sample.data = SampleSurvey.shape(of: document.data, primary, isLinkage: isLinkage)
        samples.append(sample)
        var resources = (isLinkage ? [] : primary) + included + SampleSurvey.resourcesOfOperations(in: document)
        SampleSurvey.addResourcesInLinkage(to: &resources)
        var identities: Set<ResourceIdentifier> = []
        for resource in resources {
            if let id = resource.id { identities.insert(ResourceIdentifier(type: resource.type, id: id)) }
            if let lid = resource.lid { identities.insert(ResourceIdentifier(type: resource.type, lid: lid)) }
        }
        for resource in isLinkage ? primary : [] { _ = position(of: resource.type) }
        for resource in resources { add(resource) { SampleSurvey.has($0, identities) } }
    }

    private mutating func add(_ resource: ResourceObject, isThere: (ResourceIdentifier) -> Bool) {
        reading.isRepeated = resource.id.map { !known.insert(ResourceIdentifier(type: resource.type, id: $0)).inserted } ?? false
        self.resources[position(of: resource.type)].add(resource, reading, isThere: isThere)
    }

    /// Whether the identities contain an identifier, ignoring meta.
    private static func has(_ identifier: ResourceIdentifier, _ identities: Set<ResourceIdentifier>) -> Bool {
        if let id = identifier.id { return identities.contains(ResourceIdentifier(type: identifier.type, id: id)) }
        return identifier.lid.map { identities.contains(ResourceIdentifier(type: identifier.type, lid: $0)) } ?? false
    }

    /// Adds the types that occur only in linkage.
    package mutating func addLinkedTypes() {
        for type in resources.flatMap({ $0.relationships.flatMap(\.targets) }) { _ = position(of: type) }
    }

    private mutating func position(of type: String) -> Int {
        let key = ByteText(type)
        if let position = positions[key] { return position }
        positions[key] = resources.count
        resources.append(ResourceShape(type: type))
        return resources.count - 1
    }
}

// MARK: - Documents

extension SampleSurvey {
    private static func shape(of data: PrimaryData, _ primary: [ResourceObject], isLinkage: Bool) -> PrimaryShape {
        let types = ByteText.distinct(primary.map(\.type))
        switch data {
        case .absent: return .none
        case .null: return .null
        case .one: return isLinkage ? .identifier : .one(types: types)
        case .many: return isLinkage ? .identifiers : .many(types: types)
        }
    }

    /// Adds the resources that some servers write in place of identifiers, including nested ones.
    private static func addResourcesInLinkage(to resources: inout [ResourceObject]) {
        var position = 0
        while position < resources.count {
            for member in resources[position].members["relationships"]?.object ?? [:] {
                let data = member.value["data"]
                let objects = data?.array.map { $0.compactMap(\.object) } ?? data?.object.map { [$0] } ?? []
                for object in objects where object["type"]?.string != nil {
                    let isIdentifier = object.contains(name: "id") || object.contains(name: "lid")
                    if !isIdentifier || object.contains(name: "attributes") || object.contains(name: "relationships") {
                        resources.append(ResourceObject(members: object))
                    }
                }
            }
            position += 1
        }
    }

    /// The resources in the operations or results of an atomic document.
    ///
    /// <https://jsonapi.org/ext/atomic/>
    private static func resourcesOfOperations(in document: DocumentObject) -> [ResourceObject] {
        ["atomic:operations", "atomic:results"].flatMap { name in
            (document.members[name]?.array ?? []).flatMap { entry -> [ResourceObject] in
                guard entry["ref"]?["relationship"] == nil, let data = PrimaryData(json: entry["data"]) else { return [] }
                return data.resources.filter { !$0.isIdentifier }
            }
        }
    }
}
