// Runs all targets, or one.

import Fuzzing

await FuzzProgram.run(
    FuzzTarget.codec + [.validator, .stream, .walk, .writer, .store, .archive, .query, .mediaType, .template])
