// Types of the names that Apple's frameworks have at the top level and that a model, a view or a test uses. A module of its own, so
// that two public types of one name are ambiguous to whoever imports both, as they are in an app.

// SwiftUI
public enum Alignment {}
public enum Angle {}
public enum Animation {}
public enum App {}
public enum Axis {}
public enum Binding {}
public enum Button {}
public enum Color {}
public enum Edge {}
public enum Environment {}
public enum Font {}
public enum Form {}
public enum Grid {}
public enum Group {}
public enum Image {}
public enum Label {}
public enum Layout {}
public enum Link {}
public enum List {}
public enum Menu {}
public enum Path {}
public enum Scene {}
public enum Section {}
public enum Shape {}
public enum State {}
public enum Table {}
public enum Text {}
public enum Transaction {}
public enum Transition {}
public enum View {}

// SwiftData
public enum FetchDescriptor {}
public enum ModelContainer {}
public enum ModelContext {}
public enum PersistentIdentifier {}
public enum PersistentModel {}
public enum Schema {}

// Combine
public enum AnyCancellable {}
public enum Cancellable {}
public enum Empty {}
public enum Fail {}
public enum Future {}
public enum Just {}
public enum ObservableObject {}
public enum Published {}
public enum Publisher {}
public enum Record {}
public enum Subject {}
public enum Subscriber {}
