import AppleNames
import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIHTTP
import JSONAPILegacy
import JSONAPIReceiving
import JSONAPISchemas
import JSONAPIStore
import JSONAPIStreams
import JSONAPITesting
import JSONAPIValidation
import JSONMapping
import JSONText
import Observation
import Testing

/// No public name of the library is ambiguous beside those of Apple's frameworks, or takes the place of the module `Observation`, which
/// the macro `@Observable` spells out. What these tests check is that they compile.
@Suite struct PublicNamesTests {
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Model {
        var title = ""
        @ObservationIgnored var observation: StoreObservation?
    }

    @Test func aViewModelThatImportsEverythingIsObservable() {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        let model = Model()
        let changes = Changes()
        withObservationTracking {
            _ = model.title
        } onChange: {
            changes.count += 1
        }
        model.title = "Clocks"
        #expect(changes.count == 1)
    }

    private final class Changes: @unchecked Sendable {
        // Told on the thread of the test only.
        var count = 0
    }

    // Types, since an expression such as `Link.self` takes one of two types of that name without a word.
    private typealias NamesOfApple = (
        Alignment, Angle, Animation, App, Axis, Binding, Button, Color, Edge, Environment, Font, Form, Grid, Group,
        Image, Label, Layout, Link, List, Menu, Path, Scene, Section, Shape, State, Table, Text, Transaction,
        Transition, View, FetchDescriptor, ModelContainer, ModelContext, PersistentIdentifier, PersistentModel, Schema,
        AnyCancellable, Cancellable, Empty, Fail, Future, Just, ObservableObject, Published, Publisher, Record, Subject,
        Subscriber,
        Issue, Test, Tag, Comment, Confirmation
    )

    @Test func appleNamesAreNotAmbiguous() {
        let none: NamesOfApple? = nil
        #expect(none == nil)
    }

    @Test func libraryNamesAreNotAmbiguous() {
        let field: Field<String> = .value("a")
        let mapped = MappingField<Place, String>(\.name, "name")
        let strategies: [KeyStrategy] = [.kebabCase, JSONAPIDecoder.KeyStrategy.snakeCase]
        let link: DocumentLink = "/articles"
        #expect(field.value == "a" && mapped.name == "name" && strategies.count == 2 && link.href == "/articles")
    }

    private struct Place {
        var name = ""
    }
}
