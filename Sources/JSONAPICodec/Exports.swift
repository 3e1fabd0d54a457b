// The values of JSON (`JSON`, `JSONObject`, `JSONPointer` …) stand in this module's interface, as `meta` and in errors: whoever imports it
// can name them.
@_exported import JSONText
