/// How sure a generator of models has to be.
package struct SampleRules {
    /// Whether a property is required as soon as no sample speaks against it. Otherwise it is when ten objects in three documents have it.
    package var isStrict = false
    /// Whether comments say what the samples hold.
    package var explains = false

    package init() {}

    /// What the samples say about a member, in words.
    func explanation(_ member: ObjectShape.Member, of object: ObjectShape) -> [String] {
        guard explains else { return [] }
        let null = member.value.hasNull ? ", null somewhere" : ""
        let documents = member.documents == 1 ? "1 document" : "\(member.documents) documents"
        return ["In \(member.count) of \(object.count) objects, in \(documents)\(null)."]
    }
}
