import Foundation
import JSONAPICommand
import Testing

@Suite("jsonapi show: graphs")
struct ShowGraphTests {
    private func drawn(_ format: String, _ document: String) -> [String] {
        let run = CommandRun("show", "--graph", format, "-", input: document)
        #expect(run.status == 0, "\(run.error)")
        return run.lines.dropLast()
    }

    private static let cycle = #"""
        {"data": {"type": "articles", "id": "1", "attributes": {"title": "JSON:API"},
                  "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                                    "tags": {"data": [{"type": "tags", "id": "x"}, {"type": "tags", "id": "y"}]}}},
         "included": [{"type": "people", "id": "9", "relationships": {"wrote": {"data": [{"type": "articles", "id": "1"}]}}},
                      {"type": "tags", "id": "y", "attributes": {"name": "Y"}}]}
        """#

    @Test("Graphviz text has nodes and edges in the order of the document")
    func dot() {
        #expect(
            drawn("dot", Self.cycle) == [
                "digraph document {", "  rankdir=LR", "  node [shape=box]",
                #"  n0 [label="articles 1\nJSON:API", penwidth=2]"#,
                #"  n1 [label="people 9"]"#,
                #"  n2 [label="tags y\nY"]"#,
                #"  n3 [label="tags x", style=dashed]"#,
                #"  n0 -> n1 [label="author"]"#,
                #"  n0 -> n3 [label="tags"]"#,
                #"  n0 -> n2 [label="tags"]"#,
                #"  n1 -> n0 [label="wrote"]"#,
                "}",
            ])
    }

    @Test("Mermaid text has the same")
    func mermaid() {
        #expect(
            drawn("mermaid", Self.cycle) == [
                "flowchart LR",
                #"  n0["articles 1<br/>JSON#58;API"]:::primary"#,
                #"  n1["people 9"]"#,
                #"  n2["tags y<br/>Y"]"#,
                #"  n3["tags x"]:::missing"#,
                #"  n0 -->|"author"| n1"#,
                #"  n0 -->|"tags"| n3"#,
                #"  n0 -->|"tags"| n2"#,
                #"  n1 -->|"wrote"| n0"#,
                "  classDef primary stroke-width:3px", "  classDef missing stroke-dasharray:5 5",
            ])
    }

    @Test("Names that are markup are escaped")
    func escaping() {
        let document = #"""
            {"data": {"type": "a", "id": "\"] x -> y [", "attributes": {"title": "`<b>&amp;</b>` \\N #quot; %% | é\u001b[31m\n"}}}
            """#
        #expect(
            drawn("dot", document)[3]
                == #"  n0 [label="a \"\\\"] x -> y [\"\n`<b>&amp;amp;</b>` \\N #quot; %% | é\\u001b[31m\\n", penwidth=2]"#)
        #expect(
            drawn("mermaid", document)[1]
                == "  n0[\"a #34;#92;#34;#93; x -#62; y #91;#34;<br/>#96;#60;b#62;#38;amp#59;#60;#47;b#62;#96; #92;N #35;quot#59; #37;#37; #124; é#92;u001b#91;31m#92;n\"]:::primary"
        )
    }

    @Test("A primary identifier and its included resource are one node")
    func identifiers() {
        let lines = drawn(
            "dot",
            #"""
            {"data": [{"type": "b", "id": "1"}, {"type": "b", "id": "2"}],
             "included": [{"type": "b", "id": "1", "attributes": {"n": 1}, "relationships": {"x": {"data": {"type": "b", "id": "2"}}}}]}
            """#)
        #expect(
            lines[3...] == [
                #"  n0 [label="b 2", penwidth=2]"#, #"  n1 [label="b 1", penwidth=2]"#, #"  n1 -> n0 [label="x"]"#, "}",
            ])
    }

    @Test("Resources inside relationships are nodes with relationships of their own")
    func inPlace() {
        let lines = drawn(
            "dot",
            #"""
            {"data": {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "2", "attributes": {"name": "B"},
              "relationships": {"c": {"data": {"type": "c", "id": "3"}}}}}}}}
            """#)
        #expect(lines.contains(#"  n1 [label="b 2\nB"]"#))
        #expect(lines.contains(#"  n1 -> n2 [label="c"]"#))
    }

    @Test("A document without resources is a graph without nodes", arguments: [#"{"errors": []}"#, #"{"data": []}"#, #"{"meta": {}}"#])
    func empty(document: String) {
        #expect(drawn("dot", document) == ["digraph document {", "  rankdir=LR", "  node [shape=box]", "}"])
    }

    @Test("Ten thousand resources in a ring are drawn, and Mermaid's limits are noted")
    func ring() {
        let resources = (0..<10_000).map {
            #"{"type":"a","id":"\#($0)","relationships":{"next":{"data":{"type":"a","id":"\#(($0 + 1) % 10_000)"}}}}"#
        }
        let document = #"{"data":[\#(resources.joined(separator: ","))]}"#
        #expect(drawn("dot", document).count == 20_004)
        let run = CommandRun("show", "--graph", "mermaid", "-", input: document)
        #expect(run.error.contains("maxEdges"))
    }
}
