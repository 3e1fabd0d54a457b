// JSON values (`JSON`, `JSONObject`, `JSONPointer` …) are part of this module's interface, for example as `meta`. Importing this module makes
// them available.
@_exported import JSONText
