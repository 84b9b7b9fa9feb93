// Writes the compiled JSON Schemas of src/: compiling them at run time would cost more than the rest of a warm run.
import { writeFileSync } from 'node:fs';

import { schemaModule } from '../.cache/modules/formats/json-schema.js';
import { configSchema } from '../.cache/modules/ignition/schema.js';

writeFileSync('src/ignition/schema-check.generated.ts', await schemaModule(configSchema));
