/// How much evidence a generator of models needs.
package struct SampleRules {
    /// Whether a property is required if no sample contradicts that. Otherwise, ten objects in three documents must have it. Types do not
    /// depend on this.
    package var isStrict = false
    /// Whether comments describe the samples.
    package var explains = false

    package init() {}

    /// Returns what the samples show about a member, in words.
    func explanation(_ member: ObjectShape.Member, of object: ObjectShape) -> [String] {
        guard explains else { return [] }
        let null = member.value.hasNull ? ", null somewhere" : ""
        let documents = member.documents == 1 ? "1 document" : "\(member.documents) documents"
        return ["In \(member.count) of \(object.count) objects, in \(documents)\(null)."]
    }
}
