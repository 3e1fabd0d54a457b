import Foundation

// `DateFormatter` links all of Foundation. The trait `FullFoundation`, which is on by default, includes this file.

#if FullFoundation
    extension DateTextForm {
        /// Creates the form of a formatter. Do not change the formatter afterwards. Requires the package trait `FullFoundation`, which is
        /// on by default.
        public init(_ formatter: DateFormatter) { self.init(read: { formatter.date(from: $0) }, write: { formatter.string(from: $0) }) }
    }

    extension JSONAPIDecoder.DateDecodingStrategy {
        /// A string that the formatter reads. Two formatters count as the same strategy: a resource that was read with one is not
        /// written again with the other. Requires the package trait `FullFoundation`, which is on by default.
        public static func formatted(_ formatter: DateFormatter) -> Self { .text(DateTextForm(formatter)) }
    }

    extension JSONAPIEncoder.DateEncodingStrategy {
        /// The string that the formatter produces. Two formatters count as the same strategy: a resource that was read with one is not
        /// written again with the other. Requires the package trait `FullFoundation`, which is on by default.
        public static func formatted(_ formatter: DateFormatter) -> Self { .text(DateTextForm(formatter)) }
    }
#endif
