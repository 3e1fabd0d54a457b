// Archives (`Archive`, `ArchiveFile`, `ArchiveModel` …) and waiting requests are part of this module's interface, for example as files of a
// store. Importing this module makes them available.
@_exported import JSONAPIArchive
