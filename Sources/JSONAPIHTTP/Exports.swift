// The bodies of requests (`Changes`, `ReceivedOperations`, `decodeNew` …) and errors as documents are part of this module's interface, for
// example of a response. Importing this module makes them available.
@_exported import JSONAPIReceiving
