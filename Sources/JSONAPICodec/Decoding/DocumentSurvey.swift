import JSONText

/// Looks a whole document over: what the mode does not allow is thrown, what it tolerates is reported.
enum DocumentSurvey {
    static func run(_ document: ParsedDocument) throws -> Diagnostics { Diagnostics() }
    static func checkErrors(_ document: ParsedDocument) throws {}
}
