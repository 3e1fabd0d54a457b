// The objects of a document (`ResourceObject`, `ErrorDocument`, `Links` …) and JSON values (`JSON`, `JSONObject`, `JSONPointer` …) are part of
// this module's interface. Importing this module makes them available.
@_exported import JSONAPIDocument
@_exported import JSONText
