// JSON values (`JSON`, `JSONObject`, `JSONPointer` …) are part of this module's interface, for example as `meta` and in errors. Importing
// this module makes them available.
@_exported import JSONText
