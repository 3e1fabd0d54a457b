import Foundation
public import JSONText

// `JSONSerialization` links all of Foundation. The trait `FullFoundation`, which is on by default, includes this file.
#if FullFoundation
    extension JSON {
        /// Creates a value from Foundation's representation of JSON, as `JSONSerialization` uses it: `[String: Any]`, `[Any]`, `String`,
        /// numbers, `Bool`, `NSNull`, and their Objective-C counterparts.
        ///
        /// ```swift
        /// let json = try JSON(foundation: ["title": "Clocks", "pages": 12, "tags": ["time"]])
        /// json["pages"]?.int      // 12
        /// ```
        ///
        /// The members of an object are sorted by name. Throws `EncodingError` when the value contains anything else, such as NaN or infinity.
        ///
        /// Requires the package trait `FullFoundation`, which is on by default.
        ///
        /// - Complexity: O(n), n = bytes of the JSON text.
        public init(foundation value: Any) throws {
            // `JSONSerialization` stops the process on Apple systems when it cannot write a value, so check first.
            guard JSONSerialization.isValidJSONObject([value]) else {
                throw EncodingError.invalidValue(
                    value,
                    EncodingError.Context(
                        codingPath: [],
                        debugDescription:
                            "Expected dictionaries with names of type String, arrays, strings, finite numbers, booleans and NSNull.")
                )
            }
            let text = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            self = try JSON(parsing: text)
        }

        /// The value in Foundation's representation, as `JSONSerialization` returns it: `[String: Any]`, `[Any]`, `String`, `NSNumber`,
        /// `NSNull`.
        ///
        /// When an object repeats a name, the last value is used. On Linux, `JSONSerialization` can lose U+FEFF, the byte-order mark, in
        /// strings. `JSON.string` has the text unchanged.
        ///
        /// Throws what `JSONSerialization` throws: when values are nested too deeply for it, and when a number is out of its range.
        ///
        /// Requires the package trait `FullFoundation`, which is on by default.
        ///
        /// - Complexity: O(n), n = bytes of the JSON text.
        public var foundation: Any {
            get throws {
                try JSONSerialization.jsonObject(with: Data(try JSONWriter().write(self)), options: .fragmentsAllowed)
            }
        }
    }
#endif
