// Runs the targets that need only the codec: a sanitizer then has half of the modules to compile.

import Fuzzing

await FuzzProgram.run(FuzzTarget.codec)
