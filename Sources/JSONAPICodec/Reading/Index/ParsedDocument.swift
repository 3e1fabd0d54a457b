import JSONAPIRules
import JSONText

/// A parsed document with its index. It is immutable, and shared by a decoding session and the references that the session returns.
package final class ParsedDocument: Sendable {
    let tape: Tape
    package let layout: DocumentLayout
    package let index: ResourceIndex
    let options: JSONAPIDecoder

    /// - Parameters:
    ///   - findsByIdentity: False when no resource has to be found by identity, which saves the table.
    ///   - memory: Belongs to this document as long as it lives.
    package init(_ tape: Tape, options: JSONAPIDecoder, findsByIdentity: Bool = true, memory: IndexMemory = IndexMemory()) throws {
        self.tape = tape
        self.options = options
        let layout = try DocumentLayout(tape.view, options.leniencies)
        self.layout = layout
        index = try ResourceIndex(tape.view, layout, options, findsByIdentity: findsByIdentity, memory: memory)
    }

    /// Creates a document of a text that this library wrote, which has no limit.
    convenience init(of text: [UInt8], options: JSONAPIDecoder) throws {
        let tape = try text.withText { text in
            let tape = try text.tape(.unlimited)
            tape.takeOwnership()
            return tape
        }
        try self.init(tape, options: options)
    }

    /// Creates a document of errors, whose data is ignored. The root must be an object.
    init(errorsOf tape: Tape, options: JSONAPIDecoder) throws {
        self.tape = tape
        self.options = options
        layout = DocumentLayout(errorsOf: tape.view)
        index = try ResourceIndex(tape.view, layout, options, findsByIdentity: false, memory: IndexMemory())
    }

    package var view: TapeView { tape.view }

    /// A copy of the entries of all resource objects in order, primary ones first.
    package var entries: [ResourceEntry] { index.entries.elements }
}

/// The words of the top-level members on the tape, as the leniencies accept them; 0 for a member that is absent.
///
/// <https://jsonapi.org/format/1.1/#document-top-level>
package struct DocumentLayout: Sendable {
    private(set) var top: TopLevel
    /// `errors` beside `data` that are null or empty, which the leniency `dataWithErrors` reads as absent.
    private(set) var quietErrors = 0

    var data: Int { top.data }
    var included: Int { top.included }
    package var errors: Int { top.errors }
    var meta: Int { top.meta }
    var links: Int { top.links }
    var jsonapi: Int { top.jsonapi }

    /// Creates the layout of a document of errors, without data and included resources.
    init(errorsOf view: TapeView) {
        top = TopLevel(view)
        (top.data, top.included) = (0, 0)
    }

    init(_ view: TapeView, _ leniencies: Leniencies) throws {
        guard view.isObject(view.root) else {
            throw DecodingFailure(
                .documentNotObject, at: JSONPointer(), offset: view.start(of: view.root),
                expected: "a JSON:API document, which is an object", found: view.kindName(at: view.root))
        }
        top = TopLevel(view)
        if errors != 0, data != 0, leniencies.contains(.dataWithErrors),
            view.isNull(errors) || view.isContainer(errors) && view.count(at: errors) == 0
        {
            (quietErrors, top.errors) = (errors, 0)
        }
        if included != 0, view.isNull(included), leniencies.contains(.nullContainers) { top.included = 0 }
        guard included == 0 || view.isArray(included) else {
            throw DecodingFailure(
                .wrongType, at: JSONPointer("included"), offset: view.start(of: included),
                expected: "an array of resource objects", found: view.kindName(at: included),
                advice: view.isNull(included) ? "set the leniency nullContainers to read it" : nil)
        }
    }
}
